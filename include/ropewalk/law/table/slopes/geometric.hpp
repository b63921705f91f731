#pragma once
// Geometric: the slopes of the first P heads are powers of the first, where P is the largest power of two not
// above the number of heads.

#include <cstddef>

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/slopes/slopes.hpp"

namespace ropewalk {

namespace detail::alibi_law {

inline measurement measure_geometric(const slope_source& slopes, const alibi& config) {
  const std::uint64_t one = to_bits(1.0);  // the term before the first slope
  return judge_slopes(slopes, config, 1, formula_heads(config.heads),
                      [&](std::size_t head, const slope_table& table) {
                        return may_be_mean(head == 1 ? one : table[head - 2], table[head - 1], table[head]);
                      });
}

}  // namespace detail::alibi_law

namespace slope_laws {

inline constexpr law<held_slopes> geometric{
    .name = "geometric",
    .statement = "slopes of the first P heads are powers of the first",
    .equality = "some real numbers that round to the entries keep the law: no tolerance",
    .proof = "proofs/encoding/alibi_proof.cpp, formula_holds_for_powers_of_two_alone",
    .catches = "the first slope is four ulps too large",
    .applies = [](const held_slopes& of) { return detail::formula_heads(of.config.heads) > 1; },
    .measure = [](const held_slopes& of,
                  const whole_table&) { return detail::alibi_law::measure_geometric(of.slopes, of.config); }};

}  // namespace slope_laws

}  // namespace ropewalk
