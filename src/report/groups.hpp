#pragma once
// Groups results that share a line of a report.

#include <algorithm>
#include <vector>

#include "report/report.hpp"

namespace ropewalk::report {

using group = std::vector<const verify::result*>;

/// Groups the wanted results. On one screen, results that belong together
/// share a group; otherwise each is alone.
template <class IsWanted, class BelongTogether>
std::vector<group> groups_of(const verify::results& results, detail shown, IsWanted is_wanted,
                             BelongTogether belong_together) {
  std::vector<group> groups;
  for (const verify::result& line : results.lines) {
    if (!is_wanted(line)) continue;
    const auto place = std::find_if(groups.begin(), groups.end(), [&](const group& so_far) {
      return shown == detail::screen && belong_together(*so_far.front(), line);
    });
    if (place == groups.end())
      groups.push_back({&line});
    else
      place->push_back(&line);
  }
  return groups;
}

}  // namespace ropewalk::report
