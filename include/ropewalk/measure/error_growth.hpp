#pragma once
// Measures how the error of cosines grows with the position if the angle is formed in binary32, as in most
// engines. The error of a correctly rounded table does not grow.

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <vector>

#include "ropewalk/config/position_range.hpp"
#include "ropewalk/numeric/float_arithmetic.hpp"
#include "ropewalk/numeric/upper_binary64.hpp"
#include "ropewalk/table/rope_rows.hpp"

namespace ropewalk {

/// Largest errors of binary32 cosines over some positions and every pair, rounded up.
struct cosine_error {
  double table = 0;      // of the binary32 number nearest to the exact cosine
  double angle_f32 = 0;  // of the exact cosine of RN(RN(position) RN(inv_freq)), each in binary32
};

namespace detail {

inline constexpr int error_limbs = rope_rows::limb_count;

template <floating_format Float>
enclosure<error_limbs> number_of_bits(bits_of<Float> bits) {
  return {exact_dyadic_of_bits<error_limbs, Float>(bits), {}};
}

bits_of<float> nearest_binary32(std::same_as<std::int64_t> auto value) {
  return round<float>(enclosure<error_limbs>::of(value)).bits;
}

}  // namespace detail

/// Largest errors over the last `window` positions below `length`, without the attention factor.
///
/// domain  1 <= length <= 2^31, window >= 1
/// error   upper bounds, above the largest error found by at most a few parts in 2^31
/// throws  std::invalid_argument naming the field and its value
template <std::same_as<rope> Config = rope>
cosine_error largest_cosine_error(const Config& config, std::int64_t length, std::int64_t window) {
  require(length >= 1 && length <= largest_position + 1, "length", static_cast<double>(length),
          "a whole number from 1 to 2147483648");
  require(window >= 1, "window", static_cast<double>(window), "1 or above");
  constexpr int N = detail::error_limbs;
  const rope_rows rows(config);
  const std::vector<std::uint32_t> inv_freq = inv_freqs<float>(config);
  cosine_error error;
  for (std::int64_t position = std::max<std::int64_t>(0, length - window); position < length; ++position)
    for (int pair = 0; pair < rows.pairs(); ++pair) {
      const enclosure<N> exact = rows.exact<N>(pair, position, true).cos;
      const auto entry = rows.entry<float>(pair, position, true);
      const bits_of<float> angle =
          multiply<float>(detail::nearest_binary32(position), inv_freq[static_cast<std::size_t>(pair)]);
      const enclosure<N> by_angle = cos_sin_of_radians(detail::number_of_bits<float>(angle)).cos;
      error.table = std::max(error.table, upper_binary64(detail::number_of_bits<float>(entry.cos) - exact));
      error.angle_f32 = std::max(error.angle_f32, upper_binary64(by_angle - exact));
    }
  return error;
}

}  // namespace ropewalk
