#include "ropewalk/law/table/sinusoidal_laws.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "ropewalk/encoding/sinusoidal_shift.hpp"
#include "ropewalk/law/judge/bound.hpp"
#include "ropewalk/law/judge/judge_pairs.hpp"
#include "ropewalk/law/law.hpp"
#include "ropewalk/numeric/ulp.hpp"

namespace ropewalk {

namespace detail {

template <floating_format Float>
measurement measure_range(const sinusoidal_source& source, const sinusoidal& config,
                          position_range positions) {
  const sinusoid_rows<Float> rows(source, positions, config);
  return judge_each_entry<Float>(rows, [](std::int64_t, int, bits_of<Float> got) {
    const bits_of<Float> sign = static_cast<bits_of<Float>>(got & format<Float>::sign_bit);
    return magnitude<Float>(got) <= one_of<Float> ? got : static_cast<bits_of<Float>>(sign | one_of<Float>);
  });
}

template <floating_format Float>
measurement measure_origin(const sinusoidal_source& source, const sinusoidal& config, position_range) {
  const sinusoid_rows<Float> rows(source, {0, 1}, config);
  return judge_each_entry<Float>(rows, [&](std::int64_t, int channel, bits_of<Float>) {
    return content_of(channel, config).holds == wave::cosine ? one_of<Float> : bits_of<Float>{0};
  });
}

template <floating_format Float>
measurement measure_zeros(const sinusoidal_source& source, const sinusoidal& config,
                          position_range positions) {
  const auto judged = [&](position_range part) {
    const sinusoid_rows<Float> rows(source, part, config);
    return judge_each_entry<Float>(rows, [&](std::int64_t p, int channel, bits_of<Float> got) {
      const bool is_zero_channel = content_of(channel, config).holds == wave::zero;
      return is_zero_channel || is_padding(static_cast<double>(p), config) ? bits_of<Float>{0} : got;
    });
  };
  measurement measured = judged(positions);
  if (config.padding_idx) merge(measured, judged({-1, 0}));
  return measured;
}

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
  measurement measured;
  enclosure<2> before = enclosure<2>::of(1);
  bits_of<Float> limit = one_of<Float>;
  for (int pair = 0; pair < pair_count(config); ++pair) {
    const enclosure<2> sine = exact_sine(pair);
    const bits_of<Float> got = rows.pair_at(1, pair).first;
    const bool strictly = stays_above<Float>(before, sine);
    record(measured, judge_equal(strictly ? got < limit : got <= limit), place_of(1, pair, -1), [&] {
      return evidence{dtype_of<Float>, 1, {}, {limit}, {got}};
    });
    before = sine;
    limit = got;
  }
  return measured;
}

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
    const int count = order_of(a, b);
    return count != 0 ? count < 0 : a < b;
  });
  measurement measured;
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    const bool too_close = sorted[i] - sorted[i - 1] < distinct && sorted[i] > sorted[i - 1];
    record(measured, judge_equal(!too_close || order_of(sorted[i - 1], sorted[i]) != 0),
           place_of(sorted[i], -1, -1), [] { return evidence{}; });
  }
  return measured;
}

/// Judges all pairs of the row at position + distance against the rotated pairs of the row at position.
template <floating_format Float>
void judge_shift(measurement& measured, const sinusoid_rows<Float>& rows, std::int64_t position,
                 std::int64_t distance, const std::vector<cos_sin<2>>& turns) {
  const sinusoidal& config = rows.config();
  if (is_padding(static_cast<double>(position), config) ||
      is_padding(static_cast<double>(position + distance), config))
    return;
  for (int pair = 0; pair < pair_count(config); ++pair) {
    const bits_pair<Float> x = rows.pair_at(position, pair), got = rows.pair_at(position + distance, pair);
    if (!is_finite<Float>(x)) {
      record(measured, judge_equal(false, sinusoidal_shift_bound<Float>), place_of(position, pair, -1),
             [] { return evidence{}; });
      continue;
    }
    judge_pair<Float>(measured, place_of(position + distance, pair, -1), x, got,
                      {sinusoidal_shift_bound<Float>, 0}, [&]<int N>() -> exact_output<N> {
                        cos_sin<N> turn{};
                        if constexpr (N == 2)
                          turn = turns[static_cast<std::size_t>(pair)];
                        else
                          turn = sinusoidal_shift<N>(config, static_cast<double>(distance)).turn(pair);
                        return {turned(exact<N, Float>(x), backward(turn)), enclosure<N>::of(1)};
                      });
  }
}

template <floating_format Float>
measurement measure_shift(const sinusoidal_source& source, const sinusoidal& config,
                          position_range positions) {
  const sinusoid_rows<Float> rows(source, positions, config);
  measurement measured;
  for (const std::int64_t distance : {std::int64_t{1}, std::int64_t{7}, size(positions) / 2}) {
    std::vector<cos_sin<2>> turns;
    const sinusoidal_shift<2> shift(config, static_cast<double>(distance));
    for (int pair = 0; pair < pair_count(config); ++pair) turns.push_back(shift.turn(pair));
    for (std::int64_t p = positions.begin; p + distance < positions.end; ++p)
      judge_shift(measured, rows, p, distance, turns);
  }
  return measured;
}

template <floating_format Float>
measurement measure_same_row(const sinusoidal_source& source, const sinusoidal& config,
                             position_range positions) {
  const sinusoid_rows<Float> whole(source, positions, config);
  measurement measured;
  const std::int64_t begin = positions.begin, half = size(positions) / 2;
  for (const position_range part :
       {position_range{begin, positions.end - half}, position_range{begin + half, positions.end}})
    merge(measured, judge_each_entry<Float>(
                        sinusoid_rows<Float>(source, part, config),
                        [&](std::int64_t p, int channel, bits_of<Float>) { return whole.at(p, channel); }));
  return measured;
}

/// Every entry against the definition; in row 0, against the exact 0 and 1. The frequencies of a table are
/// enclosed once, with enough limbs to decide all but rare entries.
template <floating_format Float>
measurement measure_rounded_once(const sinusoidal_source& source, const sinusoidal& config,
                                 position_range positions) {
  constexpr int limb_count = 4;
  const sinusoid_rows<Float> rows(source, positions, config);
  const auto shared = share<limb_count>(config);
  std::vector<enclosure<limb_count>> turns;
  for (int pair = 0; pair < pair_count(config); ++pair)
    turns.push_back(sinusoidal_turns<limb_count>(pair, config, shared));
  return judge_each_entry<Float>(rows, [&](std::int64_t p, int channel, bits_of<Float>) -> bits_of<Float> {
    const auto [pair, holds] = content_of(channel, config);
    const auto position = static_cast<double>(p);
    if (holds == wave::zero || is_padding(position, config)) return 0;
    if (p + row_offset(config) == 0) return holds == wave::cosine ? one_of<Float> : bits_of<Float>{0};
    const auto point = cos_sin_of_turns(turns[static_cast<std::size_t>(pair)] *
                                        sinusoidal_row<limb_count>(position, config));
    const rounding<Float> quick = round<Float>(holds == wave::sine ? point.sin : point.cos);
    if (quick.decided) return quick.bits;
    return round_with_enough_limbs<Float>(
        "entry", [&]<int N>() { return sinusoidal_entry<N>(position, channel, config); });
  });
}

}  // namespace detail

measurement sinusoidal_laws::judge_range(const checked_sinusoids& sinusoids,
                                         const position_range& positions) {
  return with_format(sinusoids.dtype, [&]<class Float>() {
    return detail::measure_range<Float>(sinusoids.rows, sinusoids.config, positions);
  });
}

measurement sinusoidal_laws::judge_origin(const checked_sinusoids& sinusoids,
                                          const position_range& positions) {
  return with_format(sinusoids.dtype, [&]<class Float>() {
    return detail::measure_origin<Float>(sinusoids.rows, sinusoids.config, positions);
  });
}

measurement sinusoidal_laws::judge_zeros(const checked_sinusoids& sinusoids,
                                         const position_range& positions) {
  return with_format(sinusoids.dtype, [&]<class Float>() {
    return detail::measure_zeros<Float>(sinusoids.rows, sinusoids.config, positions);
  });
}

measurement sinusoidal_laws::judge_frequencies(const checked_sinusoids& sinusoids,
                                               const position_range& positions) {
  return with_format(sinusoids.dtype, [&]<class Float>() {
    return detail::measure_frequencies<Float>(sinusoids.rows, sinusoids.config, positions);
  });
}

measurement sinusoidal_laws::judge_distinct(const checked_sinusoids& sinusoids,
                                            const position_range& positions) {
  return with_format(sinusoids.dtype, [&]<class Float>() {
    return detail::measure_distinct<Float>(sinusoids.rows, sinusoids.config, positions);
  });
}

measurement sinusoidal_laws::judge_shift(const checked_sinusoids& sinusoids,
                                         const position_range& positions) {
  return with_format(sinusoids.dtype, [&]<class Float>() {
    return detail::measure_shift<Float>(sinusoids.rows, sinusoids.config, positions);
  });
}

measurement sinusoidal_laws::judge_same_row(const checked_sinusoids& sinusoids,
                                            const position_range& positions) {
  return with_format(sinusoids.dtype, [&]<class Float>() {
    return detail::measure_same_row<Float>(sinusoids.rows, sinusoids.config, positions);
  });
}

measurement sinusoidal_laws::judge_rounded_once(const checked_sinusoids& sinusoids,
                                                const position_range& positions) {
  return with_format(sinusoids.dtype, [&]<class Float>() {
    return detail::measure_rounded_once<Float>(sinusoids.rows, sinusoids.config, positions);
  });
}

}  // namespace ropewalk
