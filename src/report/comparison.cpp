#include "report/comparison.hpp"

#include <fmt/format.h>

#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "array/table_promises.hpp"
#include "input/bad_input.hpp"
#include "output/record.hpp"

namespace ropewalk::report {
namespace {

using array::comparison;
using array::entry_place;
using array::is_somewhere;
using array::ulp_marks;

/// Names promises, and describes places in words ("position 7, pair 1, sin") and as records.
class place_names {
 public:
  explicit place_names(const tables::table& content) : content_(content) {}

  std::string text(const entry_place& place) const {
    return tables::text_of(content_.entry_at(place.row, place.column));
  }

  std::string promise(const ropewalk::promise& promised) const {
    return array::name_of_promise(content_, promised);
  }

  input::json record(const entry_place& place) const {
    if (!is_somewhere(place)) return nullptr;
    input::json record;
    for (const tables::coordinate& coordinate : content_.entry_at(place.row, place.column))
      record[coordinate.name] =
          coordinate.is_word ? input::json(coordinate.value) : input::any_value_of(coordinate.value);
    return record;
  }

 private:
  const tables::table& content_;
};

/// Whether the largest error is known in ulps: a NaN has no distance, and 2^64 ulps do not fit.
bool is_counted(const comparison& comparison) { return comparison.largest_ulp != ~std::uint64_t{0}; }

std::string ulp_text(const comparison& comparison) {
  if (is_counted(comparison)) return fmt::format("{} ulp", comparison.largest_ulp);
  return comparison.not_numbers > 0 ? "not a number" : "2^64 ulp or more";
}

/// Known computations that give the same bits.
std::string recipe_text(const comparison& comparison) {
  std::vector<std::string> names = comparison.recipes;
  if (comparison.is_canonical()) names.insert(names.begin(), "correct rounding of the exact values");
  return names.empty() ? "none known" : fmt::format("{}", fmt::join(names, "; "));
}

/// The strictest promise with parts that the array keeps; empty if it keeps none.
std::string kept_promise(const comparison& comparison, const place_names& names) {
  for (const array::tried_promise& promise : comparison.promises)
    if (!is_somewhere(promise.broken_at)) return names.promise(promise.value);
  return {};
}

/// The strictest promise that the array keeps.
std::string strictest(const comparison& comparison, const place_names& names) {
  if (comparison.is_canonical()) return "correct rounding";
  const std::string kept = kept_promise(comparison, names);
  return kept.empty() ? "none of the promises" : kept + " (--promise " + kept + " judges by it)";
}

std::string text_of(const comparison& comparison, const place_names& names) {
  std::string text;
  const std::int64_t equal = comparison.entries - comparison.different;
  text += fmt::format("entries            {}\n", comparison.entries);
  text += fmt::format("correctly rounded  {} ({:.4f} %)\n", equal,
                      100 * static_cast<double>(equal) / static_cast<double>(comparison.entries));
  if (comparison.not_numbers > 0) text += fmt::format("not a number       {}\n", comparison.not_numbers);
  if (is_somewhere(comparison.worst_ulp))
    text +=
        fmt::format("largest error      {} at {}\n", ulp_text(comparison), names.text(comparison.worst_ulp));
  if (is_somewhere(comparison.worst_absolute))
    text += fmt::format("                   {:.6g} absolute at {}\n", comparison.largest_absolute,
                        names.text(comparison.worst_absolute));
  for (std::size_t i = 0; i < ulp_marks.size(); ++i)
    text +=
        fmt::format("first past {:<4} ulp {}\n", ulp_marks[i],
                    is_somewhere(comparison.first_past[i]) ? names.text(comparison.first_past[i]) : "none");
  text += fmt::format("recipe             {}\n", recipe_text(comparison));
  if (comparison.promises.empty()) return text;
  text += fmt::format("as good as         {}\n", strictest(comparison, names));
  if (comparison.is_canonical()) return text;
  std::vector<std::pair<std::string, std::string>> beyond;  // names of promises, and where they are broken
  for (const array::tried_promise& promise : comparison.promises) {
    if (!is_somewhere(promise.broken_at)) continue;
    const std::string name = names.promise(promise.value), place = names.text(promise.broken_at);
    if (!beyond.empty() && beyond.back().second == place)
      beyond.back().first += ", " + name;
    else
      beyond.emplace_back(name, place);
  }
  for (const auto& [name, place] : beyond) text += fmt::format("beyond {} from {} on\n", name, place);
  return text;
}

input::json record_of(const comparison& comparison, const place_names& names) {
  input::json record = {
      {"entries", comparison.entries},
      {"correctly_rounded", comparison.entries - comparison.different},
      {"not_a_number", comparison.not_numbers},
      {"largest_error",
       {{"ulp", is_counted(comparison) ? input::json(comparison.largest_ulp) : input::json()},
        {"at", names.record(comparison.worst_ulp)},
        {"absolute", comparison.largest_absolute},
        {"absolute_at", names.record(comparison.worst_absolute)}}}};
  for (std::size_t i = 0; i < ulp_marks.size(); ++i)
    record["first_past_ulp"][std::to_string(ulp_marks[i])] = names.record(comparison.first_past[i]);
  record["recipes"] = comparison.recipes;
  for (const array::tried_promise& promise : comparison.promises)
    record["promises"][names.promise(promise.value)] = {{"keeps", !is_somewhere(promise.broken_at)},
                                                        {"broken_at", names.record(promise.broken_at)}};
  return record;
}

}  // namespace

std::string comparison_text(const comparison& comparison, const tables::table& content) {
  return text_of(comparison, place_names(content));
}

input::json comparison_record(const comparison& comparison, const tables::table& content) {
  return record_of(comparison, place_names(content));
}

void print(const std::vector<compared_array>& all, const tables::table& content, bool as_json) {
  const place_names names(content);
  input::json records = input::json::array();
  for (const compared_array& array : all) {
    if (as_json) {
      records.push_back(record_of(array.compared, names));
      records.back()["array"] = array.place;
      continue;
    }
    if (all.size() > 1) std::cout << (&array == &all.front() ? "" : "\n") << printable(array.place) << "\n";
    std::cout << text_of(array.compared, names);
  }
  if (as_json) std::cout << output::pretty(all.size() == 1 ? records.front() : records);
}

}  // namespace ropewalk::report
