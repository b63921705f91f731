#pragma once
// Consecutive rows of binary64: sums of angles in pairs of binary64. Exact arithmetic computes the first seed
// and the steps.

#include <cstdint>
#include <functional>
#include <vector>

#include "kernel/page_memory.hpp"
#include "kernel/quarter_turn.hpp"
#include "kernel/simd/simd.hpp"
#include "ropewalk/kernel/rotation_plan.hpp"

namespace ropewalk {

/// Binary64 rows of one plan on one target, with or without the attention factor. Holds pointers to both;
/// several threads may walk over them at once.
class wide_rows {
 public:
  /// A position is the sum of a multiple of 16^levels and one step per level: a multiple of 16^level.
  static constexpr int levels = quarter_turn::wide_levels;
  static constexpr int log2_steps = 4;  // steps of a level
  static constexpr int steps = 1 << log2_steps;

  wide_rows(const rotation_plan& plan, const simd::target& target, bool unit);

  int pairs() const { return plan_->rows.pairs(); }

 private:
  friend class wide_walk;
  std::size_t width() const { return static_cast<std::size_t>(simd::padded(pairs())); }
  double factor() const { return unit_ ? 1 : plan_->attention_factor; }
  bool has_vectors() const { return !least_error_.empty(); }
  double* step(int level, std::int64_t index) const {
    return points_.data() + static_cast<std::size_t>(level * steps + index) * simd::wide_parts * width();
  }
  void make_steps(int pair);

  const rotation_plan* plan_;
  const simd::target* target_;
  bool unit_;
  page_memory<double> points_;       // [levels][steps][wide_parts][padded(pairs)], without the factor
  std::vector<double> least_error_;  // empty if vector arithmetic cannot serve the plan
};

/// Computes binary64 rows one after another. For one thread.
class wide_walk {
 public:
  /// Callback for entries nearer to a tie than `reach`, absolute, which exact arithmetic decides. With a
  /// reach of 0, only for those that the rounding test leaves undecided.
  using watcher = std::function<void(std::int64_t position, int pair)>;

  explicit wide_walk(const wide_rows& rows, double reach = 0, watcher watching = {});

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
  void find_seed(int level, std::int64_t position);
  void make_seed(std::int64_t position);
  void fill_rows(std::int64_t position, int rows, bool streams, double* cos, double* sin);
  double* seed(int level) const {
    return seeds_.data() + static_cast<std::size_t>(level) * simd::wide_parts * rows_->width();
  }

  const wide_rows* rows_;
  double reach_;
  watcher watching_;
  page_memory<double> seeds_;  // [levels][wide_parts][padded(pairs)], then both reaches, each [padded(pairs)]
  std::int64_t seed_at_[wide_rows::levels];  // positions of the seeds, multiples of 16; 1: none yet
  std::vector<std::uint16_t> undecided_;
  std::int64_t by_sum_ = 0;
  std::int64_t exactly_ = 0;
};

}  // namespace ropewalk
