#pragma once
// Origin: at position 0 every sine is 0 and every cosine 1.

#include <cstdint>

#include "ropewalk/law/judge/compiled_law.hpp"
#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/sinusoids/sinusoids.hpp"

namespace ropewalk {

namespace detail {

template <floating_format Float>
measurement measure_origin(const sinusoidal_source& source, const sinusoidal& config, position_range) {
  const sinusoid_rows<Float> rows(source, {0, 1}, config);
  return judge_each_entry<Float>(rows, [&](std::int64_t, int channel, bits_of<Float>) {
    return content_of(channel, config).holds == wave::cosine ? one_of<Float> : bits_of<Float>{0};
  });
}
ROPEWALK_COMPILED_LAW(measure_origin, const sinusoidal_source&, const sinusoidal&, position_range);

}  // namespace detail

namespace sinusoidal_laws {

inline constexpr law<held_sinusoids> origin{
    .name = "origin",
    .statement = "at position 0 every sine is 0 and every cosine 1",
    .equality = "equal values",
    .catches = "positions are counted from one",
    .applies = [](const held_sinusoids& of) { return !of.config.padding_idx; },
    .measure =
        [](const held_sinusoids& of, const position_range& given) {
          return with_format(of.dtype, [&]<class Float>() {
            return detail::measure_origin<Float>(of.rows, of.config, given);
          });
        }};

}  // namespace sinusoidal_laws

}  // namespace ropewalk
