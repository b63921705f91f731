#pragma once
// Results that one line of a report stands for.

#include <algorithm>
#include <vector>

#include "report/report.hpp"

namespace ropewalk::report {

using group = std::vector<const verify::result*>;

/// Groups the wanted results. On one screen, results that belong together
/// share a group; otherwise each is alone.
template <class IsWanted, class BelongTogether>
std::vector<group> groups_of(const verify::results& of, detail shown, IsWanted is_wanted,
                             BelongTogether belong_together) {
  std::vector<group> r;
  for (const verify::result& one : of.lines) {
    if (!is_wanted(one)) continue;
    const auto place = std::find_if(r.begin(), r.end(), [&](const group& so_far) {
      return shown == detail::screen && belong_together(*so_far.front(), one);
    });
    if (place == r.end())
      r.push_back({&one});
    else
      place->push_back(&one);
  }
  return r;
}

}  // namespace ropewalk::report
