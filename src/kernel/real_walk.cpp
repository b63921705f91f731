#include "kernel/real_walk.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "kernel/quarter_turn.hpp"

namespace ropewalk {
namespace {

/// a - b if it is exactly a whole number from 0 to end - 1.
std::optional<std::int64_t> whole_difference(double a, double b, std::int64_t end) {
  const double difference = a - b;
  if (!(difference >= 0 && difference < static_cast<double>(end))) return std::nullopt;
  const double of_b = difference - a, of_a = difference - of_b;
  const double rounded_off = (a - of_a) + (-b - of_b);  // exact: Moller and Knuth's sum of two numbers
  const auto whole = static_cast<std::int64_t>(difference);
  if (rounded_off != 0 || static_cast<double>(whole) != difference) return std::nullopt;
  return whole;
}

}  // namespace

void real_walk::row(double position, float* cos, float* sin, std::uint16_t* undecided) {
  if (finds_seed(position) && sums(position, cos, sin)) return;
  rows_->row(0, position, unit_, cos, sin, undecided);
}

/// Whether the walk has a seed for a position. A seed is computed only if the position follows the previous
/// one: for a single token it would cost more than it saves. Exact phases have exact zeros, which sums cannot
/// decide.
bool real_walk::finds_seed(double position) {
  const bool follows = has_last_ && whole_difference(position, last_, 2) == 1;
  last_ = position;
  has_last_ = true;
  if (position == 0 || rows_->has_exact_turns() || !rows_->whole_rows().has_vectors(unit_)) return false;
  if (has_seed_ && whole_difference(position, seed_, fast_rows::steps)) return true;
  if (follows) make_seed(position);
  return follows;
}

void real_walk::make_seed(double position) {
  const fast_rows& whole = rows_->whole_rows();
  const std::size_t width = whole.width();
  seed_row_.resize(4 * width);
  float_reaches_.resize(2 * width);
  sum_errors_.resize(whole.blocks_.size());
  double *const cos = seed_row_.data(), *const sin = cos + width, *const reaches = sin + width;
  float* const narrow = float_reaches_.data();
  const real_rows::source from = rows_->source_of(0, position, unit_);
  whole.target().real_seed(from.turns, from.magnitude, cos, sin);
  constexpr double of_sum =
      quarter_turn::real_sum_phase_error * (quarter_turn::phase_error / quarter_turn::sum_phase_error);
  for (int pair = 0; pair < whole.pairs(); ++pair) {
    const int block = pair / simd::block_pairs, lane = pair % simd::block_pairs;
    const double both = whole.blocks_[static_cast<std::size_t>(block)].phase_error[lane] +
                        from.turns.blocks[block].phase_error[lane];
    // 0 if both are, infinite if exactly one is.
    sum_errors_[static_cast<std::size_t>(block)].phase_error[lane] = both == 0 ? 0 : std::max(both, of_sum);
  }
  whole.target().reach({sum_errors_.data(), whole.pairs(), from.turns.factor}, quarter_turn::sum_error,
                       whole.widest_step_sin_.data(), cos, sin,
                       {reaches, reaches + width, narrow, narrow + width});
  seed_ = position;
  has_seed_ = true;
}

/// Computes the row of a position as sums; false if some entry is undecided.
bool real_walk::sums(double position, float* cos, float* sin) const {
  const fast_rows& whole = rows_->whole_rows();
  const std::size_t width = whole.width();
  const double* const seed = seed_row_.data();
  const double* const step = whole.steps_.data() + static_cast<std::size_t>(position - seed_) * width;
  const float* const narrow = float_reaches_.data();
  const simd::angle_sum angles{.cos = seed,
                               .sin = seed + width,
                               .step_cos = step,
                               .step_sin = step + fast_rows::steps * width,
                               .cos_reach = seed + 2 * width,
                               .sin_reach = seed + 3 * width,
                               .cos_float_reach = narrow,
                               .sin_float_reach = narrow + width,
                               .pairs = whole.pairs()};
  return whole.target().sums.rows(angles, 1, cos, sin) == 0;
}

}  // namespace ropewalk
