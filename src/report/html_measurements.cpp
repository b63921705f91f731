// The page's measurements: every row of the benchmarks, and the machine's ceilings.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/html_sections.hpp"
#include "report/once.hpp"
#include "report/recipe_choice.hpp"

namespace ropewalk::report::html {

using measure::bench_row;
using measure::estimate;

namespace {

constexpr double giga = 1e9;

std::string time_text(double seconds) { return std::isnan(seconds) ? "-" : measure::time_text(seconds); }

std::vector<std::int64_t> limits_of(const measure::bench_record& record) {
  std::vector<std::int64_t> limits;
  for (const bench_row& row : record.rows)
    for (const measure::error_below& error : row.errors) add_once(limits, error.limit);
  std::sort(limits.begin(), limits.end());
  return limits;
}

std::vector<heading> columns_of(const std::vector<std::int64_t>& limits) {
  std::vector<heading> columns{
      {"what"},
      {"kernel"},
      {"dtype"},
      {"pairing"},
      {"tokens", "", true},
      {"time", "of a call, the median", true},
      {"GB/s", "bytes read and written", true},
      {"/ memcpy", "time divided by that of a copy of the same bytes, run alternately", true},
      {"95 %", "confidence interval of the ratio's median"},
      {"of ceiling", "share of this machine's copy speed at that level of memory", true}};
  for (const std::int64_t limit : limits)
    columns.push_back({limit == 0 ? "ulp at tokens" : "ulp < " + positions_text(limit),
                       "largest error of a cosine or sine in ulps", true});
  columns.push_back({"distance",
                     fmt::format("of a pair from the exact (cos, sin), below {}",
                                 limits.size() > 1 ? positions_text(limits[1]) : "the limit"),
                     true});
  columns.push_back(
      {"rounded", "share of entries that are correctly rounded, below the largest limit", true});
  columns.push_back({"check", "check of the result, outside the timed loop"});
  return columns;
}

void add_times(node line, const bench_row& row) {
  if (!row.not_timed.empty()) {
    node cell = add_classed(line, "td", "quiet", "not timed");
    set(cell, "title", row.not_timed);
    for (int others = 0; others < 3; ++others) add_number(line, "-", measure::not_measured);
    add(line, "td", "-");
    return;
  }
  const double rate = row.bytes / row.seconds.median / giga;
  add_number(line, time_text(row.seconds.median), row.seconds.median);
  add_number(line, number_text(rate, 4), rate);
  node ratio = add_number(line, std::isnan(row.ratio.median) ? "-" : fmt::format("{:.2f}", row.ratio.median),
                          row.ratio.median);
  if (!row.noise.empty()) {
    set(ratio, "title", row.noise);
    add_classed(ratio, "span", "noisy", " noisy");
  }
  add(line, "td",
      std::isnan(row.ratio.low) ? "-" : fmt::format("{:.2f} to {:.2f}", row.ratio.low, row.ratio.high));
  node share =
      add_number(line, std::isnan(row.share) ? "-" : fmt::format("{:.0f} %", 100 * row.share), row.share);
  if (!row.ceiling.empty()) set(share, "title", row.ceiling);
}

const measure::error_below* error_at(const bench_row& row, std::int64_t limit) {
  for (const measure::error_below& error : row.errors)
    if (error.limit == limit) return &error;
  return nullptr;
}

std::string ulp_text(double ulp) {
  constexpr double largest_plain = 1000;
  if (std::isnan(ulp)) return "-";
  return ulp < largest_plain ? fmt::format("{:.3f}", ulp) : number_text(ulp, 2);
}

void add_errors(node line, const bench_row& row, const std::vector<std::int64_t>& limits) {
  double rounded = measure::not_measured;
  for (const std::int64_t limit : limits) {
    const measure::error_below* const error = error_at(row, limit);
    const bool is_refused = error != nullptr && !error->is_served;
    const double ulp = error == nullptr || is_refused ? measure::not_measured : error->ulp;
    add_number(line, is_refused ? "not served" : ulp_text(ulp), ulp);
    if (error != nullptr && error->is_served) rounded = error->correctly_rounded;
  }
  const double distance = limits.size() > 1 ? distance_below(row, limits[1]) : measure::not_measured;
  add_number(line, number_text(distance), distance);
  add_number(line, std::isnan(rounded) ? "-" : fmt::format("{:.4g} %", 100 * rounded), rounded);
}

void add_rows(node to, const measure::bench_record& record) {
  const std::vector<std::int64_t> limits = limits_of(record);
  node body = add_table(to, "Every benchmark", columns_of(limits), true);
  body.parent().attribute("class") = "sortable wide";
  for (const bench_row& row : record.rows) {
    node line = add(body, "tr");
    set(line, "data-kernel", row.kernel);
    set(line, "data-dtype", row.dtype);
    add(line, "td", row.group);
    set(add(line, "th", row.kernel), "scope", "row");
    add(line, "td", row.dtype);
    add(line, "td", row.pairing);
    add_number(line, number_text(static_cast<double>(row.tokens)), static_cast<double>(row.tokens));
    add_times(line, row);
    add_errors(line, row, limits);
    add_classed(line, "td", row.is_wrong ? "fails" : "word", row.check.empty() ? "-" : row.check);
  }
}

void add_ceilings(node to, const measure::bench_record& record) {
  if (record.ceilings.empty()) return;
  node body = add_table(
      to, "How fast this machine copies",
      {{"memory"}, {"threads", "", true}, {"working set", "", true}, {"GB/s", "", true}, {"95 %"}}, true);
  constexpr double kibi = 1024;
  for (const measure::ceiling_record& ceiling : record.ceilings) {
    node line = add(body, "tr");
    const double rate = ceiling.bytes_per_second.median / giga;
    add(line, "td", ceiling.level);
    add_number(line, std::to_string(ceiling.threads), ceiling.threads);
    add_number(line, fmt::format("{} KiB", number_text(std::round(ceiling.working_set / kibi))),
               ceiling.working_set);
    add_number(line, number_text(rate, 4), rate);
    add(line, "td",
        std::isnan(ceiling.bytes_per_second.low)
            ? "-"
            : fmt::format("{} to {}", number_text(ceiling.bytes_per_second.low / giga, 4),
                          number_text(ceiling.bytes_per_second.high / giga, 4)));
  }
}

}  // namespace

void add_measurements(node to, const page& page) {
  node section = add(to, "section");
  section.append_attribute("id") = "measurements";
  add(section, "h2", "Measurements");
  if (page.measured.rows.empty()) {
    add(section, "p", "Nothing was timed.");
    return;
  }
  const auto noisy = std::count_if(page.measured.rows.begin(), page.measured.rows.end(),
                                   [](const bench_row& row) { return !row.noise.empty(); });
  add(section, "p",
      "Times are medians of rounds in which a kernel and a copy of the same bytes ran by turns: their ratio "
      "is what to compare. Below 1, the copy took longer than the kernel, as memcpy may in one run; above "
      "100 "
      "% of the ceiling, the tensors lay partly in a nearer level of memory, or the machine was busier while "
      "it copied. Errors are those of each very kernel, at sampled positions below each limit; a recipe's "
      "may "
      "be beyond the bound of what it promises.");
  if (noisy > 0)
    add(section, "p",
        fmt::format("{} of {} rows are too noisy to say much; they are marked.", noisy,
                    page.measured.rows.size()));
  add_rows(section, page.measured);
  add_ceilings(section, page.measured);
}

}  // namespace ropewalk::report::html
