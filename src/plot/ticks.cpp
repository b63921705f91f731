#include "plot/ticks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace ropewalk::plot {
namespace {

constexpr double margin = 0.05;  // of a range, on each side of data

bool is_log(scale axis_scale) { return axis_scale != scale::linear; }

/// A value in drawing coordinates: its logarithm on a logarithmic scale.
double on(scale scale, double value) { return is_log(scale) ? std::log10(value) : value; }
double from(scale scale, double place) { return is_log(scale) ? std::pow(10, place) : place; }

/// The extremes of the numbers that an axis can show.
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

double least_of(scale scale) { return is_log(scale) ? std::numeric_limits<double>::min() : -largest; }

/// The range itself; if it has no width, a decade from its least, or below it at the top of the numbers.
range with_width_on_log(const range& narrow) {
  if (narrow.least != narrow.most) return narrow;
  return narrow.least < largest / 10 ? range{narrow.least, narrow.least * 10}
                                     : range{narrow.least / 10, narrow.least};
}

range range_of(const axis& axis, const extremes& data, double margin_share) {
  range result{data.least, data.most};
  if (result.least > result.most) result = is_log(axis.scale) ? range{1, 10} : range{0, 1};
  const range range = result;
  const double a = on(axis.scale, result.least), b = on(axis.scale, result.most);
  const double half = b > a ? (b - a) * margin_share : 0.5;
  result = {from(axis.scale, a - half), from(axis.scale, b + half)};
  if (b > a && margin_share == 0) result = range;
  if (axis.least) result.least = axis.least.value;
  if (axis.most) result.most = axis.most.value;
  result.least = std::clamp(result.least, least_of(axis.scale), largest);
  result.most = std::clamp(result.most, least_of(axis.scale), largest);
  return is_log(axis.scale) ? with_width_on_log(result) : with_width(result);
}

bool is_point_mark(mark drawn) {
  return drawn == mark::points || drawn == mark::bars || drawn == mark::impulses;
}

std::string superscript(int number) {
  static constexpr const char* digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string superscript = number < 0 ? "⁻" : "";
  for (const char digit : std::to_string(std::abs(number))) superscript += digits[digit - '0'];
  return superscript;
}

/// The smallest of 1, 2, 5, 10, ... times a power of ten that is at least `step`.
double round_step(double step) {
  const double power = std::pow(10, std::floor(std::log10(step)));
  for (const double digit : {1.0, 2.0, 5.0})
    if (digit * power >= step * (1 - 1e-9)) return digit * power;
  return 10 * power;
}

std::vector<tick> linear_ticks(const range& within, int most) {
  std::vector<tick> ticks;
  const double low = std::min(within.least, within.most), high = std::max(within.least, within.most);
  const double step = round_step((high - low) / std::max(1, most));
  const double slack = step * 1e-6;
  const double end = std::min(high + slack, largest);  // infinity would never end
  for (double k = std::ceil((low - slack) / step); k * step <= end; ++k)
    ticks.push_back({k * step + 0.0, label_of(k * step + 0.0)});  // + 0.0: no -0
  return ticks;
}

/// 1, 2 and 5 times powers of ten, for a range of few decades.
std::vector<tick> digit_ticks(const range& within) {
  std::vector<tick> ticks;
  for (int k = static_cast<int>(std::floor(std::log10(within.least))); std::pow(10, k) <= within.most; ++k)
    for (const double digit : {1.0, 2.0, 5.0})
      if (const double at = digit * std::pow(10, k); at >= within.least && at <= within.most)
        ticks.push_back({at, label_of(at)});
  return ticks;
}

std::vector<tick> power_ticks(const range& within, int most, int base) {
  const double low = std::log(within.least) / std::log(base), high = std::log(within.most) / std::log(base);
  const int first = static_cast<int>(std::ceil(low - 1e-9)), last = static_cast<int>(std::floor(high + 1e-9));
  const int step = std::max(1, (last - first + most) / std::max(1, most));
  std::vector<tick> ticks;
  for (int k = first; k <= last; ++k) {
    if (k % step != 0) continue;
    const double at = std::pow(base, k);
    const bool is_plain = base == 10 ? k >= -3 && k <= 5 : k >= -3 && k <= 13;
    ticks.push_back({at, is_plain ? label_of(at) : std::to_string(base) + superscript(k)});
  }
  if (ticks.size() >= 3 || base != 10) return ticks;
  std::vector<tick> finer = digit_ticks(within);
  return finer.size() >= 2 ? finer : linear_ticks(within, most);
}

}  // namespace

range with_width(const range& narrow) {
  constexpr double narrowest = 1e-12;  // relative width: ticks of narrower ranges are equal as text
  const double size = std::max(std::abs(narrow.least), std::abs(narrow.most));
  if (narrow.least != narrow.most && std::abs(narrow.most / 2 - narrow.least / 2) >= narrowest / 2 * size)
    return narrow;
  const double width = std::max(1.0, size * narrowest);
  return narrow.least < largest - width ? range{narrow.least, narrow.least + width}
                                        : range{narrow.least - width, narrow.least};
}

bool has_place(double value, scale scale) { return std::isfinite(value) && (!is_log(scale) || value > 0); }

range x_range(const panel& panel) {
  if (panel.cells)
    return {panel.x.least.value_or(-0.5),
            panel.x.most.value_or(static_cast<double>(panel.cells->columns) - 0.5)};
  extremes data{panel.x.scale};
  bool has_points = false;
  for (const series& series : panel.series) {
    data.add(series.x);
    has_points = has_points || is_point_mark(series.mark);
  }
  return range_of(panel.x, data, has_points || panel.is_square ? margin : 0);
}

range y_range(const panel& panel) {
  if (panel.cells)
    return {panel.y.least.value_or(-0.5),
            panel.y.most.value_or(static_cast<double>(panel.cells->rows) - 0.5)};
  extremes data{panel.y.scale};
  for (const series& series : panel.series) {
    data.add(series.y);
    data.add(series.upper);
    if (series.mark == mark::bars || series.mark == mark::impulses) data.add(0);
  }
  return range_of(panel.y, data, margin);
}

double share_at(double value, const range& within, scale scale) {
  const double a = on(scale, within.least), b = on(scale, within.most);
  return (on(scale, value) - a) / (b - a);
}

double value_at(double share, const range& within, scale scale) {
  const double a = on(scale, within.least), b = on(scale, within.most);
  return from(scale, a + share * (b - a));
}

std::vector<tick> ticks_of(const axis& axis, const range& within, int most) {
  if (!axis.ticks.empty()) return axis.ticks;
  if (!has_place(within.least, axis.scale) || !has_place(within.most, axis.scale)) return {};
  if (axis.scale == scale::linear) return linear_ticks(within, most);
  return power_ticks(within, most, axis.scale == scale::log2 ? 2 : 10);
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
  std::string label = fmt::format("{:.0f}", value);
  for (std::size_t end = label.size(); end > 3 + (value < 0 ? 1U : 0U); end -= 3) label.insert(end - 3, ",");
  return label;
}

}  // namespace ropewalk::plot
