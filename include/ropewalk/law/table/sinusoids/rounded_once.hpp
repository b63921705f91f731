#pragma once
// Entries rounded once.

#include <cstdint>

#include "ropewalk/law/judge/compiled_law.hpp"
#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/sinusoids/sinusoids.hpp"

namespace ropewalk {

namespace detail {

/// Every entry against the definition, at row 0, where sines are exactly 0, against what it is there.
template <floating_format Float>
measurement measure_rounded_once(const sinusoidal_source& source, const sinusoidal& config,
                                 position_range positions) {
  const sinusoid_rows<Float> rows(source, positions, config);
  return judge_each_entry<Float>(rows, [&](std::int64_t p, int channel, bits_of<Float>) -> bits_of<Float> {
    const wave holds = content_of(channel, config).holds;
    if (holds == wave::zero || is_padding(static_cast<double>(p), config)) return 0;
    if (p + row_offset(config) == 0) return holds == wave::cosine ? one_of<Float> : bits_of<Float>{0};
    return round_with_enough_limbs<Float>(
        "entry", [&]<int N>() { return sinusoidal_entry<N>(static_cast<double>(p), channel, config); });
  });
}
ROPEWALK_COMPILED_LAW(measure_rounded_once, const sinusoidal_source&, const sinusoidal&, position_range);

}  // namespace detail

namespace sinusoidal_laws {

inline constexpr law<held_sinusoids> rounded_once{
    .name = "rounded-once",
    .statement = "every entry is the exact value rounded once",
    .measure = [](const held_sinusoids& of, const position_range& given) {
      return with_format(of.dtype, [&]<class Float>() {
        return detail::measure_rounded_once<Float>(of.rows, of.config, given);
      });
    }};

}  // namespace sinusoidal_laws

}  // namespace ropewalk
