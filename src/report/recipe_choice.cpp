#include "report/recipe_choice.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "report/once.hpp"
#include "ropewalk/kernel/dtype.hpp"
#include "ropewalk/numeric/format.hpp"

namespace ropewalk::report {

using measure::bench_row;

namespace {

using measured_kernels = std::vector<const bench_row*>;

bool is_comparable(const bench_row& row) {
  return row.noun == "apply" && !row.is_wrong && row.not_timed.empty() && row.threads == 1 &&
         row.other == "memcpy" && !std::isnan(row.ratio.median) && dtype_named(row.dtype).has_value();
}

/// The rows of a dtype with the size of call and the pairing that most of them have.
measured_kernels comparable_rows(const measure::bench_record& of, const std::string& dtype) {
  std::map<std::pair<std::int64_t, std::string>, measured_kernels> groups;
  for (const bench_row& row : of.rows)
    if (is_comparable(row) && row.dtype == dtype) groups[{row.tokens, row.pairing}].push_back(&row);
  measured_kernels r;
  for (const auto& [size, rows] : groups)
    if (rows.size() >= r.size()) r = rows;
  return r;
}

recipe_choice choice_among(measured_kernels rows, std::int64_t limit, const std::string& dtype,
                           double radius) {
  recipe_choice r{dtype, limit, rounding_distance(dtype, radius)};
  std::sort(rows.begin(), rows.end(),
            [](const bench_row* a, const bench_row* b) { return a->ratio.median < b->ratio.median; });
  for (const bench_row* row : rows) {
    const double distance = distance_below(*row, limit);
    if (!(distance <= r.rounding)) continue;
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

double rounding_distance(const std::string& dtype, double radius) {
  const auto half_ulp = [&]<class Float>() {
    return std::ldexp(1.0, std::ilogb(std::nextafter(radius, 0.0)) - format<Float>::precision);
  };
  const auto named = dtype_named(dtype);
  const double once = with_format(*named, half_ulp);
  const double before = size_of(*named) < size_of(ROPEWALK_F32) ? half_ulp.operator()<float>() : 0;
  return std::sqrt(2.0) * (once + before);
}

double distance_below(const bench_row& of, std::int64_t limit) {
  for (const measure::error_below& one : of.errors)
    if (one.limit == limit && one.is_served) return one.distance;
  return measure::not_measured;
}

std::vector<recipe_choice> recipe_choices(const measure::bench_record& of, double radius) {
  std::vector<std::string> dtypes;
  std::vector<std::int64_t> limits;
  for (const bench_row& row : of.rows) {
    if (!is_comparable(row)) continue;
    add_once(dtypes, row.dtype);
    for (const measure::error_below& one : row.errors) add_once(limits, one.limit);
  }
  std::sort(limits.begin(), limits.end());
  std::vector<recipe_choice> r;
  for (const std::string& dtype : dtypes)
    for (const std::int64_t limit : limits)
      r.push_back(choice_among(comparable_rows(of, dtype), limit, dtype, radius));
  return r;
}

}  // namespace ropewalk::report
