// The time of a token against the number of tokens in a call, a panel a dtype, a line a kernel.

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

constexpr double nanoseconds_a_second = 1e9;

double nanoseconds_a_token(const measure::bench_row& row) {
  return nanoseconds_a_second * row.seconds.median / static_cast<double>(row.tokens * std::max(1, row.batch));
}

/// Forward rotations, those of one token included, that were timed.
measured_rows timed_rows(const measure::bench_record& of) {
  measured_rows r;
  const measured_rows forward = forward_rows(of);
  for (const measure::bench_row& row : of.rows) {
    const bool is_forward = std::find(forward.begin(), forward.end(), &row) != forward.end();
    const bool is_one_token = row.group == "one-token" && row.threads == 1 && !forward.empty() &&
                              row.pairing == forward.front()->pairing;
    if ((is_forward || is_one_token) && row.tokens > 0 && row.seconds.median > 0) r.push_back(&row);
  }
  std::stable_sort(r.begin(), r.end(),
                   [](const auto* one, const auto* other) { return one->tokens < other->tokens; });
  return r;
}

void add_kernel(panel& to, const measured_rows& rows, const std::string& kernel, std::size_t ordinal) {
  series one{.name = kernel, .mark = mark::line_with_points, .x = {}, .y = {}};
  for (const measure::bench_row* row : rows) {
    if (row->kernel != kernel) continue;
    one.role = role_of(row->role);
    one.tags = {{"kernel", kernel}, {"dtype", row->dtype}};
    one.x.push_back(static_cast<double>(row->tokens));
    one.y.push_back(nanoseconds_a_token(*row));
    one.hints.push_back(fmt::format("{}, {}: {} ns a token with {} tokens, {:.2f} times a memcpy", kernel,
                                    row->dtype, label_of(std::round(one.y.back())), label_of(one.x.back()),
                                    row->ratio.median));
  }
  one.colour = colour_of_kernel(one.role, ordinal);
  if (!one.x.empty()) to.series.push_back(std::move(one));
}

panel panel_of_dtype(const measured_rows& rows, const std::string& dtype) {
  panel r{.title = dtype,
          .x = {.title = "tokens in a call", .scale = scale::log2},
          .y = {.title = "time (ns a token)", .scale = scale::log10}};
  std::map<role, std::size_t> ordinals;
  for (const std::string& kernel : kernels_of(rows)) {
    const auto* first =
        *std::find_if(rows.begin(), rows.end(), [&](const auto* row) { return row->kernel == kernel; });
    add_kernel(r, of_dtype(rows, dtype), kernel, ordinals[role_of(first->role)]++);
  }
  return r;
}

}  // namespace

figure time_by_tokens(const subject& of) {
  const measure::bench_record& record = record_of(of);
  const measured_rows rows = timed_rows(record);
  const std::vector<std::string> dtypes = dtypes_of(rows);
  figure r{.name = "time-by-tokens",
           .title = "Time of a token against the number of tokens",
           .sentence =
               "A flat line is a cost that grows with the tokens alone; what rises to the left is the "
               "cost of a call.",
           .alt = "Nanoseconds a token.",
           .command = measured_command_of("time-by-tokens", of),
           .panels = {},
           .columns = dtypes.size() > 1 ? 2 : 1};
  for (const std::string& dtype : dtypes) {
    r.panels.push_back(panel_of_dtype(rows, dtype));
    for (const series& one : r.panels.back().series)
      if (!one.hints.empty()) r.alt += " " + one.hints.back() + ".";
  }
  return r;
}

}  // namespace ropewalk::plot
