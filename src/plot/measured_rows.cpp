#include "plot/measured_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <sstream>

#include "input/bad_input.hpp"
#include "plot/ticks.hpp"

namespace ropewalk::plot {
namespace {

constexpr std::string_view dtype_order[] = {"f64", "f32", "f16", "bf16"};

std::size_t rank_of_dtype(std::string_view dtype) {
  return static_cast<std::size_t>(std::find(std::begin(dtype_order), std::end(dtype_order), dtype) -
                                  std::begin(dtype_order));
}

/// The most frequent key of the rows; the smallest of several.
template <class Key>
Key most_common(const measured_rows& rows, Key measure::bench_row::*member) {
  std::map<Key, std::size_t> counts;
  for (const auto* row : rows) ++counts[row->*member];
  const auto best = std::max_element(counts.begin(), counts.end(), [](const auto& item, const auto& other) {
    return item.second < other.second;
  });
  return best == counts.end() ? Key{} : best->first;
}

template <class Key>
measured_rows only(const measured_rows& rows, Key measure::bench_row::*member, const Key& value) {
  measured_rows result;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(result),
               [&](const auto* row) { return row->*member == value; });
  return result;
}

/// Whether a kernel is another kernel's version for one instruction set: "cpu-turns-avx2".
bool is_of_one_target(const measure::bench_record& record, const std::string& kernel) {
  const auto targets = record.context.find("targets");
  if (targets == record.context.end()) return false;
  std::istringstream words(targets->second);
  for (std::string target; words >> target;)
    if (kernel.ends_with("-" + target)) return true;
  return false;
}

}  // namespace

const measure::bench_record& record_of(const subject& subject) {
  if (subject.measured == nullptr)
    throw bad_input("bench", "missing", "a file from `ropewalk bench --out`, which this figure needs");
  return *subject.measured;
}

measured_rows forward_rows(const measure::bench_record& record) {
  measured_rows rows;
  for (const measure::bench_row& row : record.rows)
    if (row.group == "apply" && row.threads == 1 && !is_of_one_target(record, row.kernel))
      rows.push_back(&row);
  return only(rows, &measure::bench_row::pairing, most_common(rows, &measure::bench_row::pairing));
}

measured_rows comparable_rows(const measure::bench_record& record) {
  const measured_rows all = forward_rows(record);
  return only(all, &measure::bench_row::tokens, most_common(all, &measure::bench_row::tokens));
}

std::vector<std::string> dtypes_of(const measured_rows& rows) {
  std::vector<std::string> dtypes;
  for (const auto* row : rows)
    if (std::find(dtypes.begin(), dtypes.end(), row->dtype) == dtypes.end()) dtypes.push_back(row->dtype);
  std::stable_sort(dtypes.begin(), dtypes.end(), [](const auto& item, const auto& other) {
    return rank_of_dtype(item) < rank_of_dtype(other);
  });
  return dtypes;
}

measured_rows of_dtype(const measured_rows& rows, std::string_view dtype) {
  return only(rows, &measure::bench_row::dtype, std::string(dtype));
}

std::vector<std::string> kernels_of(const measured_rows& rows) {
  std::vector<std::string> kernels;
  using enum measure::kernel_role;
  for (const auto role : {canonical, given, recipe})
    for (const auto* row : rows)
      if (row->role == role && std::find(kernels.begin(), kernels.end(), row->kernel) == kernels.end())
        kernels.push_back(row->kernel);
  return kernels;
}

role role_of(measure::kernel_role kernel_role) {
  switch (kernel_role) {
    case measure::kernel_role::canonical: return role::canonical;
    case measure::kernel_role::recipe: return role::recipe;
    case measure::kernel_role::given: break;
  }
  return role::given;
}

int colour_of_dtype(std::string_view dtype) { return static_cast<int>(rank_of_dtype(dtype)); }

int colour_of_kernel(role kernel_role, std::size_t ordinal) {
  // Cold colours for this library's kernels, warm ones for recipes.
  static constexpr int canonical_colours[] = {0, 5}, recipe_colours[] = {1, 4, 3, 6, 7},
                       given_colours[] = {2};
  const auto pick = [&](const auto& colours) { return colours[ordinal % std::size(colours)]; };
  return kernel_role == role::canonical ? pick(canonical_colours)
         : kernel_role == role::recipe  ? pick(recipe_colours)
                                        : pick(given_colours);
}

std::string short_label(const std::string& kernel) {
  constexpr std::string_view prefix = "recipe-";
  return kernel.starts_with(prefix) ? kernel.substr(prefix.size()) : kernel;
}

std::string measured_where(const measure::bench_record& record, const measured_rows& rows) {
  if (rows.empty()) return "no rows";
  const measure::bench_row& first = *rows.front();
  const auto processor = record.context.find("processor");
  return fmt::format("{} tokens of {} heads, {}{}", label_of(static_cast<double>(first.tokens)), first.heads,
                     first.pairing, processor == record.context.end() ? "" : ", " + processor->second);
}

void add_role_legend(panel& to, const measured_rows& rows) {
  constexpr std::pair<role, const char*> names[] = {
      {role::canonical, "this library"}, {role::recipe, "recipes of engines"}, {role::given, "yours"}};
  for (const auto& [wanted, name] : names) {
    const bool is_there = std::any_of(rows.begin(), rows.end(), [&, searched = wanted](const auto* row) {
      return role_of(row->role) == searched;
    });
    if (is_there)
      to.series.push_back(
          {.name = name, .mark = mark::points, .role = wanted, .x = {}, .y = {}, .colour = neutral_colour});
  }
}

}  // namespace ropewalk::plot
