#pragma once
// Interface to a subject of a sweep: a source of the entries of a table of cosines and sines.

#include <cstdint>
#include <memory>

#include "ropewalk/config/position_range.hpp"
#include "ropewalk/kernel/kernel.h"
#include "sweep/work_range.hpp"

namespace ropewalk::sweep {

/// How correct entries follow from the exact value.
enum class right_entries {
  rounded_once,     // a table: the exact value rounded to the format
  through_rotation  // a canonical kernel: 16-bit entries are rounded from binary32 entries
};

/// The entries of a table that are present, and the number of copies of each.
struct given_entries {
  bool cos = true;
  bool sin = true;
  int copies = 1;  // copies of every entry; all are checked
};

/// The entries of one table of the subject. For one thread.
class subject {
 public:
  virtual ~subject() = default;

  virtual given_entries given() const { return {}; }
  virtual right_entries right() const { return right_entries::rounded_once; }
  /// Whether -0 instead of +0 is wrong.
  virtual bool has_signed_zeros() const { return true; }
  /// Whether this is the program's own table, whose binary64 entries only their enclosures can decide.
  virtual bool is_own_table() const { return false; }
  /// Preferred number of positions per call of `fill`.
  virtual std::int64_t positions_at_once() const = 0;

  /// Fills the entries of consecutive positions as bits of a format, including the attention factor. Cosines
  /// or sines that are not given are left alone.
  ///
  /// shape   cos, sin [copies, positions, pairs]; elements after the last row, up to a multiple of 8, may be
  ///         overwritten
  virtual void fill(position_range positions, ropewalk_dtype dtype, void* cos, void* sin) = 0;
};

/// Makes the subjects of tables; many threads call it concurrently.
class subject_maker {
 public:
  virtual ~subject_maker() = default;
  /// Refuses a range of work that the subject cannot serve, before any of it is checked.
  ///
  /// throws  bad_input naming the unserved part; missing_requirement
  virtual void require_serves(const work_range& /*of*/) const {}
  virtual std::unique_ptr<subject> subject_of(const swept_table& table) const = 0;
};

/// The program's own tables, as `ropewalk table` writes them.
std::unique_ptr<subject_maker> own_tables();

}  // namespace ropewalk::sweep
