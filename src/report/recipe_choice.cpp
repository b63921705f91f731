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

/// Whether a row has a time to choose by.
bool is_timed(const bench_row& row) {
  return !row.is_wrong && row.not_timed.empty() && row.other == "memcpy" && !std::isnan(row.ratio.median) &&
         dtype_named(row.dtype).has_value();
}

/// The rows that figures compare, of right results that were timed.
plot::measured_rows timed_rows(const measure::bench_record& of) {
  plot::measured_rows r = plot::comparable_rows(of);
  std::erase_if(r, [](const bench_row* row) { return !is_timed(*row); });
  return r;
}

recipe_choice choice_among(plot::measured_rows rows, std::int64_t limit, const std::string& dtype,
                           double radius) {
  recipe_choice r{dtype, limit, measure::rounding_distance(dtype, radius)};
  std::sort(rows.begin(), rows.end(),
            [](const bench_row* a, const bench_row* b) { return a->ratio.median < b->ratio.median; });
  for (const bench_row* row : rows) {
    const double distance = distance_below(*row, limit);
    if (!(distance <= r.rounding)) continue;
    if (row->kernel == binary64_recipe) r.in_binary64 = row;
    if (r.take == nullptr) {
      r.take = row;
      r.distance = distance;
    } else if (row->ratio.low <= r.take->ratio.high) {
      r.as_good.push_back(row);
    }
  }
  if (r.take == nullptr) return r;
  for (const bench_row* row : rows) {
    if (row == r.take) break;
    const double distance = distance_below(*row, limit);
    const bool is_beaten = !r.faster.empty() && distance >= distance_below(*r.faster.back().row, limit);
    if (!std::isnan(distance) && !is_beaten)
      r.faster.push_back({row, r.take->ratio.median / row->ratio.median, distance / r.distance});
  }
  std::reverse(r.faster.begin(), r.faster.end());
  return r;
}

}  // namespace

double distance_below(const bench_row& of, std::int64_t limit) {
  for (const measure::error_below& one : of.errors)
    if (one.limit == limit && one.is_served) return one.distance;
  return measure::not_measured;
}

std::vector<recipe_choice> recipe_choices(const measure::bench_record& of, double radius) {
  const plot::measured_rows rows = timed_rows(of);
  std::vector<std::int64_t> limits;
  for (const bench_row* row : rows)
    for (const measure::error_below& one : row->errors) add_once(limits, one.limit);
  std::sort(limits.begin(), limits.end());
  std::vector<recipe_choice> r;
  for (const std::string& dtype : plot::dtypes_of(rows))
    for (const std::int64_t limit : limits)
      r.push_back(choice_among(plot::of_dtype(rows, dtype), limit, dtype, radius));
  return r;
}

}  // namespace ropewalk::report
