#include "diagnosis/wrong_entries.hpp"

#include <fmt/format.h>

#include <set>
#include <string_view>

#include "diagnosis/shared_by_failures.hpp"

namespace ropewalk::diagnosis {
namespace {

/// The noun for the entries of an array without positions.
std::string_view noun_of(tables::table_kind kind) {
  if (kind == tables::table_kind::t5_buckets) return "relative position";
  if (kind == tables::table_kind::alibi_slopes || kind == tables::table_kind::alibi_bias) return "head";
  return "pair";
}

/// "all 64 pairs that were inspected", "pairs 3 to 5", "position 8192", "positions from 8192 on". `wrong` is
/// in the order of the places.
std::string places_text(const array_reader& array, const std::vector<std::int64_t>& wrong,
                        const std::vector<std::int64_t>& places, std::int64_t places_per_head) {
  const tables::table_kind kind = array.array().layout.kind;
  const bool has_rows = has_positions(array.array().layout) || kind == tables::table_kind::query_scale;
  const bool is_on_axes = array.array().positions.is_on_axes();
  const std::string name = std::string(is_on_axes ? "token"
                                       : has_rows ? "position"
                                                  : noun_of(kind)) +
                           (wrong.size() == 1 ? " " : "s ");
  if (wrong.size() == places.size())
    return fmt::format("all {} {}that were inspected", places.size(),
                       kind == tables::table_kind::alibi_bias ? "entries " : name);
  if (!has_rows) {
    // Buckets belong to relative positions around 0.
    const std::int64_t first = kind == tables::table_kind::t5_buckets ? -(array.places() / 2) : 0;
    std::set<std::int64_t> numbers;
    for (const std::int64_t place : wrong) numbers.insert(first + place / places_per_head);
    return (numbers.size() == 1 ? std::string(noun_of(kind)) + " " : name) + range_text(numbers);
  }
  if (is_on_axes) {
    const std::set<std::int64_t> rows(wrong.begin(), wrong.end());
    return name + range_text(rows);
  }
  const std::string first = array.array().positions.listed().text_at(wrong.front());
  if (wrong.size() == 1) return name + first;
  if (wrong.back() == places.back()) return fmt::format("{}from {} on", name, first);
  return fmt::format("{}among {} to {}", name, first, array.array().positions.listed().text_at(wrong.back()));
}

}  // namespace

std::string shared_by_wrong_entries(array_reader& array, const table_suspects& suspects,
                                    const std::vector<std::int64_t>& places, const promise& promised) {
  std::vector<std::int64_t> wrong;
  for (const std::int64_t place : places)
    if (!suspects.right->allows(array, place, promised)) wrong.push_back(place);
  std::string shared = places_text(array, wrong, places, suspects.places_per_head);
  if (!suspects.seen) return shared;
  const std::string seen = suspects.seen(array, promised, wrong);
  return seen.empty() ? shared : shared + "; " + seen;
}

}  // namespace ropewalk::diagnosis
