#pragma once
// Consecutive rows of binary64: seeds by exact arithmetic, and between them sums of angles in pairs of
// binary64.

#include <cstdint>
#include <vector>

#include "kernel/simd/simd.hpp"
#include "ropewalk/kernel/rotation_plan.hpp"

namespace ropewalk {

/// Rows whose entries are unevaluated sums of two binary64 numbers.
///
/// shape   each [rows, simd::padded(pairs)]
struct wide_table {
  std::vector<double> cos, cos_low, sin, sin_low;

  void resize(std::size_t entries);
  void set(std::size_t at, const cos_sin<3>& point);
  simd::wide_row row(std::size_t first) const;
};

/// Binary64 rows of one plan on one target, with the attention factor or without. Keeps pointers to both;
/// several threads may walk over them at once.
class wide_rows {
 public:
  static constexpr std::int64_t steps = 256;  // positions that share one seed

  wide_rows(const rotation_plan& plan, const simd::target& target, bool unit);

  int pairs() const { return plan_->rows.pairs(); }

 private:
  friend class wide_walk;
  double factor() const { return unit_ ? 1 : plan_->attention_factor; }
  bool has_vectors() const { return !least_error_.empty(); }

  const rotation_plan* plan_;
  const simd::target* target_;
  bool unit_;
  wide_table steps_;
  std::vector<cos_sin<3>> stride_points_;  // per pair: the point at position `steps`, without the factor
  std::vector<double> least_error_;        // empty where vector arithmetic cannot serve the plan
};

/// Computes binary64 rows one after another. For one thread.
class wide_walk {
 public:
  explicit wide_walk(const wide_rows& rows) : rows_(&rows) {}

  /// Fills the rows of consecutive positions.
  ///
  /// shape   cos, sin [positions, pairs]
  /// error   correctly rounded; sin 0 is +0
  /// throws  undecided at the cap of Ziv's loop
  void rows(position_range positions, double* cos, double* sin);

  /// Number of entries that sums of angles decided, and that exact arithmetic decided.
  std::int64_t decided_by_sum() const { return by_sum_; }
  std::int64_t decided_exactly() const { return exactly_; }

 private:
  void find_seed(std::int64_t seed);
  void fill_row(std::int64_t position, double* cos, double* sin, std::uint16_t* undecided);

  const wide_rows* rows_;
  std::vector<cos_sin<3>> seed_points_;
  std::int64_t seed_at_ = 1;  // position of the seed, a multiple of `steps`; 1: none yet
  wide_table seed_;
  std::int64_t by_sum_ = 0;
  std::int64_t exactly_ = 0;
};

}  // namespace ropewalk
