#include "kernel/recipe/nearest_cos_sin.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "kernel/quarter_turn.hpp"
#include "kernel/simd/simd.hpp"
#include "ropewalk/function/constants.hpp"
#include "ropewalk/function/sin_cos.hpp"
#include "ropewalk/numeric/format.hpp"
#include "ropewalk/numeric/round.hpp"
#include "ropewalk/table/turns_table.hpp"

namespace ropewalk::recipe {
namespace {

/// Assumed error bound of the C library's binary64 cos and sin: 4 ulp, relative 2^-50. `narrow` doubles it,
/// which also covers a product with a factor.
constexpr double library_error = 0x1p-50;

struct narrowed {
  float value;
  bool decided;
};

narrowed narrow(double value) {
  const double reach = std::abs(value) * (2 * library_error);
  const auto low = static_cast<float>(value - reach), high = static_cast<float>(value + reach);
  return {high, to_bits(low) == to_bits(high)};
}

template <class Float, class Part>
Float exact(double angle, Part part) {
  return from_bits<Float>(round_with_enough_limbs<Float>(
      "cos or sin", [&]<int N>() { return part(cos_sin_of_radians<N>(enclosure<N>::of(angle))); }));
}

constexpr auto cos_part = [](const auto& point) { return point.cos; };
constexpr auto sin_part = [](const auto& point) { return point.sin; };

template <class Float>
cos_sin_of<Float> no_number() {
  return {std::numeric_limits<Float>::quiet_NaN(), std::numeric_limits<Float>::quiet_NaN()};
}

/// The units of angles from 2^-63 to 2^32; beyond, vectors decide little or are not used.
simd::angle_units made_units() {
  constexpr int first = 64, end = 160, significand_bits = 23;
  simd::angle_units units{};
  for (int field = 0; field < static_cast<int>(simd::angle_units::fields); ++field) {
    const auto at = static_cast<std::size_t>(field);
    units.phase_error[at] = std::numeric_limits<double>::infinity();
    if (field < first || field >= end) continue;
    const int exponent = field - format<float>::bias - significand_bits;
    const auto turns = round_fraction<3>(times_power_of_two(inverse_two_pi<6>(), exponent));
    if (!turns.decided) continue;
    units.low[at] = turns.bits[0];
    units.middle[at] = turns.bits[1];
    units.high[at] = turns.bits[2];
    units.phase_error[at] = quarter_turn::phase_error;
  }
  return units;
}

}  // namespace

void nearest_cos_sin(std::span<const float> angles, float* cos, float* sin) {
  static const simd::angle_units units = made_units();
  constexpr std::size_t at_once = 64;
  static_assert(at_once % simd::row_multiple == 0);
  const simd::target& target = *simd::targets().front();
  for (std::size_t first = 0; first < angles.size(); first += at_once) {
    const std::size_t count = std::min(at_once, angles.size() - first);
    std::array<float, at_once> numbers{}, made_cos, made_sin;
    std::array<std::uint16_t, at_once> open;
    std::copy_n(angles.begin() + static_cast<std::ptrdiff_t>(first), count, numbers.begin());
    const int listed = target.angles(units, numbers.data(), static_cast<int>(count), made_cos.data(),
                                     made_sin.data(), open.data());
    for (int i = 0; i < listed; ++i) {
      const std::size_t at = open[static_cast<std::size_t>(i)];
      const cos_sin_of<float> point = nearest_cos_sin(numbers[at]);
      made_cos[at] = point.cos;
      made_sin[at] = point.sin;
    }
    std::copy_n(made_cos.begin(), count, cos + first);
    std::copy_n(made_sin.begin(), count, sin + first);
  }
}

cos_sin_of<float> nearest_cos_sin(float angle) {
  if (!std::isfinite(angle)) return no_number<float>();
  if (angle == 0) return {1, angle};
  const narrowed cos = narrow(std::cos(double{angle})), sin = narrow(std::sin(double{angle}));
  return {cos.decided ? cos.value : exact<float>(angle, cos_part),
          sin.decided ? sin.value : exact<float>(angle, sin_part)};
}

cos_sin_of<double> nearest_cos_sin(double angle) {
  if (!std::isfinite(angle)) return no_number<double>();
  if (angle == 0) return {1, angle};
  return {exact<double>(angle, cos_part), exact<double>(angle, sin_part)};
}

cos_sin_of<float> nearest_cos_sin_narrowed(double angle, double factor) {
  if (!std::isfinite(angle)) return no_number<float>();
  const narrowed cos = narrow(std::cos(angle) * factor), sin = narrow(std::sin(angle) * factor);
  if (cos.decided && sin.decided) return {cos.value, sin.value};
  const cos_sin_of<double> point = nearest_cos_sin(angle);
  return {static_cast<float>(point.cos * factor), static_cast<float>(point.sin * factor)};
}

}  // namespace ropewalk::recipe
