#include "ropewalk/law/table/sinusoids/same_row.hpp"

#include <cstdint>

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/sinusoids/sinusoids.hpp"

namespace ropewalk {

namespace detail {

template <floating_format Float>
measurement measure_same_row(const sinusoidal_source& source, const sinusoidal& config,
                             position_range positions) {
  const sinusoid_rows<Float> whole(source, positions, config);
  measurement m;
  const std::int64_t begin = positions.begin, half = size(positions) / 2;
  for (const position_range part :
       {position_range{begin, positions.end - half}, position_range{begin + half, positions.end}})
    merge(m, judge_each_entry<Float>(
                 sinusoid_rows<Float>(source, part, config),
                 [&](std::int64_t p, int channel, bits_of<Float>) { return whole.at(p, channel); }));
  return m;
}

}  // namespace detail

measurement sinusoidal_laws::judge_same_row(const checked_sinusoids& of, const position_range& given) {
  return with_format(
      of.dtype, [&]<class Float>() { return detail::measure_same_row<Float>(of.rows, of.config, given); });
}

}  // namespace ropewalk
