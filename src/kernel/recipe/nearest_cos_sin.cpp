#include "kernel/recipe/nearest_cos_sin.hpp"

#include <cmath>
#include <limits>

#include "ropewalk/function/sin_cos.hpp"
#include "ropewalk/numeric/format.hpp"
#include "ropewalk/numeric/round.hpp"

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

}  // namespace

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
