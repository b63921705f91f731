#include "diagnosis/wrong_entries.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ropewalk::diagnosis {

std::string shared_by_wrong_entries(array_reader& array, const suspected_table& right,
                                    const std::vector<std::int64_t>& places, const promise& promised) {
  std::vector<std::int64_t> wrong, held;
  for (const std::int64_t place : places)
    (right.allows(array, place, promised) ? held : wrong).push_back(place);
  if (wrong.empty() || held.empty()) return "none of the properties that were checked";
  if (!has_positions(array.array().layout)) {
    const auto [least, most] = std::minmax_element(wrong.begin(), wrong.end());
    return *most + 1 == array.places() ? fmt::format("pairs from {} on", *least)
                                       : fmt::format("pairs {} to {}", *least, *most);
  }
  return fmt::format("positions from {} on", array.array().positions.text_at(wrong.front()));
}

}  // namespace ropewalk::diagnosis
