#include "plot/ticks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace ropewalk::plot {
namespace {

constexpr double margin = 0.05;  // of a range, on each side of data

bool is_log(scale of) { return of != scale::linear; }

/// A value on a scale on which distances are those of the drawing.
double on(scale of, double value) { return is_log(of) ? std::log10(value) : value; }
double from(scale of, double place) { return is_log(of) ? std::pow(10, place) : place; }

/// The extremes of numbers that have a place on an axis.
struct extremes {
  plot::scale scale = scale::linear;
  double least = std::numeric_limits<double>::infinity();
  double most = -std::numeric_limits<double>::infinity();

  void add(double value) {
    if (!has_place(value, scale)) return;
    least = std::min(least, value);
    most = std::max(most, value);
  }
  void add(const std::vector<double>& values) {
    for (const double value : values) add(value);
  }
};

constexpr double largest = std::numeric_limits<double>::max();

double least_of(scale of) { return is_log(of) ? std::numeric_limits<double>::min() : -largest; }

/// The range itself, or a decade from its least, or down from it where there is none above.
range with_width_on_log(const range& of) {
  if (of.least != of.most) return of;
  return of.least < largest / 10 ? range{of.least, of.least * 10} : range{of.least / 10, of.least};
}

range range_of(const axis& of, const extremes& data, double margin_share) {
  range r{data.least, data.most};
  if (r.least > r.most) r = is_log(of.scale) ? range{1, 10} : range{0, 1};
  const range held = r;
  const double a = on(of.scale, r.least), b = on(of.scale, r.most);
  const double half = b > a ? (b - a) * margin_share : 0.5;
  r = {from(of.scale, a - half), from(of.scale, b + half)};
  if (b > a && margin_share == 0) r = held;
  if (of.least) r.least = of.least.value;
  if (of.most) r.most = of.most.value;
  r.least = std::clamp(r.least, least_of(of.scale), largest);
  r.most = std::clamp(r.most, least_of(of.scale), largest);
  return is_log(of.scale) ? with_width_on_log(r) : with_width(r);
}

bool is_point_mark(mark of) { return of == mark::points || of == mark::bars || of == mark::impulses; }

std::string superscript(int number) {
  static constexpr const char* digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string r = number < 0 ? "⁻" : "";
  for (const char digit : std::to_string(std::abs(number))) r += digits[digit - '0'];
  return r;
}

/// The smallest of 1, 2, 5, 10, ... times a power of ten that is not below `step`.
double round_step(double step) {
  const double power = std::pow(10, std::floor(std::log10(step)));
  for (const double digit : {1.0, 2.0, 5.0})
    if (digit * power >= step * (1 - 1e-9)) return digit * power;
  return 10 * power;
}

std::vector<tick> linear_ticks(const range& within, int most) {
  std::vector<tick> r;
  const double low = std::min(within.least, within.most), high = std::max(within.least, within.most);
  const double step = round_step((high - low) / std::max(1, most));
  const double slack = step * 1e-6;
  const double end = std::min(high + slack, largest);  // infinity would have no end
  for (double k = std::ceil((low - slack) / step); k * step <= end; ++k)
    r.push_back({k * step + 0.0, label_of(k * step + 0.0)});  // + 0.0: no -0
  return r;
}

/// 1, 2 and 5 times powers of ten: for a range of few decades.
std::vector<tick> digit_ticks(const range& within) {
  std::vector<tick> r;
  for (int k = static_cast<int>(std::floor(std::log10(within.least))); std::pow(10, k) <= within.most; ++k)
    for (const double digit : {1.0, 2.0, 5.0})
      if (const double at = digit * std::pow(10, k); at >= within.least && at <= within.most)
        r.push_back({at, label_of(at)});
  return r;
}

std::vector<tick> power_ticks(const range& within, int most, int base) {
  const double low = std::log(within.least) / std::log(base), high = std::log(within.most) / std::log(base);
  const int first = static_cast<int>(std::ceil(low - 1e-9)), last = static_cast<int>(std::floor(high + 1e-9));
  const int step = std::max(1, (last - first + most) / std::max(1, most));
  std::vector<tick> r;
  for (int k = first; k <= last; ++k) {
    if (k % step != 0) continue;
    const double at = std::pow(base, k);
    const bool is_plain = base == 10 ? k >= -3 && k <= 5 : k >= -3 && k <= 13;
    r.push_back({at, is_plain ? label_of(at) : std::to_string(base) + superscript(k)});
  }
  if (r.size() >= 3 || base != 10) return r;
  std::vector<tick> finer = digit_ticks(within);
  return finer.size() >= 2 ? finer : linear_ticks(within, most);
}

}  // namespace

range with_width(const range& of) {
  constexpr double narrowest = 1e-12;  // beside its numbers: ticks of a narrower one are equal as text
  const double size = std::max(std::abs(of.least), std::abs(of.most));
  if (of.least != of.most && std::abs(of.most / 2 - of.least / 2) >= narrowest / 2 * size) return of;
  const double width = std::max(1.0, size * narrowest);
  return of.least < largest - width ? range{of.least, of.least + width} : range{of.least - width, of.least};
}

bool has_place(double value, scale of) { return std::isfinite(value) && (!is_log(of) || value > 0); }

range x_range(const panel& of) {
  if (of.cells)
    return {of.x.least.value_or(-0.5), of.x.most.value_or(static_cast<double>(of.cells->columns) - 0.5)};
  extremes data{of.x.scale};
  bool has_points = false;
  for (const series& one : of.series) {
    data.add(one.x);
    has_points = has_points || is_point_mark(one.mark);
  }
  return range_of(of.x, data, has_points || of.is_square ? margin : 0);
}

range y_range(const panel& of) {
  if (of.cells)
    return {of.y.least.value_or(-0.5), of.y.most.value_or(static_cast<double>(of.cells->rows) - 0.5)};
  extremes data{of.y.scale};
  for (const series& one : of.series) {
    data.add(one.y);
    data.add(one.upper);
    if (one.mark == mark::bars || one.mark == mark::impulses) data.add(0);
  }
  return range_of(of.y, data, margin);
}

double share_at(double value, const range& within, scale of) {
  const double a = on(of, within.least), b = on(of, within.most);
  return (on(of, value) - a) / (b - a);
}

double value_at(double share, const range& within, scale of) {
  const double a = on(of, within.least), b = on(of, within.most);
  return from(of, a + share * (b - a));
}

std::vector<tick> ticks_of(const axis& of, const range& within, int most) {
  if (!of.ticks.empty()) return of.ticks;
  if (!has_place(within.least, of.scale) || !has_place(within.most, of.scale)) return {};
  if (of.scale == scale::linear) return linear_ticks(within, most);
  return power_ticks(within, most, of.scale == scale::log2 ? 2 : 10);
}

std::string label_of(double value) {
  if (!std::isfinite(value)) return fmt::format("{}", value);
  if (value != 0 && (std::abs(value) >= 1e7 || std::abs(value) < 1e-3)) {
    const int exponent = static_cast<int>(std::floor(std::log10(std::abs(value)) + 1e-9));
    const double digits = value / std::pow(10, exponent);
    const std::string power = "10" + superscript(exponent);
    if (std::abs(digits - 1) < 1e-9) return power;
    return fmt::format("{:.3g}×{}", digits, power);
  }
  if (value != std::floor(value) || std::abs(value) < 1000) return fmt::format("{:.6g}", value);
  std::string r = fmt::format("{:.0f}", value);
  for (std::size_t end = r.size(); end > 3 + (value < 0 ? 1U : 0U); end -= 3) r.insert(end - 3, ",");
  return r;
}

}  // namespace ropewalk::plot
