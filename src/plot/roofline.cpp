// Bytes per second of each kernel and the machine's ceilings: one panel per dtype, one row per kernel.

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

constexpr double gigabyte = 1e9;
constexpr double beyond_fastest = 1.3;  // end of the axis, relative to the fastest

double rate_of(const measure::bench_row& row) { return row.bytes / row.seconds.median / gigabyte; }

bool has_rate(const measure::bench_row& row) { return row.bytes > 0 && row.seconds.median > 0; }

std::string rate_text(const measure::bench_row& row) {
  std::string text = fmt::format("{}, {}: {:.3g} GB/s", row.kernel, row.dtype, rate_of(row));
  if (!std::isnan(row.share)) text += fmt::format(", {:.0f} % of a copy in {}", 100 * row.share, row.ceiling);
  if (!std::isnan(row.instructions))
    text += fmt::format(", {:.1f} instructions per element", row.instructions);
  return text;
}

/// Draws the copy's rates on one thread, as vertical lines across `rows` rows.
void add_ceilings(panel& to, const measure::bench_record& record, std::size_t rows) {
  const double top = -0.85, bottom = static_cast<double>(rows) - 0.5;
  for (const measure::ceiling_record& ceiling : record.ceilings) {
    const double rate = ceiling.bytes_per_second.median / gigabyte;
    if (ceiling.threads != 1 || !(rate > 0)) continue;
    to.series.push_back({.name = {},
                         .mark = mark::dashed_line,
                         .role = role::reference,
                         .x = {rate, rate},
                         .y = {bottom, top},
                         .hints = {fmt::format("a copy in {}: {:.3g} GB/s", ceiling.level, rate), ""},
                         .labels = {"", ceiling.level}});
  }
}

bool has_ceilings(const measure::bench_record& record) {
  return std::any_of(record.ceilings.begin(), record.ceilings.end(),
                     [](const auto& item) { return item.threads == 1 && item.bytes_per_second.median > 0; });
}

panel panel_of_rates(const measured_rows& rows, const measure::bench_record& record,
                     const std::string& dtype) {
  panel result{.title = dtype,
               .x = {.title = "bytes read and written (GB/s)", .scale = scale::log10},
               .y = {.title = "", .is_reversed = true}};
  measured_rows sorted = of_dtype(rows, dtype);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto* item, const auto* other) { return rate_of(*item) > rate_of(*other); });
  result.y.least = -1.2;  // room for the ceilings' labels
  result.y.most = static_cast<double>(sorted.size()) - 0.5;
  add_ceilings(result, record, sorted.size());
  for (const series& ceiling : result.series)  // room for the label of the fastest
    result.x.most = std::max(result.x.most.value_or(0), 3 * ceiling.x.front());
  for (const measure::bench_row* row : sorted)  // a kernel within caches may exceed every ceiling
    result.x.most = std::max(result.x.most.value_or(0), rate_of(*row) * beyond_fastest);
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const measure::bench_row& row = *sorted[i];
    result.y.ticks.push_back({static_cast<double>(i), short_label(row.kernel)});
    result.series.push_back({.name = {},
                             .mark = mark::points,
                             .role = role_of(row.role),
                             .x = {rate_of(row)},
                             .y = {static_cast<double>(i)},
                             .hints = {rate_text(row)},
                             .colour = colour_of_dtype(dtype),
                             .tags = {{"kernel", row.kernel}, {"dtype", row.dtype}}});
  }
  add_role_legend(result, sorted);
  return result;
}

}  // namespace

figure roofline(const subject& subject) {
  const measure::bench_record& record = record_of(subject);
  measured_rows rows = comparable_rows(record);
  std::erase_if(rows, [](const auto* row) { return !has_rate(*row); });
  const std::vector<std::string> dtypes = dtypes_of(rows);
  figure roofline{
      .name = "roofline",
      .title = "Bytes per second and the machine's ceilings",
      .sentence =
          measured_where(record, rows) +
          (has_ceilings(record)
               ? ": a kernel at the dashed line of a memory level is as fast as a copy there; a kernel "
                 "far to its left is bound by arithmetic."
               : ": no copy was measured on one thread, so there are no ceilings to compare with."),
      .alt = "Bytes per second of each kernel.",
      .command = measured_command_of("roofline", subject),
      .panels = {},
      .columns = dtypes.size() > 1 ? 2 : 1,
      .where = measured_where(record, rows)};
  for (const std::string& dtype : dtypes) roofline.panels.push_back(panel_of_rates(rows, record, dtype));
  for (const auto* row : rows) roofline.alt += " " + rate_text(*row) + ".";
  for (const measure::ceiling_record& ceiling : record.ceilings)
    roofline.alt += fmt::format(" A copy in {} on {} thread{}: {:.3g} GB/s.", ceiling.level, ceiling.threads,
                                ceiling.threads == 1 ? "" : "s", ceiling.bytes_per_second.median / gigabyte);
  return roofline;
}

}  // namespace ropewalk::plot
