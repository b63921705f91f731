// Time per token against the number of tokens in a call: one panel per dtype, one line per kernel.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "plot/figures.hpp"
#include "plot/measured_rows.hpp"
#include "plot/subject.hpp"
#include "plot/ticks.hpp"

namespace ropewalk::plot {
namespace {

constexpr double nanoseconds_per_second = 1e9;

double nanoseconds_per_token(const measure::bench_row& row) {
  return nanoseconds_per_second * row.seconds.median /
         static_cast<double>(row.tokens * std::max(1, row.batch));
}

/// Timed forward rotations, including those of one token.
measured_rows timed_rows(const measure::bench_record& record) {
  measured_rows rows;
  const measured_rows forward = forward_rows(record);
  for (const measure::bench_row& row : record.rows) {
    const bool is_forward = std::find(forward.begin(), forward.end(), &row) != forward.end();
    const bool is_one_token = row.group == "one-token" && row.threads == 1 && !forward.empty() &&
                              row.pairing == forward.front()->pairing;
    if ((is_forward || is_one_token) && row.tokens > 0 && row.seconds.median > 0) rows.push_back(&row);
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto* item, const auto* other) { return item->tokens < other->tokens; });
  return rows;
}

void add_kernel(panel& to, const measured_rows& rows, const std::string& kernel, std::size_t ordinal) {
  series series{.name = kernel, .mark = mark::line_with_points, .x = {}, .y = {}};
  for (const measure::bench_row* row : rows) {
    if (row->kernel != kernel) continue;
    series.role = role_of(row->role);
    series.tags = {{"kernel", kernel}, {"dtype", row->dtype}};
    series.x.push_back(static_cast<double>(row->tokens));
    series.y.push_back(nanoseconds_per_token(*row));
    series.hints.push_back(fmt::format("{}, {}: {} ns per token with {} tokens, {:.2f} times a memcpy",
                                       kernel, row->dtype, label_of(std::round(series.y.back())),
                                       label_of(series.x.back()), row->ratio.median));
  }
  series.colour = colour_of_kernel(series.role, ordinal);
  if (!series.x.empty()) to.series.push_back(std::move(series));
}

panel panel_of_dtype(const measured_rows& rows, const std::string& dtype) {
  panel result{.title = dtype,
               .x = {.title = "tokens in a call", .scale = scale::log2},
               .y = {.title = "time (ns per token)", .scale = scale::log10}};
  std::map<role, std::size_t> ordinals;
  for (const std::string& kernel : kernels_of(rows)) {
    const auto* first =
        *std::find_if(rows.begin(), rows.end(), [&](const auto* row) { return row->kernel == kernel; });
    add_kernel(result, of_dtype(rows, dtype), kernel, ordinals[role_of(first->role)]++);
  }
  return result;
}

}  // namespace

figure time_by_tokens(const subject& subject) {
  const measure::bench_record& record = record_of(subject);
  const measured_rows rows = timed_rows(record);
  const std::vector<std::string> dtypes = dtypes_of(rows);
  figure time{.name = "time-by-tokens",
              .title = "Time per token against the number of tokens",
              .sentence =
                  "A flat line is a cost proportional to the tokens; a rise to the left is the fixed "
                  "cost of a call.",
              .alt = "Nanoseconds per token.",
              .command = measured_command_of("time-by-tokens", subject),
              .panels = {},
              .columns = dtypes.size() > 1 ? 2 : 1};
  for (const std::string& dtype : dtypes) {
    time.panels.push_back(panel_of_dtype(rows, dtype));
    for (const series& series : time.panels.back().series)
      if (!series.hints.empty()) time.alt += " " + series.hints.back() + ".";
  }
  return time;
}

}  // namespace ropewalk::plot
