#include "ropewalk/law/table/sinusoids/distinct.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/sinusoids/bound.hpp"
#include "ropewalk/law/table/sinusoids/sinusoids.hpp"
#include "ropewalk/numeric/ulp.hpp"

namespace ropewalk {

namespace detail {

/// Sorts the rows by their entries, then by position, so that equal rows are neighbours.
template <floating_format Float>
measurement measure_distinct(const sinusoidal_source& source, const sinusoidal& config,
                             position_range positions) {
  const sinusoid_rows<Float> rows(source, positions, config);
  const std::int64_t distinct = sinusoidal_distinct_length<Float>(config, size(positions));
  const auto order_of = [&](std::int64_t a, std::int64_t b) {
    for (int channel = 0; channel < config.d_model; ++channel) {
      const std::int64_t x = ordinal<Float>(rows.at(a, channel)), y = ordinal<Float>(rows.at(b, channel));
      if (x != y) return x < y ? -1 : 1;
    }
    return 0;
  };
  std::vector<std::int64_t> sorted(static_cast<std::size_t>(size(positions)));
  std::iota(sorted.begin(), sorted.end(), positions.begin);
  std::sort(sorted.begin(), sorted.end(), [&](std::int64_t a, std::int64_t b) {
    const int found = order_of(a, b);
    return found != 0 ? found < 0 : a < b;
  });
  measurement m;
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    const bool too_close = sorted[i] - sorted[i - 1] < distinct && sorted[i] > sorted[i - 1];
    record(m, judge_equal(!too_close || order_of(sorted[i - 1], sorted[i]) != 0), place_of(sorted[i], -1, -1),
           [] { return evidence{}; });
  }
  return m;
}

}  // namespace detail

measurement sinusoidal_laws::judge_distinct(const checked_sinusoids& of, const position_range& given) {
  return with_format(
      of.dtype, [&]<class Float>() { return detail::measure_distinct<Float>(of.rows, of.config, given); });
}

}  // namespace ropewalk
