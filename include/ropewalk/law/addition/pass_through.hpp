#pragma once
// Pass-through of sums: channels that nothing is added to are copied bit for bit.

#include <cstddef>
#include <cstdint>

#include "ropewalk/law/addition/sums.hpp"
#include "ropewalk/law/judge/compiled_law.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk {

namespace detail {

template <floating_format Float>
measurement measure_copied(const held_addition& kernel, const law_case& given) {
  measurement m;
  for_each_sum<Float>(kernel, given, kernel.sums(given), [&](const place& where, auto x, auto got, auto) {
    if (where.channel >= kernel.truth().added())
      record(m, judge_equal(x == got), where, [&] { return evidence{dtype_of<Float>, 1, {x}, {x}, {got}}; });
  });
  return m;
}
ROPEWALK_COMPILED_LAW(measure_copied, const held_addition&, const law_case&);

}  // namespace detail

namespace addition_laws {

inline constexpr law<held_addition> pass_through{
    .name = "pass-through",
    .statement = "channels that nothing is added to come out bit for bit",
    .equality = "equal bits",
    .catches = "fault-sinusoidal-rest-zeroed",
    .needs = {.every_bit_pattern = true},
    .applies = [](const held_addition& kernel) { return kernel.truth().added() < kernel.truth().width(); },
    .measure =
        [](const held_addition& kernel, const law_case& given) {
          return with_format(given.dtype,
                             [&]<class Float>() { return detail::measure_copied<Float>(kernel, given); });
        }};

}  // namespace addition_laws

}  // namespace ropewalk
