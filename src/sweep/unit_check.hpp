#pragma once
// Checks the entries of a unit against exact values. A proved enclosure of every entry, computed again,
// decides the rounding; if it contains a tie, exact arithmetic decides.

#include <atomic>
#include <cstdint>
#include <memory>

#include "sweep/subject.hpp"
#include "sweep/tally.hpp"
#include "sweep/work_range.hpp"

namespace ropewalk::sweep {

/// How correct entries are computed. Exact arithmetic decides those near a tie.
enum class right_rows {
  by_sums,   // sums with other seeds and steps than the table's: at its speed
  by_phases  // each entry from its own phase, without sums or seeds
};

/// Checks units of one table. For one thread.
class unit_check {
 public:
  unit_check(const swept_table& table, const subject_maker& maker, right_rows rows = right_rows::by_sums);
  ~unit_check();

  /// Checks a unit's entries. binary64 entries of the program's own table are not compared: their enclosures
  /// come from the table itself.
  ///
  /// throws  exceptions of the subject
  tally check(const unit& unit);

 private:
  class rows;
  std::unique_ptr<rows> rows_;
};

/// Distance from a tie, in ulps, below which entries are sent to exact arithmetic. It is chosen to give each
/// unit enough hard cases and few more: from 2^-17 down to 2^-27, smaller for larger units.
double near_tie_distance(std::int64_t entries);

}  // namespace ropewalk::sweep
