#pragma once
// Long tables of correctly rounded cosines and sines in any format, computed by vector arithmetic, for the
// command `ropewalk table`.

#include <cstdint>
#include <memory>
#include <mutex>

#include "kernel/fast_rows.hpp"
#include "kernel/wide_rows.hpp"
#include "ropewalk/encoding/placed_rope.hpp"
#include "ropewalk/kernel/resolved.hpp"
#include "ropewalk/kernel/rotation_plan.hpp"

namespace ropewalk {

/// The rows of one encoding, attention factor included, at one position on all axes. Several threads may call
/// `fill` at once.
class run_time_table {
 public:
  /// throws  std::invalid_argument naming the field and its value; undecided if a scaling rule cannot be
  ///         decided
  explicit run_time_table(const rope& config) : run_time_table(placed_rope{config}) {}
  explicit run_time_table(const placed_rope& config);
  run_time_table(const run_time_table&) = delete;
  run_time_table& operator=(const run_time_table&) = delete;

  int pairs() const { return plan_.rows.pairs(); }
  const rope_rows& exact() const { return plan_.rows; }
  const fast_rows& fast() const { return fast_; }
  /// The binary64 rows behind `fill`, computed on first use.
  const wide_rows& wide() const;

  /// Fills consecutive rows; returns how many of their entries each step of Ziv's loop decided.
  ///
  /// shape   cos, sin [positions, pairs]
  /// error   correctly rounded; sin 0 is +0
  /// throws  undecided at the cap of Ziv's loop
  template <floating_format Float>
  decided_entries fill(position_range positions, row_entry<Float>* cos, row_entry<Float>* sin) const;

 private:
  resolved_encoding resolved_;
  rotation_plan plan_;
  fast_rows fast_;
  mutable std::once_flag wide_made_;
  mutable std::unique_ptr<wide_rows> wide_;  // binary64: expensive, so computed on first use
};

}  // namespace ropewalk
