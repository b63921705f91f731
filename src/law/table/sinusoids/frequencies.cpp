#include "ropewalk/law/table/sinusoids/frequencies.hpp"

#include <cstdint>

#include "ropewalk/law/judge/bound.hpp"
#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/sinusoids/sinusoids.hpp"

namespace ropewalk {

namespace detail {

/// Whether correct rounding keeps x above y: they are farther apart than two roundings can close.
template <floating_format Float>
bool stays_above(const enclosure<2>& x, const enclosure<2>& y) {
  const enclosure<2> two_roundings =
      times_power_of_two(x, 1 - format<Float>::precision) + enclosure<2>::of(smallest_subnormal<Float>);
  return compare(x - y, two_roundings) == order::greater;
}

/// At position 1 a pair's sine is the sine of its frequency, which lies in (0, 1], since the scale is at most
/// 1, and falls with the pair.
template <floating_format Float>
measurement measure_frequencies(const sinusoidal_source& source, const sinusoidal& config, position_range) {
  const sinusoid_rows<Float> rows(source, {1, 2}, config);
  const auto shared = share<2>(config);
  const auto exact_sine = [&](int pair) {
    return cos_sin_of_turns(sinusoidal_turns<2>(pair, config, shared)).sin;
  };
  measurement m;
  enclosure<2> before = enclosure<2>::of(1);
  bits_of<Float> limit = one_of<Float>;
  for (int pair = 0; pair < pair_count(config); ++pair) {
    const enclosure<2> sine = exact_sine(pair);
    const bits_of<Float> got = rows.pair_at(1, pair).first;
    const bool strictly = stays_above<Float>(before, sine);
    record(m, judge_equal(strictly ? got < limit : got <= limit), place_of(1, pair, -1), [&] {
      return evidence{dtype_of<Float>, 1, {}, {limit}, {got}};
    });
    before = sine;
    limit = got;
  }
  return m;
}

}  // namespace detail

measurement sinusoidal_laws::judge_frequencies(const checked_sinusoids& of, const position_range& given) {
  return with_format(
      of.dtype, [&]<class Float>() { return detail::measure_frequencies<Float>(of.rows, of.config, given); });
}

}  // namespace ropewalk
