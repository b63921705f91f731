#pragma once
// Falling: the slopes of the first P heads fall from head to head, where P is the largest power of two not
// above the number of heads.

#include <cstddef>

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/slopes/slopes.hpp"

namespace ropewalk {

namespace detail::alibi_law {

inline measurement measure_falling_slopes(const slope_source& slopes, const alibi& config) {
  return judge_slopes(
      slopes, config, 1, formula_heads(config.heads),
      [](std::size_t head, const slope_table& table) { return table[head] < table[head - 1]; });
}

}  // namespace detail::alibi_law

namespace slope_laws {

inline constexpr law<held_slopes> falling{
    .name = "falling",
    .statement = "slopes of the first P heads fall from head to head",
    .equality = "order, without tolerance",
    .proof = "proofs/encoding/alibi_proof.cpp, formula_holds_for_powers_of_two_alone",
    .catches = "two heads are exchanged",
    .applies = [](const held_slopes& of) { return detail::formula_heads(of.config.heads) > 1; },
    .measure =
        [](const held_slopes& of, const whole_table&) {
          return detail::alibi_law::measure_falling_slopes(of.slopes, of.config);
        }};

}  // namespace slope_laws

}  // namespace ropewalk
