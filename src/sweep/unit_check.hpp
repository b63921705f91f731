#pragma once
// Checks the entries of a unit against exact values. For every entry a proved enclosure, computed again,
// decides the rounding; exact arithmetic decides where a tie lies inside.

#include <atomic>
#include <cstdint>
#include <memory>

#include "sweep/subject.hpp"
#include "sweep/tally.hpp"
#include "sweep/work_range.hpp"

namespace ropewalk::sweep {

/// How the right entries are computed. Exact arithmetic decides those near a tie.
enum class right_rows {
  by_sums,   // of other seeds and other steps than the table's: at the speed of the table
  by_phases  // each entry from its own phase: sums and seeds have no part in it
};

/// Checks units of one table. For one thread.
class unit_check {
 public:
  unit_check(const swept_table& table, const subject_maker& maker, right_rows rows = right_rows::by_sums);
  ~unit_check();

  /// What checking a unit's entries found. binary64 entries of the program's own table are not compared: the
  /// enclosures that decide them are the table's own.
  ///
  /// throws  what the subject throws
  tally check(const unit& unit);

 private:
  class rows;
  std::unique_ptr<rows> rows_;
};

/// Entries nearer to a tie than this, in ulps, are sent to exact arithmetic, so that a unit has enough hard
/// cases and not many more: from 2^-17 down to 2^-27, smaller for larger units.
double near_tie_distance(std::int64_t entries);

}  // namespace ropewalk::sweep
