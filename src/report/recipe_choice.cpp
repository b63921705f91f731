#include "report/recipe_choice.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "measure/rounding_distance.hpp"
#include "plot/measured_rows.hpp"
#include "report/once.hpp"
#include "ropewalk/kernel/dtype.hpp"

namespace ropewalk::report {

using measure::bench_row;

namespace {

constexpr std::string_view binary64_recipe = "recipe-f64";

/// Whether a row has a usable time.
bool is_timed(const bench_row& row) {
  return !row.is_wrong && row.not_timed.empty() && row.other == "memcpy" && !std::isnan(row.ratio.median) &&
         dtype_named(row.dtype).has_value();
}

/// The rows compared by figures that have right results and times.
plot::measured_rows timed_rows(const measure::bench_record& record) {
  plot::measured_rows rows = plot::comparable_rows(record);
  std::erase_if(rows, [](const bench_row* row) { return !is_timed(*row); });
  return rows;
}

recipe_choice choice_among(plot::measured_rows rows, std::int64_t limit, const std::string& dtype,
                           double radius) {
  recipe_choice choice{dtype, limit, measure::rounding_distance(dtype, radius)};
  std::sort(rows.begin(), rows.end(),
            [](const bench_row* a, const bench_row* b) { return a->ratio.median < b->ratio.median; });
  for (const bench_row* row : rows) {
    const double distance = distance_below(*row, limit);
    if (!(distance <= choice.rounding)) continue;
    if (row->kernel == binary64_recipe) choice.in_binary64 = row;
    if (choice.take == nullptr) {
      choice.take = row;
      choice.distance = distance;
    } else if (row->ratio.low <= choice.take->ratio.high) {
      choice.as_good.push_back(row);
    }
  }
  if (choice.take == nullptr) return choice;
  for (const bench_row* row : rows) {
    if (row == choice.take) break;
    const double distance = distance_below(*row, limit);
    const bool is_beaten =
        !choice.faster.empty() && distance >= distance_below(*choice.faster.back().row, limit);
    if (!std::isnan(distance) && !is_beaten)
      choice.faster.push_back(
          {row, choice.take->ratio.median / row->ratio.median, distance / choice.distance});
  }
  std::reverse(choice.faster.begin(), choice.faster.end());
  return choice;
}

}  // namespace

double distance_below(const bench_row& row, std::int64_t limit) {
  for (const measure::error_below& error : row.errors)
    if (error.limit == limit && error.is_served) return error.distance;
  return measure::not_measured;
}

std::vector<recipe_choice> recipe_choices(const measure::bench_record& record, double radius) {
  const plot::measured_rows rows = timed_rows(record);
  std::vector<std::int64_t> limits;
  for (const bench_row* row : rows)
    for (const measure::error_below& error : row->errors) add_once(limits, error.limit);
  std::sort(limits.begin(), limits.end());
  std::vector<recipe_choice> choices;
  for (const std::string& dtype : plot::dtypes_of(rows))
    for (const std::int64_t limit : limits)
      choices.push_back(choice_among(plot::of_dtype(rows, dtype), limit, dtype, radius));
  return choices;
}

}  // namespace ropewalk::report
