// Precision against speed: each kernel a point in the panel of its dtype.

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
constexpr double not_timed_gap = 2.2;  // of the margin of kernels without a time, over the slowest

/// Where a kernel's point stands.
struct frontier_point {
  const measure::bench_row* row = nullptr;
  double time = 0;  // over that of the copy; NaN: not timed
  double low = 0;
  double high = 0;
  double distance = 0;
  double rounding = 0;  // the distance that the dtype's own rounding leaves

  /// Its distance; those within the rounding are one: only the sampled positions tell them apart.
  double closeness() const { return std::max(distance, rounding); }
};

/// `radius` is that of the circle: the attention factor.
std::vector<frontier_point> points_of(const measured_rows& rows, double radius) {
  std::vector<frontier_point> r;
  for (const measure::bench_row* row : rows) {
    const auto error = std::find_if(row->errors.begin(), row->errors.end(),
                                    [](const auto& one) { return one.limit == error_limit; });
    if (error == row->errors.end() || !error->is_served || !(error->distance > 0)) continue;
    r.push_back({row, row->ratio.median, row->ratio.low, row->ratio.high, error->distance,
                 measure::rounding_distance(row->dtype, radius)});
  }
  return r;
}

std::string hint_of(const frontier_point& of) {
  const std::string time = std::isnan(of.time)
                               ? (of.row->not_timed.empty() ? "not timed" : of.row->not_timed)
                               : fmt::format("{:.2f} times as long as {}", of.time,
                                             of.row->other.empty() ? "memcpy" : of.row->other);
  const std::string interval = std::isnan(of.time) || std::isnan(of.low)
                                   ? ""
                                   : fmt::format(" (95 %: {:.2f} to {:.2f})", of.low, of.high);
  return fmt::format("{}, {}: {}{}{}; off by up to {:.2g} below position {}", of.row->kernel, of.row->dtype,
                     time, interval, of.row->noise.empty() ? "" : ", too noisy to say", of.distance,
                     label_of(error_limit));
}

/// Whether no other kernel of the dtype is better in one and no worse in the other.
bool is_on_frontier(const frontier_point& of, const std::vector<frontier_point>& all) {
  return !std::isnan(of.time) && std::none_of(all.begin(), all.end(), [&](const frontier_point& other) {
    const bool is_no_worse = other.time <= of.time && other.closeness() <= of.closeness();
    const bool is_better = other.time < of.time || other.closeness() < of.closeness();
    return other.row->dtype == of.row->dtype && is_no_worse && is_better;
  });
}

/// Bounds of the axis of time, the same in every panel so that dtypes can be compared.
struct time_frame {
  double fastest = 1;
  double slowest = 2;
  double not_timed_at = 0;  // 0: every kernel was timed
};

time_frame frame_of(const std::vector<frontier_point>& points) {
  time_frame r;
  bool is_any_untimed = false;
  for (const frontier_point& one : points) {
    is_any_untimed = is_any_untimed || std::isnan(one.time);
    if (std::isnan(one.time)) continue;
    r.fastest = std::min(r.fastest, std::isnan(one.low) ? one.time : one.low);
    r.slowest = std::max(r.slowest, std::isnan(one.high) ? one.time : one.high);
  }
  if (is_any_untimed) r.not_timed_at = r.slowest * not_timed_gap;
  return r;
}

/// Room for labels above and below the points of a panel.
void widen(axis& of, const std::vector<frontier_point>& points, const std::string& dtype) {
  constexpr double below = 0.14, above = 0.1;  // shares of the logarithmic range
  double closest = 0, farthest = 0;
  for (const frontier_point& one : points) {
    if (one.row->dtype != dtype) continue;
    closest = closest == 0 ? one.distance : std::min(closest, one.distance);
    farthest = std::max(farthest, one.distance);
  }
  if (!(farthest > closest)) return;
  of.least = closest * std::pow(closest / farthest, below);
  of.most = farthest * std::pow(farthest / closest, above);
}

void set_axes(panel& of, const time_frame& frame) {
  constexpr double side = 1.25;  // factor beyond the outermost points
  of.x = {.title = "time / memcpy of the same bytes (left is faster)", .scale = scale::log10};
  of.x.least = frame.fastest / side;
  of.x.most = std::max(frame.slowest, frame.not_timed_at) * side * side;
  of.y = {.title = "distance from exact (down is closer)", .scale = scale::log10};
  for (const tick& one :
       ticks_of({.title = {}, .scale = scale::log10}, {frame.fastest / side, frame.slowest}, 1))
    of.x.ticks.push_back(one);
  if (frame.not_timed_at > 0) of.x.ticks.push_back({frame.not_timed_at, "not timed"});
}

void add_point(panel& to, const frontier_point& of, const time_frame& frame) {
  const int colour = colour_of_dtype(of.row->dtype);
  const std::map<std::string, std::string> tags{{"kernel", of.row->kernel}, {"dtype", of.row->dtype}};
  if (!std::isnan(of.time) && of.high > of.low)
    to.series.push_back({.name = {},
                         .mark = mark::line,
                         .role = role_of(of.row->role),
                         .x = {of.low, of.high},
                         .y = {of.distance, of.distance},
                         .colour = colour,
                         .tags = tags});
  to.series.push_back({.name = {},
                       .mark = mark::points,
                       .role = role_of(of.row->role),
                       .x = {std::isnan(of.time) ? frame.not_timed_at : of.time},
                       .y = {of.distance},
                       .hints = {hint_of(of)},
                       .labels = {short_label(of.row->kernel)},
                       .colour = colour,
                       .tags = tags});
}

/// "f32: cpu-table; bf16: cpu-table, recipe-f64".
std::string frontier_text(const std::vector<frontier_point>& points, const std::vector<std::string>& dtypes) {
  std::string r;
  for (const std::string& dtype : dtypes) {
    std::string names;
    for (const frontier_point& one : points)
      if (one.row->dtype == dtype && is_on_frontier(one, points))
        names += (names.empty() ? "" : ", ") + one.row->kernel;
    if (!names.empty()) r += (r.empty() ? "" : "; ") + dtype + ": " + names;
  }
  return r;
}

std::string numbers_text(const std::vector<frontier_point>& points) {
  std::string r;
  for (const frontier_point& one : points) r += (r.empty() ? "" : ". ") + hint_of(one);
  return r;
}

}  // namespace

figure frontier(const subject& of) {
  const measure::bench_record& record = record_of(of);
  const measured_rows rows = comparable_rows(record);
  const std::vector<frontier_point> points =
      points_of(rows, upper_binary64(rope_attention_factor<2>(of.of.encoding)));
  const std::vector<std::string> dtypes = dtypes_of(rows);
  const time_frame frame = frame_of(points);
  figure r{
      .name = "frontier",
      .title = "Precision against speed",
      .sentence =
          measured_where(record, rows) +
          ": left is faster, down is closer to the exact cosines and sines. No kernel is faster "
          "and as close, or closer and no slower, than these, where distances within the dtype's rounding "
          "count as equal: " +
          frontier_text(points, dtypes) + ".",
      .alt = "Kernels by time and by distance from exact. " + numbers_text(points) + ".",
      .command = measured_command_of("frontier", of),
      .panels = {},
      .columns = dtypes.size() > 1 ? 2 : 1,
      .where = measured_where(record, rows)};
  for (const std::string& dtype : dtypes) {
    panel one{.title = dtype, .x = {}, .y = {}};
    set_axes(one, frame);
    widen(one.y, points, dtype);
    for (const frontier_point& point : points)
      if (point.row->dtype == dtype) add_point(one, point, frame);
    add_role_legend(one, of_dtype(rows, dtype));
    r.panels.push_back(std::move(one));
  }
  return r;
}

}  // namespace ropewalk::plot
