#pragma once
// Canonical bits of sums: every output has the bits of the canonical addition, add_entry.

#include <cstddef>
#include <cstdint>

#include "ropewalk/law/addition/sums.hpp"
#include "ropewalk/law/judge/compiled_law.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk {

namespace detail {

template <floating_format Float>
measurement measure_canonical_sum(const held_addition& kernel, const law_case& given) {
  measurement m;
  for_each_sum<Float>(kernel, given, kernel.sums(given),
                      [&](const place& where, auto x, auto got, auto entry) {
                        if (where.channel < kernel.truth().added())
                          judge_bits<Float>(m, where, x, add_entry<Float>(x, entry), got);
                      });
  return m;
}
ROPEWALK_COMPILED_LAW(measure_canonical_sum, const held_addition&, const law_case&);

}  // namespace detail

namespace addition_laws {

inline constexpr law<held_addition> canonical{
    .name = "canonical",
    .statement = "every output has the canonical operation's bits",
    .equality = "equal bits",
    .catches = "fault-sinusoidal-row-in-dtype",
    .needs = {.every_bit_pattern = true},
    .applies = [](const held_addition& kernel) { return kernel.promised() == promise::canonical; },
    .measure =
        [](const held_addition& kernel, const law_case& given) {
          return with_format(given.dtype, [&]<class Float>() {
            return detail::measure_canonical_sum<Float>(kernel, given);
          });
        }};

}  // namespace addition_laws

}  // namespace ropewalk
