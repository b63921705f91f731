#pragma once
// Arrays as the sources that laws of tables ask: rows of a run of positions, or single numbers.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "array/array_law.hpp"
#include "export/table_kind.hpp"
#include "input/positions.hpp"
#include "ropewalk/config/position_range.hpp"

namespace ropewalk::array {

/// The dtype of a floating-point array, as laws name it.
constexpr ropewalk_dtype law_dtype(tables::table_dtype dtype) { return static_cast<ropewalk_dtype>(dtype); }
constexpr tables::table_dtype table_dtype_of(ropewalk_dtype dtype) {
  return static_cast<tables::table_dtype>(dtype);
}

/// Entries first .. first + count - 1 of an array, widened.
inline std::vector<std::uint64_t> entries_of(const std::byte* array, tables::table_dtype dtype,
                                             std::int64_t first, std::int64_t count) {
  return in_format(dtype, [&]<class Float>() {
    std::vector<std::uint64_t> entries;
    for (std::int64_t i = first; i < first + count; ++i) entries.push_back(bits_at<bits_of<Float>>(array, i));
    return entries;
  });
}

/// Whether an array's rows are consecutive integer positions, as laws of runs of positions need.
inline bool has_runs(const input::position_list& positions) {
  return !positions.is_real() && !positions.is_listed && positions.size() > 0;
}

/// Rows of consecutive positions as a source for laws: source(positions, config) gives the array's entries,
/// whatever the configuration.
inline auto rows_as_source(const std::byte* array, tables::table_dtype dtype, std::int64_t columns,
                           position_range all) {
  return [=](position_range positions, const auto&) {
    return entries_of(array, dtype, (positions.begin - all.begin) * columns, size(positions) * columns);
  };
}

/// Adds a law of tables on each run of rows; `subject` makes what is judged from the array.
template <class Subject, class MakeSubject>
void add_on_runs(std::vector<array_law>& to, const law<Subject>& tested_law, std::int64_t rows_per_run,
                 position_range all, MakeSubject subject) {
  to.push_back({tested_law.text(), size(all), rows_per_run,
                [tested_law, all, subject](const std::byte* array, row_run run) {
                  const std::int64_t begin = all.begin + run.first;
                  return tested_law.measure(subject(array), {begin, begin + run.count});
                }});
}

/// Adds a law of tables that judges one case of the whole array.
template <class Subject, class MakeSubject>
void add_on_whole(std::vector<array_law>& to, const law<Subject>& tested_law,
                  typename Subject::case_type test_case, MakeSubject subject) {
  to.push_back({tested_law.text(), 1, 1, [tested_law, test_case, subject](const std::byte* array, row_run) {
                  return tested_law.measure(subject(array), test_case);
                }});
}

}  // namespace ropewalk::array
