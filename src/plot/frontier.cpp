// Precision against speed: one point per kernel, in the panel of its dtype.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "measure/rounding_distance.hpp"
#include "plot/figures.hpp"
#include "plot/measured_rows.hpp"
#include "plot/subject.hpp"
#include "plot/ticks.hpp"
#include "ropewalk/encoding/rope.hpp"
#include "ropewalk/numeric/upper_binary64.hpp"

namespace ropewalk::plot {
namespace {

constexpr std::int64_t error_limit = 131072;
constexpr double not_timed_gap = 2.2;  // factor from the slowest kernel to those without a time

/// Position of a kernel's point.
struct frontier_point {
  const measure::bench_row* row = nullptr;
  double time = 0;  // relative to the copy's; NaN: not timed
  double low = 0;
  double high = 0;
  double distance = 0;
  double rounding = 0;  // the distance due to the dtype's rounding

  /// The distance; all distances within the rounding count as equal, since they differ only by the sampled
  /// positions.
  double closeness() const { return std::max(distance, rounding); }
};

/// `radius` of the circle is the attention factor.
std::vector<frontier_point> points_of(const measured_rows& rows, double radius) {
  std::vector<frontier_point> points;
  for (const measure::bench_row* row : rows) {
    const auto error = std::find_if(row->errors.begin(), row->errors.end(),
                                    [](const auto& item) { return item.limit == error_limit; });
    if (error == row->errors.end() || !error->is_served || !(error->distance > 0)) continue;
    points.push_back({row, row->ratio.median, row->ratio.low, row->ratio.high, error->distance,
                      measure::rounding_distance(row->dtype, radius)});
  }
  return points;
}

std::string hint_of(const frontier_point& point) {
  const std::string time = std::isnan(point.time)
                               ? (point.row->not_timed.empty() ? "not timed" : point.row->not_timed)
                               : fmt::format("{:.2f} times as long as {}", point.time,
                                             point.row->other.empty() ? "memcpy" : point.row->other);
  const std::string interval = std::isnan(point.time) || std::isnan(point.low)
                                   ? ""
                                   : fmt::format(" (95 %: {:.2f} to {:.2f})", point.low, point.high);
  return fmt::format("{}, {}: {}{}{}; off by up to {:.2g} below position {}", point.row->kernel,
                     point.row->dtype, time, interval, point.row->noise.empty() ? "" : ", too noisy to say",
                     point.distance, label_of(error_limit));
}

/// Whether no other kernel of the dtype is better in one respect and at least as good in the other.
bool is_on_frontier(const frontier_point& point, const std::vector<frontier_point>& all) {
  return !std::isnan(point.time) && std::none_of(all.begin(), all.end(), [&](const frontier_point& other) {
    const bool is_no_worse = other.time <= point.time && other.closeness() <= point.closeness();
    const bool is_better = other.time < point.time || other.closeness() < point.closeness();
    return other.row->dtype == point.row->dtype && is_no_worse && is_better;
  });
}

/// Bounds of the time axis, the same in every panel, so that dtypes can be compared.
struct time_frame {
  double fastest = 1;
  double slowest = 2;
  double not_timed_at = 0;  // 0: every kernel was timed
};

time_frame frame_of(const std::vector<frontier_point>& points) {
  time_frame frame;
  bool is_any_untimed = false;
  for (const frontier_point& point : points) {
    is_any_untimed = is_any_untimed || std::isnan(point.time);
    if (std::isnan(point.time)) continue;
    frame.fastest = std::min(frame.fastest, std::isnan(point.low) ? point.time : point.low);
    frame.slowest = std::max(frame.slowest, std::isnan(point.high) ? point.time : point.high);
  }
  if (is_any_untimed) frame.not_timed_at = frame.slowest * not_timed_gap;
  return frame;
}

/// Room for labels above and below the points of a panel.
void widen(axis& axis, const std::vector<frontier_point>& points, const std::string& dtype) {
  constexpr double below = 0.14, above = 0.1;  // shares of the logarithmic range
  double closest = 0, farthest = 0;
  for (const frontier_point& point : points) {
    if (point.row->dtype != dtype) continue;
    closest = closest == 0 ? point.distance : std::min(closest, point.distance);
    farthest = std::max(farthest, point.distance);
  }
  if (!(farthest > closest)) return;
  axis.least = closest * std::pow(closest / farthest, below);
  axis.most = farthest * std::pow(farthest / closest, above);
}

void set_axes(panel& panel, const time_frame& frame) {
  constexpr double side = 1.25;  // factor outside the outermost points
  panel.x = {.title = "time / memcpy of the same bytes (left is faster)", .scale = scale::log10};
  panel.x.least = frame.fastest / side;
  panel.x.most = std::max(frame.slowest, frame.not_timed_at) * side * side;
  panel.y = {.title = "distance from exact (down is closer)", .scale = scale::log10};
  for (const tick& tick :
       ticks_of({.title = {}, .scale = scale::log10}, {frame.fastest / side, frame.slowest}, 1))
    panel.x.ticks.push_back(tick);
  if (frame.not_timed_at > 0) panel.x.ticks.push_back({frame.not_timed_at, "not timed"});
}

void add_point(panel& to, const frontier_point& point, const time_frame& frame) {
  const int colour = colour_of_dtype(point.row->dtype);
  const std::map<std::string, std::string> tags{{"kernel", point.row->kernel}, {"dtype", point.row->dtype}};
  if (!std::isnan(point.time) && point.high > point.low)
    to.series.push_back({.name = {},
                         .mark = mark::line,
                         .role = role_of(point.row->role),
                         .x = {point.low, point.high},
                         .y = {point.distance, point.distance},
                         .colour = colour,
                         .tags = tags});
  to.series.push_back({.name = {},
                       .mark = mark::points,
                       .role = role_of(point.row->role),
                       .x = {std::isnan(point.time) ? frame.not_timed_at : point.time},
                       .y = {point.distance},
                       .hints = {hint_of(point)},
                       .labels = {short_label(point.row->kernel)},
                       .colour = colour,
                       .tags = tags});
}

/// "f32: cpu-table; bf16: cpu-table, recipe-f64".
std::string frontier_text(const std::vector<frontier_point>& points, const std::vector<std::string>& dtypes) {
  std::string text;
  for (const std::string& dtype : dtypes) {
    std::string names;
    for (const frontier_point& point : points)
      if (point.row->dtype == dtype && is_on_frontier(point, points))
        names += (names.empty() ? "" : ", ") + point.row->kernel;
    if (!names.empty()) text += (text.empty() ? "" : "; ") + dtype + ": " + names;
  }
  return text;
}

std::string numbers_text(const std::vector<frontier_point>& points) {
  std::string text;
  for (const frontier_point& point : points) text += (text.empty() ? "" : ". ") + hint_of(point);
  return text;
}

}  // namespace

figure frontier(const subject& subject) {
  const measure::bench_record& record = record_of(subject);
  const measured_rows rows = comparable_rows(record);
  const std::vector<frontier_point> points =
      points_of(rows, upper_binary64(rope_attention_factor<2>(subject.model.encoding)));
  const std::vector<std::string> dtypes = dtypes_of(rows);
  const time_frame frame = frame_of(points);
  figure frontier{
      .name = "frontier",
      .title = "Precision against speed",
      .sentence = measured_where(record, rows) +
                  ": left is faster, down is closer to the exact cosines and sines. On the frontier, "
                  "where distances within the dtype's rounding "
                  "count as equal, are: " +
                  frontier_text(points, dtypes) + ".",
      .alt = "Kernels by time and by distance from exact. " + numbers_text(points) + ".",
      .command = measured_command_of("frontier", subject),
      .panels = {},
      .columns = dtypes.size() > 1 ? 2 : 1,
      .where = measured_where(record, rows)};
  for (const std::string& dtype : dtypes) {
    panel panel{.title = dtype, .x = {}, .y = {}};
    set_axes(panel, frame);
    widen(panel.y, points, dtype);
    for (const frontier_point& point : points)
      if (point.row->dtype == dtype) add_point(panel, point, frame);
    add_role_legend(panel, of_dtype(rows, dtype));
    frontier.panels.push_back(std::move(panel));
  }
  return frontier;
}

}  // namespace ropewalk::plot
