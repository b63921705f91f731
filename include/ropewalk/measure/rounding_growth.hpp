#pragma once
// Measures how the rounding error of each encoding grows with the position, though every entry is correctly
// rounded. The error stays constant if entries stay within [-1, 1], and grows if the entries grow.

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "ropewalk/measure/beyond_training.hpp"
#include "ropewalk/numeric/format.hpp"
#include "ropewalk/table/rope_rows.hpp"

namespace ropewalk {

/// Largest |nearest number of a format - exact entry| over the last positions below each length; NaN if the
/// encoding does not serve them.
struct rounding_growth {
  std::string_view encoding;
  std::string_view quantity;
  double binary32_at_trained = 0;
  double binary32_at_target = 0;
  double bfloat16_at_trained = 0;
  double bfloat16_at_target = 0;
};

namespace detail {

using growth_number = enclosure<rope_rows::limb_count>;
using growth_entries = std::vector<growth_number>;

template <floating_format Float>
double rounding_error(const growth_number& exact) {
  const bits_of<Float> nearest = round<Float>(exact).bits;
  if (!is_finite<Float>(nearest)) return std::numeric_limits<double>::infinity();
  const growth_number number{exact_dyadic_of_bits<rope_rows::limb_count, Float>(nearest), {}};
  return from_bits<double>(round<double>(absolute(number - exact).midpoint));
}

struct largest_errors {
  double binary32 = 0;
  double bfloat16 = 0;
};

/// Largest rounding errors over the last `window` positions below a length; entries(position) gives exact
/// entries.
template <class Entries>
largest_errors largest_rounding_errors(std::int64_t length, std::int64_t window, const Entries& entries) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  largest_errors errors;
  try {
    for (std::int64_t position = std::max<std::int64_t>(0, length - window); position < length; ++position)
      for (const growth_number& exact : entries(position)) {
        errors.binary32 = std::max(errors.binary32, rounding_error<float>(exact));
        errors.bfloat16 = std::max(errors.bfloat16, rounding_error<bfloat16>(exact));
      }
  } catch (const std::invalid_argument&) {
    return {none, none};
  }
  return errors;
}

/// Growth of one encoding; make(length) gives the function `entries` for sequences of that length.
template <class Make>
rounding_growth growth_of(std::string_view encoding, std::string_view quantity, const length_pair& lengths,
                          std::int64_t window, const Make& make) {
  const largest_errors near = largest_rounding_errors(lengths.trained, window, make(lengths.trained));
  const largest_errors far = largest_rounding_errors(lengths.target, window, make(lengths.target));
  return {encoding, quantity, near.binary32, far.binary32, near.bfloat16, far.bfloat16};
}

/// Cosines and sines of one position, pair after pair, from turns per position.
template <std::same_as<std::vector<growth_number>> Turns = std::vector<growth_number>>
growth_entries waves_of(const Turns& turns, std::int64_t position) {
  growth_entries entries;
  for (const growth_number& per_position : turns) {
    const auto point = cos_sin_of_turns(per_position * growth_number::of(position));
    entries.push_back(point.cos);
    entries.push_back(point.sin);
  }
  return entries;
}

template <std::same_as<sinusoidal> Config = sinusoidal>
std::vector<growth_number> turns_of(const Config& config) {
  const auto shared = share<rope_rows::limb_count>(config);
  std::vector<growth_number> numbers;
  for (int pair = 0; pair < pair_count(config); ++pair)
    numbers.push_back(sinusoidal_turns<rope_rows::limb_count>(pair, config, shared));
  return numbers;
}

template <std::same_as<rope> Config = rope>
void measure_growing(std::vector<rounding_growth>& growths, const Config& config, const length_pair& lengths,
                     std::int64_t window) {
  constexpr int N = rope_rows::limb_count;
  growths.push_back(growth_of(
      "xpos", "cosines and sines of keys, scale included", lengths, window, [&](std::int64_t length) {
        const xpos scaled{.base = config.base, .rotary_dim = config.rotary_dim, .length = length};
        return [scaled](std::int64_t position) {
          growth_entries entries;
          for (int pair = 0; pair < scaled.rotary_dim / 2; ++pair) {
            const auto block = xpos_block<N>(pair, position, xpos_side::key, scaled);
            entries.push_back(block.cos);
            entries.push_back(block.sin);
          }
          return entries;
        };
      }));
  growths.push_back(growth_of("alibi", "biases of 8 heads", lengths, window, [](std::int64_t) {
    return [](std::int64_t distance) {
      growth_entries entries;
      for (int head = 0; head < 8; ++head)
        entries.push_back(alibi_bias<N>(head, distance, alibi{.heads = 8}));
      return entries;
    };
  }));
  growths.push_back(growth_of("integer", "values", lengths, window, [](std::int64_t) {
    return [](std::int64_t position) { return growth_entries{index_code_entry<N>(position, 0, {})}; };
  }));
  growths.push_back(growth_of("normalised", "values", lengths, window, [](std::int64_t length) {
    const index_code code{.kind = index_code_kind::normalised, .length = length};
    return [code](std::int64_t position) { return growth_entries{index_code_entry<N>(position, 0, code)}; };
  }));
}

}  // namespace detail

/// Measures the encodings whose entries are computed from positions. Learned rows, T5's biases and binary
/// codes are looked up, and so never rounded.
///
/// domain  window >= 1: number of positions below each length
/// error   the binary64 nearest to an error that is known to 2^-300 of the entry
/// throws  std::invalid_argument naming the field and its value
template <std::same_as<rope> Config = rope>
std::vector<rounding_growth> measure_rounding_growth(const Config& config, const length_pair& lengths,
                                                     std::int64_t window) {
  validate(config);
  validate(lengths);
  require(window >= 1, "window", static_cast<double>(window), "1 or above");
  std::vector<rounding_growth> growths;
  const rope_rows rows(config);
  std::vector<detail::growth_number> turns;
  for (int pair = 0; pair < rows.pairs(); ++pair) turns.push_back(rows.turns(pair));
  const auto waves = [&](const std::vector<detail::growth_number>& numbers) {
    return [&numbers](std::int64_t) {
      return [&numbers](std::int64_t position) { return detail::waves_of(numbers, position); };
    };
  };
  growths.push_back(detail::growth_of("rope", "cosines and sines", lengths, window, waves(turns)));
  const auto sinusoidal_turns = detail::turns_of({.d_model = config.rotary_dim});
  growths.push_back(detail::growth_of("sinusoidal", "cosines and sines, of Transformer-XL's distances too",
                                      lengths, window, waves(sinusoidal_turns)));
  detail::measure_growing(growths, config, lengths, window);
  return growths;
}

}  // namespace ropewalk
