#include "plot/palette.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

namespace ropewalk::plot {
namespace {

// viridis of Matplotlib at 9 points: lightness grows evenly, for colour-blind readers and for black and
// white.
constexpr std::string_view sequential[] = {"#440154", "#472d7b", "#3b528b", "#2c728e", "#21918c",
                                           "#28ae80", "#5ec962", "#addc30", "#fde725"};
// Blue and vermilion of the style sheet, with white in the middle.
constexpr std::string_view diverging[] = {"#053a66", "#0072b2", "#7db8dd", "#f7f7f7",
                                          "#f0a878", "#d55e00", "#6e2c00"};

template <class Colours>
std::string steps(const Colours& colours) {
  std::string text;
  const std::size_t last = std::size(colours) - 1;
  for (std::size_t i = 0; i <= last; ++i)
    text += fmt::format("{}{} '{}'", i == 0 ? "" : ", ", static_cast<double>(i) / static_cast<double>(last),
                        colours[i]);
  return text;
}

/// A component of a colour "#rrggbb", 0 for red.
double component_of(std::string_view hex, std::size_t index) {
  const std::string digits(hex.substr(1 + 2 * index, 2));
  return std::stoi(digits, nullptr, 16);
}

template <class Colours>
std::array<unsigned char, 3> colour_between(const Colours& colours, double share) {
  const double place = std::clamp(share, 0.0, 1.0) * static_cast<double>(std::size(colours) - 1);
  const auto first = std::min(static_cast<std::size_t>(place), std::size(colours) - 2);
  const double rest = place - static_cast<double>(first);
  std::array<unsigned char, 3> result{};
  for (std::size_t i = 0; i < result.size(); ++i)
    result[i] = static_cast<unsigned char>(std::lround((1 - rest) * component_of(colours[first], i) +
                                                       rest * component_of(colours[first + 1], i)));
  return result;
}

}  // namespace

std::array<unsigned char, 3> palette_colour(double share, bool is_diverging) {
  return is_diverging ? colour_between(diverging, share) : colour_between(sequential, share);
}

range colour_range(const heat_map& map) {
  range result{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (const double value : map.values) {
    if (!std::isfinite(value)) continue;
    result.least = std::min(result.least, value);
    result.most = std::max(result.most, value);
  }
  if (result.least > result.most) result = {0, 1};
  if (map.is_diverging) result.most = std::max(std::abs(result.least), std::abs(result.most));
  if (map.is_diverging) result.least = -result.most;
  if (map.least) result.least = map.least.value;
  if (map.most) result.most = map.most.value;
  return with_width(result);
}

std::string palette_steps(bool is_diverging) { return is_diverging ? steps(diverging) : steps(sequential); }

}  // namespace ropewalk::plot
