#pragma once
// Computes single entries by exact arithmetic.

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "ropewalk/numeric/format.hpp"
#include "ropewalk/numeric/round.hpp"
#include "ropewalk/table/rope_rows.hpp"
#include "sweep/tally.hpp"

namespace ropewalk::sweep {

using exact_real = enclosure<rope_rows::limb_count>;

/// Converts a number of any format to binary64, without error.
template <floating_format Float>
double to_double(bits_of<Float> bits) {
  if constexpr (std::is_same_v<Float, double> || std::is_same_v<Float, float>) {
    return static_cast<double>(from_bits<Float>(bits));
  } else if constexpr (std::is_same_v<Float, bfloat16>) {
    return static_cast<double>(from_bits<float>(std::uint32_t{bits} << 16));
  } else {
    if (is_nan<Float>(bits)) return std::numeric_limits<double>::quiet_NaN();
    const double sign = is_negative<Float>(bits) ? -1 : 1;
    if (magnitude<Float>(bits) == format<Float>::infinity)
      return sign * std::numeric_limits<double>::infinity();
    // The exponent, read with binary32's bias, is too small by the difference of the biases.
    constexpr int cut = format<float>::precision - format<Float>::precision;
    const float moved = from_bits<float>(std::uint32_t{magnitude<Float>(bits)} << cut);
    return sign * static_cast<double>(moved) * std::ldexp(1.0, format<float>::bias - format<Float>::bias);
  }
}

/// A number inside an enclosure, to binary64's precision.
inline double to_double(const exact_real& x) {
  constexpr int top = rope_rows::limb_count - 1;
  const double size = std::ldexp(static_cast<double>(x.midpoint.significand.word[top]),
                                 x.midpoint.exponent + limb_bits * top);
  return x.midpoint.negative ? -size : size;
}

inline exact_real exact_value(const rope_rows& rows, const entry_place& at) {
  const auto point = rows.exact<rope_rows::limb_count>(at.pair, at.position, false);
  return at.is_sin ? point.sin : point.cos;
}

template <floating_format Float>
struct exact_entry {
  bits_of<Float> bits{};
  double distance = 0.5;  // from the nearest tie, in ulps
  bool decided = false;
};

/// The correctly rounded entry; not decided if Ziv's loop reaches its cap.
template <floating_format Float>
exact_entry<Float> exact_entry_of(const rope_rows& rows, const entry_place& at) {
  exact_entry<Float> result;
  try {
    const cos_sin_bits<Float> both = rows.entry<Float>(at.pair, at.position, false);
    result.bits = at.is_sin ? both.sin : both.cos;
    result.decided = true;
  } catch (const undecided&) {
    return result;
  }
  const exact_real x = exact_value(rows, at);
  if (is_zero(x.midpoint)) return result;
  const int ulp_exponent = std::max(top_exponent(x.midpoint) - 1, format<Float>::smallest_exponent) -
                           (format<Float>::precision - 1);
  const exact_real off = absolute(x - exact_real::of(to_double<Float>(result.bits)));
  result.distance = std::abs(to_double(times_power_of_two(off, -ulp_exponent) - exact_real::of(0.5)));
  return result;
}

/// Distance of a number, given as bits of a format, from the exact value; infinite for a NaN or an infinity.
template <floating_format Float>
double exact_error(const rope_rows& rows, const entry_place& at, bits_of<Float> bits) {
  const double value = to_double<Float>(bits);
  if (!std::isfinite(value)) return std::numeric_limits<double>::infinity();
  return std::abs(to_double(exact_value(rows, at) - exact_real::of(value)));
}

}  // namespace ropewalk::sweep
