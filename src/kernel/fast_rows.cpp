#include "kernel/fast_rows.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "kernel/quarter_turn.hpp"
#include "kernel/row_space.hpp"
#include "ropewalk/table/turns_table.hpp"

namespace ropewalk {
namespace {

/// Turns per position in the layout of the vector code. A pair that never turns has no phase error. A pair
/// whose 96 bits are undecided gets an infinite error, so that exact arithmetic decides all of its entries.
std::vector<simd::turn_block> turn_blocks(const rope_rows& rows) {
  const int pairs = rows.pairs();
  std::vector<simd::turn_block> r(static_cast<std::size_t>(simd::padded(pairs) / simd::block_pairs));
  for (int pair = 0; pair < pairs; ++pair) {
    simd::turn_block& block = r[static_cast<std::size_t>(pair / simd::block_pairs)];
    const int lane = pair % simd::block_pairs;
    const enclosure<rope_rows::limb_count>& turns = rows.turns(pair);
    const rounded_fraction<3> fraction = round_fraction<3>(turns);
    block.low[lane] = fraction.bits[0];
    block.middle[lane] = fraction.bits[1];
    block.high[lane] = fraction.bits[2];
    const bool stands_still = is_exact(turns) && is_zero(turns.midpoint);
    block.phase_error[lane] = stands_still       ? 0
                              : fraction.decided ? quarter_turn::phase_error
                                                 : std::numeric_limits<double>::infinity();
  }
  return r;
}

}  // namespace

fast_rows::fast_rows(const rotation_plan& plan, const simd::target& target)
    : plan_(&plan),
      target_(&target),
      blocks_(turn_blocks(plan.rows)),
      factor_(plan.attention_factor),
      factor_fits_(factor_ >= quarter_turn::smallest_factor && factor_ <= quarter_turn::largest_factor) {
  still_cos_[true] = 1;
  const rounding<float> factor = round<float>(plan.rows.attention_factor());
  // If the factor is undecided, rows at position 0 go to exact arithmetic, which decides or throws.
  knows_still_cos_ = factor.decided;
  still_cos_[false] = from_bits<float>(factor.bits);
  const auto width = static_cast<std::size_t>(simd::padded(pairs()));
  step_cos_.resize(width * steps);
  step_sin_.resize(width * steps);
  for (std::int64_t step = 0; step < steps; ++step) {
    const std::size_t first = static_cast<std::size_t>(step) * width;
    target.seed(source(true), step, step_cos_.data() + first, step_sin_.data() + first);
  }
  constexpr double doubled = quarter_turn::sum_phase_error / quarter_turn::phase_error;
  for (const simd::turn_block& block : blocks_)
    for (const double error : block.phase_error) sum_phase_error_.push_back(doubled * error);
}

void fast_rows::decide_exactly(std::int64_t position, bool unit, int pair, float* cos, float* sin) const {
  const cos_sin_bits<float> entry = plan_->rows.entry<float>(pair, position, unit);
  cos[pair] = from_bits<float>(entry.cos);
  sin[pair] = from_bits<float>(entry.sin);
}

int fast_rows::try_row(std::int64_t position, bool unit, float* cos, float* sin,
                       std::uint16_t* undecided) const {
  if (position == 0 && (unit || knows_still_cos_)) {
    std::fill_n(cos, pairs(), still_cos_[unit]);
    std::fill_n(sin, pairs(), 0.0f);
    return 0;
  }
  if (position != 0 && has_vectors(unit)) return target_->row(source(unit), position, cos, sin, undecided);
  std::iota(undecided, undecided + pairs(), std::uint16_t{0});
  return pairs();
}

int fast_rows::row(std::int64_t position, bool unit, float* cos, float* sin, std::uint16_t* undecided) const {
  const int listed = try_row(position, unit, cos, sin, undecided);
  for (int i = 0; i < listed; ++i) decide_exactly(position, unit, undecided[i], cos, sin);
  return listed;
}

void fast_rows::row(std::int64_t position, bool unit, double* cos, double* sin, std::uint16_t*) const {
  for (int pair = 0; pair < pairs(); ++pair) {
    const cos_sin_bits<double> entry = plan_->rows.entry<double>(pair, position, unit);
    cos[pair] = from_bits<double>(entry.cos);
    sin[pair] = from_bits<double>(entry.sin);
  }
}

row_walk::row_walk(const fast_rows& rows) : rows_(&rows), last_(std::numeric_limits<std::int64_t>::min()) {}

/// Whether the walk has a seed for a position. A seed is computed only when the position follows the previous
/// one: for a single token it would cost more than it saves.
bool row_walk::finds_seed(std::int64_t position, bool unit) {
  const std::int64_t wanted = position & -fast_rows::steps;
  const bool follows = position - 1 == last_;
  last_ = position;
  if (seed_ == wanted && seed_unit_ == unit) return true;
  if (!follows) return false;
  const auto width = static_cast<std::size_t>(simd::padded(rows_->pairs()));
  cos_.resize(width);
  sin_.resize(width);
  rows_->target_->seed(rows_->source(unit), wanted, cos_.data(), sin_.data());
  seed_ = wanted;
  seed_unit_ = unit;
  return true;
}

void row_walk::row(std::int64_t position, bool unit, float* cos, float* sin, std::uint16_t* undecided) {
  if (position == 0 || !rows_->has_vectors(unit) || !finds_seed(position, unit)) {
    last_ = position;
    const int exact = rows_->row(position, unit, cos, sin, undecided);
    decided_.by_polynomial += rows_->pairs() - exact;
    decided_.exactly += exact;
    return;
  }
  const std::size_t step =
      static_cast<std::size_t>(position - seed_) * static_cast<std::size_t>(simd::padded(rows_->pairs()));
  const simd::row_source source = rows_->source(unit);
  const simd::target& target = *rows_->target_;
  const int listed = (streams_ ? target.stream_sum : target.sum)(
      {cos_.data(), sin_.data(), rows_->step_cos_.data() + step, rows_->step_sin_.data() + step,
       rows_->sum_phase_error_.data(), source.factor, source.pairs},
      cos, sin, undecided);
  decided_.by_sum += source.pairs - listed;
  if (listed != 0) decide_again(position, unit, listed, cos, sin, undecided);
}

/// Recomputes each block that has an undecided pair from its own phases; exact arithmetic decides what is
/// still open.
void row_walk::decide_again(std::int64_t position, bool unit, int listed, float* cos, float* sin,
                            const std::uint16_t* undecided) {
  const simd::row_source source = rows_->source(unit);
  int done = -1;
  decided_.by_polynomial += listed;
  for (int i = 0; i < listed; ++i) {
    const int block = undecided[i] / simd::block_pairs, first = block * simd::block_pairs;
    if (block == done) continue;
    done = block;
    std::uint16_t left[simd::block_pairs];
    const int pairs = std::min(simd::block_pairs, source.pairs - first);
    const int exact = rows_->target_->row({source.blocks + block, pairs, source.factor}, position,
                                          cos + first, sin + first, left);
    for (int k = 0; k < exact; ++k) rows_->decide_exactly(position, unit, first + left[k], cos, sin);
    decided_.exactly += exact;
    decided_.by_polynomial -= exact;
  }
}

/// Whether the rows are many enough to bypass the caches and each consists of whole aligned vectors.
bool row_walk::may_stream(position_range positions, const float* cos, const float* sin) const {
  const std::int64_t row_bytes = rows_->pairs() * static_cast<std::int64_t>(sizeof(float));
  return size(positions) > simd::streamed_bytes / (2 * row_bytes) &&
         row_bytes % simd::stream_alignment == 0 && simd::is_stream_aligned(cos) &&
         simd::is_stream_aligned(sin);
}

void row_walk::rows(position_range positions, bool unit, float* cos, float* sin) {
  const auto pairs = static_cast<std::size_t>(rows_->pairs());
  row_space<float> space(rows_->pairs());
  streams_ = may_stream(positions, cos, sin);
  const bool is_dense = pairs % simd::block_pairs == 0;  // vectors end where rows end
  for (std::int64_t position = positions.begin; position < positions.end;
       ++position, cos += pairs, sin += pairs) {
    if (is_dense) {
      row(position, unit, cos, sin, space.undecided());
      continue;
    }
    row(position, unit, space.cos(), space.sin(), space.undecided());
    std::copy_n(space.cos(), pairs, cos);
    std::copy_n(space.sin(), pairs, sin);
  }
  if (streams_) rows_->target_->finish_streaming();
  streams_ = false;
}

}  // namespace ropewalk
