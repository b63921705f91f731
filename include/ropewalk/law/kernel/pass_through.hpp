#pragma once
// Pass-through: channels beyond rotary_dim come out bit for bit, signalling NaNs included.

#include <cstddef>
#include <cstdint>

#include "ropewalk/law/judge/compiled_law.hpp"
#include "ropewalk/law/judge/measurement.hpp"
#include "ropewalk/law/kernel/held_rotation.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk {

/// Every channel from rotary_dim on: equal bits, those of a NaN included.
///
/// domain  every bit pattern; head_dim may be above the layout's, so that there are channels to pass through
template <floating_format Float>
measurement measure_pass_through(const held_rotation& kernel, const law_case& given) {
  const rotated done = kernel.turned(given);
  measurement m;
  for_each_head(given, [&](place where) {
    const std::size_t start = head_start(given, where);
    for (where.channel = kernel.encoding().rotary_dim; where.channel < given.head_dim; ++where.channel) {
      const std::size_t index = start + static_cast<std::size_t>(where.channel);
      const std::uint64_t x = elements_of(given, where.tensor)[index],
                          y = elements_of(done, where.tensor)[index];
      record(m, judge_equal(x == y), where, [&] { return evidence{dtype_of<Float>, 1, {x}, {x}, {y}}; });
    }
  });
  return m;
}
ROPEWALK_COMPILED_LAW(measure_pass_through, const held_rotation&, const law_case&);

namespace rotation_laws {

inline constexpr law<held_rotation> pass_through{
    .name = "pass-through",
    .statement = "channels from rotary_dim on come out bit for bit",
    .equality = "equal bits",
    .catches = "fault-pass-through-zeroed",
    .needs = {.every_bit_pattern = true, .pass_through_channels = true},
    .beyond_limits = [](const held_rotation& kernel) -> std::string_view {
      const bool has_own = kernel.layout().head_dim > kernel.encoding().rotary_dim;
      if (has_own) return "";
      if (kernel.served().lacks(ROPEWALK_NO_PARTIAL)) return "channels that pass through are not served";
      return kernel.wider_head_dims().empty() ? "no wider head_dim is served" : "";
    },
    .measure =
        [](const held_rotation& kernel, const law_case& given) {
          return with_format(given.dtype,
                             [&]<class Float>() { return measure_pass_through<Float>(kernel, given); });
        }};

}  // namespace rotation_laws

}  // namespace ropewalk
