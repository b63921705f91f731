#pragma once
// One row a position.

#include <cstdint>

#include "ropewalk/law/judge/compiled_law.hpp"
#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/sinusoids/sinusoids.hpp"

namespace ropewalk {

namespace detail {

template <floating_format Float>
measurement measure_same_row(const sinusoidal_source& source, const sinusoidal& config, std::int64_t length) {
  const sinusoid_rows<Float> whole(source, {0, length}, config);
  measurement m;
  for (const position_range part : {position_range{0, (length + 1) / 2}, position_range{length / 2, length}})
    merge(m, judge_each_entry<Float>(
                 sinusoid_rows<Float>(source, part, config),
                 [&](std::int64_t p, int channel, bits_of<Float>) { return whole.at(p, channel); }));
  return m;
}
ROPEWALK_COMPILED_LAW(measure_same_row, const sinusoidal_source&, const sinusoidal&, std::int64_t);

}  // namespace detail

namespace sinusoidal_laws {

inline constexpr law<held_sinusoids> same_row{
    .name = "same-row",
    .statement = "a position has one row, whatever the length of the table",
    .measure = [](const held_sinusoids& of, const table_length& given) {
      return with_format(of.dtype, [&]<class Float>() {
        return detail::measure_same_row<Float>(of.rows, of.config, given.length);
      });
    }};

}  // namespace sinusoidal_laws

}  // namespace ropewalk
