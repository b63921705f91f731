#pragma once
// Interlaced: slope P + k is the geometric mean of slopes k - 1 and k, where P is the largest power of two
// not above the number of heads.

#include <cstddef>

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/slopes/slopes.hpp"

namespace ropewalk {

namespace detail::alibi_law {

inline measurement measure_interlaced(const slope_source& slopes, const alibi& config) {
  const int power = formula_heads(config.heads);
  return judge_slopes(slopes, config, power, config.heads, [&](std::size_t head, const slope_table& table) {
    const std::size_t k = head - static_cast<std::size_t>(power);
    return may_be_mean(k == 0 ? to_bits(1.0) : table[k - 1], table[head], table[k]);
  });
}

}  // namespace detail::alibi_law

namespace slope_laws {

inline constexpr law<held_slopes> interlaced{
    .name = "interlaced",
    .statement = "slope P + k is the geometric mean of slopes k - 1 and k",
    .equality = "some real numbers that round to the entries keep the law: no tolerance",
    .proof = "proofs/encoding/alibi_proof.cpp, further_heads_lie_in_the_middle_between_two",
    .catches = "the heads beyond a power of two are in another order",
    .applies = [](const held_slopes& of) { return of.config.heads > detail::formula_heads(of.config.heads); },
    .measure =
        [](const held_slopes& of, const whole_table&) {
          return detail::alibi_law::measure_interlaced(of.slopes, of.config);
        }};

}  // namespace slope_laws

}  // namespace ropewalk
