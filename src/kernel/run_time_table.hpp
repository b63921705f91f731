#pragma once
// Long tables of cosines and sines in any format, correctly rounded, by vectors: what `ropewalk table` writes.

#include <cstdint>

#include "kernel/fast_rows.hpp"
#include "kernel/wide_rows.hpp"
#include "ropewalk/config/rope.hpp"
#include "ropewalk/kernel/resolved.hpp"
#include "ropewalk/kernel/rotation_plan.hpp"

namespace ropewalk {

/// An encoding's rows, attention factor included. Many threads may fill from one.
class run_time_table {
 public:
  /// throws  std::invalid_argument naming the field and its value; undecided where a scaling rule is not decided
  explicit run_time_table(const rope& config);
  run_time_table(const run_time_table&) = delete;
  run_time_table& operator=(const run_time_table&) = delete;

  int pairs() const { return plan_.rows.pairs(); }
  const rope_rows& exact() const { return plan_.rows; }

  /// Consecutive rows as bits; returns which step of Ziv's loop decided how many of their entries.
  ///
  /// shape   cos, sin [positions, pairs]
  /// error   correctly rounded; sin 0 is +0
  /// throws  undecided at the cap of Ziv's loop
  template <floating_format Float>
  decided_entries fill(position_range positions, bits_of<Float>* cos, bits_of<Float>* sin) const;

 private:
  resolved_encoding resolved_;
  rotation_plan plan_;
  fast_rows fast_;
  wide_rows wide_;  // binary64
};

}  // namespace ropewalk
