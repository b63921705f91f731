// Theorem 14 of rotation_bound.md: the component of the rounding errors along the rotated pair, bounded by
// bisecting the box of all pairs and angles until the bound of every part is at most the constant.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "ropewalk/law/judge/bound.hpp"

namespace ropewalk {
namespace {

struct interval {
  double low = 0, high = 0;
  double width() const { return high - low; }
};

// Far above the differences between rounded and exact products (4u), and the errors of the C library.
constexpr double relative_margin = 0x1p-20, absolute_margin = 0x1p-40;

interval widened(double low, double high) {
  return {std::max(0.0, low * (1 - relative_margin) - absolute_margin),
          high * (1 + relative_margin) + absolute_margin};
}

interval operator*(const interval& a, const interval& b) { return widened(a.low * b.low, a.high * b.high); }

/// |cos| or |sin| over an interval of angles that lies in [0, pi].
template <class Function>
interval over(const interval& angle, double largest_at, Function function) {
  const double a = std::fabs(function(angle.low)), b = std::fabs(function(angle.high));
  const bool has_one = angle.low <= largest_at && largest_at <= angle.high;
  const double half = std::acos(0.0);
  const bool has_zero = largest_at != half && angle.low <= half && half <= angle.high;
  return widened(has_zero ? 0 : std::min(a, b), has_one ? 1 : std::max(a, b));
}

/// The largest power of two not above a number, so that u times it is half an ulp of the number; 0 for 0.
double binade(double value) {
  if (value <= 0) return 0;
  int exponent = 0;
  std::frexp(value, &exponent);
  return std::ldexp(1.0, exponent - 1);
}

/// Largest error of a sum of two products, in units of u: both products and the sum rounded, where the sum is
/// exact if its last place is not above theirs; or one product rounded and the other fused with the sum.
double rounding_error(const interval& first, const interval& second, double largest_sum) {
  const double a = binade(first.high), b = binade(second.high), sum = binade(largest_sum);
  const bool is_exact = sum <= std::min(binade(first.low), binade(second.low));
  return std::max(a + b + (is_exact ? 0 : sum), std::max(a, b) + sum);
}

/// Angle of the entries and of the pair, and |x| and the attention factor, each scaled to [1, 2).
struct box {
  interval entry_angle, pair_angle, norm, factor;
};

/// Upper bound over a box of the norm's increase by rounding errors, in units of u a |x|.
double bound_over(const box& box, bool is_unit) {
  const double half = std::acos(0.0);
  const auto cosine = [](double angle) { return std::cos(angle); };
  const auto sine = [](double angle) { return std::sin(angle); };
  const interval c = box.factor * over(box.entry_angle, 0, cosine),
                 s = box.factor * over(box.entry_angle, half, sine);
  const interval x0 = box.norm * over(box.pair_angle, 0, cosine),
                 x1 = box.norm * over(box.pair_angle, half, sine);
  const interval both{box.entry_angle.low + box.pair_angle.low, box.entry_angle.high + box.pair_angle.high};
  const interval size = box.norm * box.factor;
  const double sum = (size * over(both, half, sine)).high;
  const double difference =
      (size * widened(0, std::max(std::fabs(std::cos(both.low)), std::fabs(std::cos(both.high))))).high;
  const double along =
      difference * rounding_error(x0 * c, x1 * s, difference) + sum * rounding_error(x0 * s, x1 * c, sum);
  const auto entry_error = [&](double entry) {  // half the spacing below 1 for entries that do not exceed it
    return entry * binade(is_unit ? std::min(entry, 1 - 0x1p-30) : entry);
  };
  const double table = entry_error(c.high) + entry_error(s.high);
  return (along / (size.low * size.low) + table / (box.factor.low * box.factor.low)) * (1 + relative_margin);
}

/// Whether the bound is at most `constant` everywhere; counts the parts of the box that this takes.
bool is_everywhere_below(double constant, bool is_unit, std::int64_t& parts) {
  constexpr std::int64_t most_parts = 4'000'000;
  const double quarter = std::acos(0.0);
  std::vector<box> open{{{0, quarter}, {0, quarter}, {1, 2}, {1, is_unit ? 1.0 : 2.0}}};
  for (parts = 0; !open.empty() && parts < most_parts; ++parts) {
    const box part = open.back();
    open.pop_back();
    if (bound_over(part, is_unit) <= constant) continue;
    interval box::*widest = &box::entry_angle;
    for (interval box::*other : {&box::pair_angle, &box::norm, &box::factor})
      if ((part.*other).width() > (part.*widest).width()) widest = other;
    const double middle = ((part.*widest).low + (part.*widest).high) / 2;
    box lower = part, upper = part;
    (lower.*widest).high = (upper.*widest).low = middle;
    open.push_back(lower);
    open.push_back(upper);
  }
  return open.empty();
}

/// The part of bound.hpp's constants that theorem 14 leaves for terms of second order.
constexpr double second_order_room = 1e-4;

/// Whether the constant without that room holds, and the smaller `too_small` fails.
bool check(const char* name, double constant, double too_small, bool is_unit) {
  std::int64_t parts = 0, refused_parts = 0;
  const bool holds = is_everywhere_below(constant - second_order_room, is_unit, parts);
  const bool is_tight = !is_everywhere_below(too_small, is_unit, refused_parts);
  std::printf("%s: %s below %.4f u in %lld parts; %.4f u %s\n", name, holds ? "everywhere" : "NOT everywhere",
              constant - second_order_room, static_cast<long long>(parts), too_small,
              is_tight ? "is refused" : "holds, too");
  return holds && is_tight;
}

}  // namespace
}  // namespace ropewalk

int main() {
  const bool unit = ropewalk::check("attention factor 1", ropewalk::unit_norm_factor, 2.77, true);
  const bool any = ropewalk::check("any attention factor", ropewalk::scaled_norm_factor, 3.09, false);
  return unit && any ? 0 : 1;
}
