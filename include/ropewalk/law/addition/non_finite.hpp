#pragma once
// Non-finite inputs of an addition come out unchanged, every NaN as some NaN, and change no other element.

#include <cstddef>
#include <cstdint>

#include "ropewalk/law/addition/sums.hpp"
#include "ropewalk/law/judge/compiled_law.hpp"
#include "ropewalk/law/kernel/case_parts.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk {

namespace detail {

/// Every element against the same call with finite values in place of the non-finite ones, which must
/// themselves come out unchanged.
template <floating_format Float>
measurement measure_non_finite_sum(const held_addition& kernel, const law_case& given) {
  const rotated finite = kernel.sums(with_finite_values<Float>(given));
  measurement m;
  for_each_sum<Float>(kernel, given, kernel.sums(given), [&](const place& where, auto x, auto got, auto) {
    const std::size_t at = head_start(given, where) + static_cast<std::size_t>(where.channel);
    judge_bits<Float>(m, where, x, is_finite<Float>(x) ? static_cast<bits_of<Float>>(finite.query[at]) : x,
                      got);
  });
  return m;
}
ROPEWALK_COMPILED_LAW(measure_non_finite_sum, const held_addition&, const law_case&);

}  // namespace detail

namespace addition_laws {

inline constexpr law<held_addition> non_finite{
    .name = "non-finite",
    .statement = "a NaN or an infinity stays what it is and changes no other element",
    .equality = "equal bits",
    .catches = "fault-sinusoidal-nan-spreads",
    .needs = {.every_bit_pattern = true},
    .measure = [](const held_addition& kernel, const law_case& given) {
      return with_format(given.dtype,
                         [&]<class Float>() { return detail::measure_non_finite_sum<Float>(kernel, given); });
    }};

}  // namespace addition_laws

}  // namespace ropewalk
