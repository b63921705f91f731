#pragma once
// What every table of the sinusoidal encoding owes its definition, whoever made it. Laws hold for the
// correctly rounded table; each compares bits, or has the one bound that follows from two roundings.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string_view>
#include <vector>

#include "ropewalk/law/sinusoidal_bound.hpp"
#include "ropewalk/law/sinusoidal_pairs.hpp"
#include "ropewalk/law/sinusoidal_source.hpp"
#include "ropewalk/numeric/ulp.hpp"
#include "ropewalk/table/sinusoidal_rows.hpp"

namespace ropewalk {

namespace detail {

template <floating_format Float>
measurement measure_range(const sinusoidal_source<Float>& source, const sinusoidal& config,
                          std::int64_t length) {
  const held_sinusoids<Float> rows(source, {0, length}, config);
  return judge_each_entry<Float>(rows, [](std::int64_t, int, bits_of<Float> got) {
    const bits_of<Float> sign = static_cast<bits_of<Float>>(got & format<Float>::sign_bit);
    return magnitude<Float>(got) <= one_of<Float> ? got : static_cast<bits_of<Float>>(sign | one_of<Float>);
  });
}

template <floating_format Float>
measurement measure_origin(const sinusoidal_source<Float>& source, const sinusoidal& config, std::int64_t) {
  const held_sinusoids<Float> rows(source, {0, 1}, config);
  return judge_each_entry<Float>(rows, [&](std::int64_t, int channel, bits_of<Float>) {
    return content_of(channel, config).holds == wave::cosine ? one_of<Float> : bits_of<Float>{0};
  });
}

template <floating_format Float>
measurement measure_zeros(const sinusoidal_source<Float>& source, const sinusoidal& config,
                          std::int64_t length) {
  const held_sinusoids<Float> rows(source, {config.padding_idx ? -1 : 0, length}, config);
  return judge_each_entry<Float>(rows, [&](std::int64_t p, int channel, bits_of<Float> got) {
    const bool is_zero_channel = content_of(channel, config).holds == wave::zero;
    return is_zero_channel || is_padding(static_cast<double>(p), config) ? bits_of<Float>{0} : got;
  });
}

/// Rows sorted by their entries; equal ones come together, in the order of their positions.
template <floating_format Float>
measurement measure_distinct(const sinusoidal_source<Float>& source, const sinusoidal& config,
                             std::int64_t length) {
  const held_sinusoids<Float> rows(source, {0, length}, config);
  const std::int64_t distinct = sinusoidal_distinct_length<Float>(config, length);
  const auto order_of = [&](std::int64_t a, std::int64_t b) {
    for (int channel = 0; channel < config.d_model; ++channel) {
      const std::int64_t x = ordinal<Float>(rows.at(a, channel)), y = ordinal<Float>(rows.at(b, channel));
      if (x != y) return x < y ? -1 : 1;
    }
    return 0;
  };
  std::vector<std::int64_t> sorted(static_cast<std::size_t>(length));
  std::iota(sorted.begin(), sorted.end(), 0);
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

template <floating_format Float>
measurement measure_same_row(const sinusoidal_source<Float>& source, const sinusoidal& config,
                             std::int64_t length) {
  const held_sinusoids<Float> whole(source, {0, length}, config);
  measurement m;
  for (const position_range part : {position_range{0, (length + 1) / 2}, position_range{length / 2, length}})
    merge(m, judge_each_entry<Float>(
                 held_sinusoids<Float>(source, part, config),
                 [&](std::int64_t p, int channel, bits_of<Float>) { return whole.at(p, channel); }));
  return m;
}

/// Against this library's rows, and at some positions against the definition itself, which is slower.
template <floating_format Float>
measurement measure_rounded_once(const sinusoidal_source<Float>& source, const sinusoidal& config,
                                 std::int64_t length) {
  constexpr std::int64_t defined_every = 13;
  const held_sinusoids<Float> rows(sinusoidal_encodings<Float>, {0, length}, config);
  return judge_each_entry<Float>(held_sinusoids<Float>(source, {0, length}, config),
                                 [&](std::int64_t p, int channel, bits_of<Float>) -> bits_of<Float> {
                                   if (p % defined_every != 1 || p + row_offset(config) == 0)
                                     return rows.at(p, channel);
                                   return round_with_enough_limbs<Float>("entry", [&]<int N>() {
                                     return sinusoidal_entry<N>(static_cast<double>(p), channel, config);
                                   });
                                 });
}

constexpr bool has_no_padding(const sinusoidal& config) { return !config.padding_idx; }
constexpr bool is_any(const sinusoidal&) { return true; }
constexpr bool has_zeros(const sinusoidal& config) { return config.padding_idx || config.d_model % 2 != 0; }

}  // namespace detail

/// One law of tables in one format; `measure` looks at positions 0 .. length - 1. domain  length >= 1
template <floating_format Float>
struct sinusoidal_law {
  std::string_view name;
  std::string_view statement;
  bool (*applies)(const sinusoidal&);
  measurement (*measure)(const sinusoidal_source<Float>&, const sinusoidal&, std::int64_t length);
};

template <floating_format Float>
inline constexpr std::array sinusoidal_laws{
    sinusoidal_law<Float>{"range", "every value lies in [-1, 1]", detail::is_any,
                          detail::measure_range<Float>},
    sinusoidal_law<Float>{"origin", "at position 0 every sine is 0 and every cosine 1",
                          detail::has_no_padding, detail::measure_origin<Float>},
    sinusoidal_law<Float>{"zeros", "the padding's row and the last channel of an odd width are 0",
                          detail::has_zeros, detail::measure_zeros<Float>},
    sinusoidal_law<Float>{"frequencies",
                          "the sines of position 1 fall with the pair, strictly where it shows",
                          detail::has_no_padding, detail::measure_frequencies<Float>},
    sinusoidal_law<Float>{"shift", "a pair further on is the pair turned by distance x its frequency",
                          detail::is_any, detail::measure_shift<Float>},
    sinusoidal_law<Float>{"distinct", "no two rows are the same that rounding must keep apart",
                          detail::is_any, detail::measure_distinct<Float>},
    sinusoidal_law<Float>{"same-row", "a position has one row, whatever the length of the table",
                          detail::is_any, detail::measure_same_row<Float>},
    sinusoidal_law<Float>{"rounded-once", "every entry is the exact value rounded once", detail::is_any,
                          detail::measure_rounded_once<Float>},
};

}  // namespace ropewalk
