// Laws on arrays of the scale of queries.

#include "array/array_laws.hpp"
#include "array/checked_array.hpp"
#include "ropewalk/law/table/query_scale_laws.hpp"

namespace ropewalk::array {

std::vector<array_law> array_laws(const tables::query_scale_content& content, tables::table_dtype dtype,
                                  const promise&) {
  std::vector<array_law> laws;
  if (!has_runs(content.positions)) return laws;
  constexpr std::int64_t rows = 1 << 16;
  const position_range all = content.positions.range;
  const auto add = [&](const law<checked_query_scales>& tested_law, bool compares_rows) {
    const auto measure = [=, config = content.config](const std::byte* array, row_run run) {
      const checked_query_scales scales{law_dtype(dtype), rows_as_source(array, dtype, 1, all), config};
      const std::int64_t begin = all.begin + run.first, end = begin + run.count;
      const bool has_next = compares_rows && end < all.end;
      return tested_law.measure(scales, {begin, end + (has_next ? 1 : 0)});
    };
    laws.push_back({tested_law.text(), size(all), rows, measure, compares_rows});
  };
  add(query_scale_laws::scale_one, false);
  add(query_scale_laws::scale_rising, true);
  add(query_scale_laws::scale_steps, true);
  return laws;
}

}  // namespace ropewalk::array
