#include "plot/label_places.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "plot/ticks.hpp"

namespace ropewalk::plot {
namespace {

// Pixels.
constexpr double label_letter = 6.4;
constexpr double label_gap = 4;  // between two labels side by side
constexpr double label_half_height = 6.5;
constexpr double point_half_size = 5.5;
constexpr double beside = 9;  // from a point to a label beside it
constexpr double above = 14;  // to the middle of a label above or below it

struct rectangle {
  double left = 0;
  double top = 0;
  double right = 0;
  double bottom = 0;

  bool overlaps(const rectangle& other) const {
    return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
  }
};

int characters(const std::string& text) {
  return static_cast<int>(
      std::count_if(text.begin(), text.end(), [](char letter) { return (letter & 0xc0) != 0x80; }));
}

/// Converts between pixels and a panel's coordinates.
class panel_pixels {
 public:
  panel_pixels(const panel& panel, const box& where, const layout& in)
      : panel_(panel),
        x_(x_range(panel)),
        y_(y_range(panel)),
        is_down_(panel.cells.has_value() != panel.y.is_reversed) {
    area = {where.left * in.width, (1 - where.top) * in.height, where.right * in.width,
            (1 - where.bottom) * in.height};
  }

  bool has(double x, double y) const {
    if (!has_place(x, panel_.x.scale) || !has_place(y, panel_.y.scale)) return false;
    const double across = share_at(x, x_, panel_.x.scale), up = share_at(y, y_, panel_.y.scale);
    return across >= 0 && across <= 1 && up >= 0 && up <= 1;
  }
  double across(double x) const {
    const double share = share_at(x, x_, panel_.x.scale);
    return area.left + (panel_.x.is_reversed ? 1 - share : share) * (area.right - area.left);
  }
  double down(double y) const {
    const double share = share_at(y, y_, panel_.y.scale);
    return area.top + (is_down_ ? share : 1 - share) * (area.bottom - area.top);
  }
  double x_at(double pixel) const {
    const double share = (pixel - area.left) / (area.right - area.left);
    return value_at(panel_.x.is_reversed ? 1 - share : share, x_, panel_.x.scale);
  }
  double y_at(double pixel) const {
    const double share = (pixel - area.top) / (area.bottom - area.top);
    return value_at(is_down_ ? share : 1 - share, y_, panel_.y.scale);
  }

  rectangle area;

 private:
  const panel& panel_;
  range x_;
  range y_;
  bool is_down_;
};

/// Obstacles for labels: points, and lines with few points, such as intervals.
std::vector<rectangle> obstacles_in(const panel& panel, const panel_pixels& pixels) {
  constexpr std::size_t few = 3;
  constexpr double half_a_line = 1.5;
  std::vector<rectangle> obstacles;
  for (const series& series : panel.series) {
    const bool has_points = series.mark == mark::points || series.mark == mark::line_with_points;
    const bool is_short =
        (series.mark == mark::line || series.mark == mark::dashed_line) && series.x.size() <= few;
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      if (!pixels.has(series.x[i], series.y[i])) continue;
      const double x = pixels.across(series.x[i]), y = pixels.down(series.y[i]);
      if (has_points)
        obstacles.push_back(
            {x - point_half_size, y - point_half_size, x + point_half_size, y + point_half_size});
      if (!is_short || i == 0 || !pixels.has(series.x[i - 1], series.y[i - 1])) continue;
      const double x0 = pixels.across(series.x[i - 1]), y0 = pixels.down(series.y[i - 1]);
      const bool is_straight = x0 == x || y0 == y;  // other lines would have too large a rectangle
      if (is_straight)
        obstacles.push_back({std::min(x, x0) - half_a_line, std::min(y, y0) - half_a_line,
                             std::max(x, x0) + half_a_line, std::max(y, y0) + half_a_line});
    }
  }
  return obstacles;
}

/// The first free place for a label of that width around a point: beside it, then above and below, then
/// farther away.
std::optional<rectangle> free_place(double x, double y, double width, const rectangle& area,
                                    const std::vector<rectangle>& taken) {
  const struct {
    double left;
    double middle;
  } places[] = {{x + beside, y},
                {x - beside - width, y},
                {x + 2, y - above},
                {x + 2, y + above},
                {x - 2 - width, y - above},
                {x - 2 - width, y + above},
                {x - width / 2, y - above},
                {x - width / 2, y + above},
                {x + 2, y - 2 * above},
                {x + 2, y + 2 * above},
                {x - width / 2, y - 2 * above},
                {x - width / 2, y + 2 * above},
                {x + 2, y - 3 * above},
                {x + 2, y + 3 * above}};
  for (const auto& [left, middle] : places) {
    const rectangle first{left, middle - label_half_height, left + width, middle + label_half_height};
    const bool is_inside = first.left >= area.left && first.right <= area.right && first.top >= area.top &&
                           first.bottom <= area.bottom;
    const bool is_free = std::none_of(taken.begin(), taken.end(),
                                      [&](const rectangle& other) { return first.overlaps(other); });
    if (is_inside && is_free) return first;
  }
  return std::nullopt;
}

}  // namespace

std::vector<placed_label> place_labels(const panel& panel, const box& where, const layout& in) {
  const panel_pixels pixels(panel, where, in);
  std::vector<rectangle> taken = obstacles_in(panel, pixels);
  std::vector<placed_label> labels;
  for (std::size_t i = 0; i < panel.series.size(); ++i)
    for (std::size_t k = 0; k < panel.series[i].labels.size(); ++k) {
      const series& series = panel.series[i];
      if (series.labels[k].empty() || !pixels.has(series.x[k], series.y[k])) continue;
      const double width = label_letter * characters(series.labels[k]);
      const auto place =
          free_place(pixels.across(series.x[k]), pixels.down(series.y[k]), width, pixels.area, taken);
      if (!place) continue;
      taken.push_back({place->left - label_gap, place->top, place->right + label_gap, place->bottom});
      labels.push_back({i, k, pixels.x_at(place->left), pixels.y_at((place->top + place->bottom) / 2)});
    }
  return labels;
}

}  // namespace ropewalk::plot
