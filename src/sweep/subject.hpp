#pragma once
// What a sweep checks: anything that gives the entries of a table of cosines and sines.

#include <cstdint>
#include <memory>

#include "ropewalk/config/position_range.hpp"
#include "ropewalk/kernel/kernel.h"
#include "sweep/work_range.hpp"

namespace ropewalk::sweep {

/// How the entries that are right follow from the exact value.
enum class right_entries {
  rounded_once,     // a table: the exact value, rounded to the format
  through_rotation  // a canonical kernel's outputs: 16-bit formats are rounded from binary32 entries
};

/// Which entries of a table are there, and how often each.
struct given_entries {
  bool cos = true;
  bool sin = true;
  int copies = 1;  // of every entry, all of which are checked
};

/// The entries of one table, from what is checked. For one thread.
class subject {
 public:
  virtual ~subject() = default;

  virtual given_entries given() const { return {}; }
  virtual right_entries right() const { return right_entries::rounded_once; }
  /// Whether -0 instead of +0 is wrong.
  virtual bool has_signed_zeros() const { return true; }
  /// Whether it is the program's own table, whose binary64 entries only their enclosures can decide.
  virtual bool is_own_table() const { return false; }
  /// Positions per call of `fill`, where it is given so many.
  virtual std::int64_t positions_at_once() const = 0;

  /// Fills the entries of consecutive positions as bits of a format, attention factor included; of cosines
  /// and sines, those that are given.
  ///
  /// shape   cos, sin [copies, positions, pairs]; the elements after them, up to a multiple of 8 in the last
  ///         row, may be overwritten
  virtual void fill(position_range positions, ropewalk_dtype dtype, void* cos, void* sin) = 0;
};

/// Makes subjects of a table; called by many threads at once.
class subject_maker {
 public:
  virtual ~subject_maker() = default;
  /// Refuses a range of work that what is checked cannot fill, before any of it is checked.
  ///
  /// throws  bad_input naming what it does not serve; missing_requirement
  virtual void require_serves(const work_range& /*of*/) const {}
  virtual std::unique_ptr<subject> subject_of(const swept_table& table) const = 0;
};

/// The program's own tables, as `ropewalk table` writes them.
std::unique_ptr<subject_maker> own_tables();

}  // namespace ropewalk::sweep
