#include "kernel/fast_rows.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <type_traits>
#include <utility>

#include "kernel/quarter_turn.hpp"
#include "ropewalk/table/turns_table.hpp"

namespace ropewalk {
namespace {

/// Turns per position in the layout of the vector code. A pair that never turns has no phase error. A pair
/// whose 96 bits are undecided gets an infinite error, so that exact arithmetic decides all of its entries.
std::vector<simd::turn_block> turn_blocks(const rope_rows& rows) {
  const int pairs = rows.pairs();
  std::vector<simd::turn_block> blocks(static_cast<std::size_t>(simd::padded(pairs) / simd::block_pairs));
  for (int pair = 0; pair < pairs; ++pair) {
    simd::turn_block& block = blocks[static_cast<std::size_t>(pair / simd::block_pairs)];
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
  return blocks;
}

template <class Narrow>
const simd::narrow_functions& narrow_functions_of(const simd::target& target) {
  return std::is_same_v<Narrow, binary16> ? target.binary16_rows : target.bfloat16_rows;
}

template <class Float>
auto row_function_of(const simd::target& target) {
  if constexpr (std::is_same_v<Float, float>)
    return target.row;
  else
    return narrow_functions_of<Float>(target).row;
}

template <class Float>
const auto& sum_functions_of(const simd::target& target) {
  if constexpr (std::is_same_v<Float, float>)
    return target.sums;
  else
    return narrow_functions_of<Float>(target).sums;
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
  const std::size_t all = width() * steps;
  steps_ = page_memory<double>(2 * all);
  for (std::int64_t step = 0; step < steps; ++step) {
    double* const cos = steps_.data() + static_cast<std::size_t>(step) * width();
    target.seed(source(true), step, cos, cos + all);
  }
  widest_step_sin_.resize(width());
  for (std::size_t at = 0; at < all; ++at) {
    double& widest = widest_step_sin_[at % width()];
    widest = std::max(widest, std::abs(steps_.data()[all + at]));
  }
}

template <class Float>
void fast_rows::decide_exactly(std::int64_t position, bool unit, int pair, row_entry<Float>* cos,
                               row_entry<Float>* sin) const {
  const cos_sin_bits<Float> entry = plan_->rows.entry<Float>(pair, position, unit);
  cos[pair] = std::bit_cast<row_entry<Float>>(entry.cos);
  sin[pair] = std::bit_cast<row_entry<Float>>(entry.sin);
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
  for (int i = 0; i < listed; ++i) decide_exactly<float>(position, unit, undecided[i], cos, sin);
  return listed;
}

template <class Narrow>
int fast_rows::narrow_row(std::int64_t position, bool unit, std::uint16_t* cos, std::uint16_t* sin,
                          std::uint16_t* undecided) const {
  int listed = pairs();
  if (position != 0 && has_vectors(unit))
    listed = row_function_of<Narrow>(*target_)(source(unit), position, cos, sin, undecided);
  else
    std::iota(undecided, undecided + pairs(), std::uint16_t{0});
  for (int i = 0; i < listed; ++i) decide_exactly<Narrow>(position, unit, undecided[i], cos, sin);
  return listed;
}

void fast_rows::row(std::int64_t position, bool unit, double* cos, double* sin, std::uint16_t*) const {
  for (int pair = 0; pair < pairs(); ++pair) {
    const cos_sin_bits<double> entry = plan_->rows.entry<double>(pair, position, unit);
    cos[pair] = from_bits<double>(entry.cos);
    sin[pair] = from_bits<double>(entry.sin);
  }
}

row_walk::row_walk(const fast_rows& rows, watched watching)
    : rows_(&rows), watched_(std::move(watching)), last_(std::numeric_limits<std::int64_t>::min()) {
  const bool is_long = rows.width() > usual_pairs;
  if (is_long) {
    long_row_ = page_memory<double>(4 * rows.width());
    long_reaches_ = page_memory<float>(2 * rows.width());
  }
  seed_row_ = is_long ? long_row_.data() : usual_row_.data();
  float_reaches_ = is_long ? long_reaches_.data() : usual_reaches_.data();
}

/// The position of the seed for a position.
std::int64_t row_walk::seed_before(std::int64_t position) const {
  const std::int64_t first = watched_.first_seed;
  return std::max(((position - first) & -fast_rows::steps) + first, smallest_position);
}

/// Whether the walk has a seed for a position. A seed is computed only if the position follows the previous
/// one, or if all rows are watched: for a single token it would cost more than it saves.
bool row_walk::finds_seed(std::int64_t position, bool unit) {
  const std::int64_t count = seed_before(position);
  const bool follows = position - 1 == last_;
  last_ = position;
  if (position == 0 || !rows_->has_vectors(unit)) return false;
  if (seed_ == count && seed_unit_ == unit) return true;
  if (!follows && !watched_.undecided) return false;
  const std::size_t width = rows_->width();
  double *const cos = seed_row_, *const sin = cos + width, *const reaches = sin + width;
  float* const narrow = float_reaches_;
  const simd::row_source source = rows_->source(unit);
  rows_->target_->seed(source, count, cos, sin);
  rows_->target_->reach(source, quarter_turn::sum_error + watched_.relative_reach,
                        rows_->widest_step_sin_.data(), cos, sin,
                        {reaches, reaches + width, narrow, narrow + width});
  seed_ = count;
  seed_unit_ = unit;
  return true;
}

/// The sums for rows of the seed's steps, from a position on.
simd::angle_sum row_walk::sums_from(std::int64_t position) const {
  const std::size_t width = rows_->width();
  const double* const seed = seed_row_;
  const double* const step = rows_->steps_.data() + static_cast<std::size_t>(position - seed_) * width;
  const double* const reaches = seed + 2 * width;
  const float* const narrow = float_reaches_;
  return {.cos = seed,
          .sin = seed + width,
          .step_cos = step,
          .step_sin = step + fast_rows::steps * width,
          .cos_reach = reaches,
          .sin_reach = reaches + width,
          .cos_float_reach = narrow,
          .sin_float_reach = narrow + width,
          .pairs = rows_->pairs()};
}

template <class Float>
void row_walk::row(std::int64_t position, bool unit, row_entry<Float>* cos, row_entry<Float>* sin,
                   std::uint16_t* undecided) {
  if (finds_seed(position, unit))
    sum_rows<Float>(sum_functions_of<Float>(*rows_->target_).rows, position, 1, unit, cos, sin, undecided);
  else
    lone_row<Float>(position, unit, cos, sin, undecided);
}

/// Computes the row of a position from its own phases.
template <class Float>
void row_walk::lone_row(std::int64_t position, bool unit, row_entry<Float>* cos, row_entry<Float>* sin,
                        std::uint16_t* undecided) {
  int exact = 0;
  if constexpr (std::is_same_v<Float, float>)
    exact = rows_->row(position, unit, cos, sin, undecided);
  else
    exact = rows_->narrow_row<Float>(position, unit, cos, sin, undecided);
  decided_.by_polynomial += rows_->pairs() - exact;
  decided_.exactly += exact;
  if (watched_.undecided)
    for (int i = 0; i < exact; ++i) watched_.undecided(position, undecided[i]);
}

/// Computes the rows of positions that share the seed.
template <class Float, class Sums>
void row_walk::sum_rows(Sums sums, std::int64_t position, int rows, bool unit, row_entry<Float>* cos,
                        row_entry<Float>* sin, std::uint16_t* undecided) {
  const int pairs = rows_->pairs();
  decided_.by_sum += std::int64_t{rows} * pairs;
  for (std::uint32_t left = sums(sums_from(position), rows, cos, sin); left != 0; left &= left - 1) {
    const int row = std::countr_zero(left), first = row * pairs;
    const int listed = sum_functions_of<Float>(*rows_->target_)
                           .row(sums_from(position + row), cos + first, sin + first, undecided);
    decided_.by_sum -= listed;
    decide_again<Float>(position + row, unit, listed, cos + first, sin + first, undecided);
  }
}

/// Recomputes each block that has an undecided pair from its own phases; exact arithmetic decides the rest.
template <class Float>
void row_walk::decide_again(std::int64_t position, bool unit, int listed, row_entry<Float>* cos,
                            row_entry<Float>* sin, const std::uint16_t* undecided) {
  const simd::row_source source = rows_->source(unit);
  int done = -1;
  decided_.by_polynomial += listed;
  for (int i = 0; i < listed; ++i) {
    const int block = undecided[i] / simd::block_pairs, first = block * simd::block_pairs;
    if (block == done) continue;
    done = block;
    std::uint16_t left[simd::block_pairs];
    const int pairs = std::min(simd::block_pairs, source.pairs - first);
    const int exact = row_function_of<Float>(*rows_->target_)({source.blocks + block, pairs, source.factor},
                                                              position, cos + first, sin + first, left);
    for (int k = 0; k < exact; ++k) rows_->decide_exactly<Float>(position, unit, first + left[k], cos, sin);
    decided_.exactly += exact;
    decided_.by_polynomial -= exact;
  }
  if (watched_.undecided)
    for (int i = 0; i < listed; ++i) watched_.undecided(position, undecided[i]);
}

template <class Float>
void row_walk::rows(position_range positions, bool unit, row_entry<Float>* cos, row_entry<Float>* sin) {
  const std::int64_t pairs = rows_->pairs();
  constexpr int whole = sizeof(row_entry<Float>) == 2 ? simd::row_multiple : simd::block_pairs;
  if (pairs % whole != 0) return padded_rows<Float>(positions, unit, cos, sin);
  undecided_.resize(static_cast<std::size_t>(pairs));
  const bool streams = simd::may_stream(size(positions), pairs, cos, sin);
  const auto& functions = sum_functions_of<Float>(*rows_->target_);
  const auto sums = streams ? functions.stream_rows : functions.rows;
  std::int64_t count = 1;
  for (std::int64_t position = positions.begin; position < positions.end; position += count) {
    const std::int64_t entries = (position - positions.begin) * pairs;
    row_entry<Float>* const to_cos = cos + entries;
    row_entry<Float>* const to_sin = sin + entries;
    const bool has_seed = finds_seed(position, unit);
    // The row at position 0 is computed alone.
    const std::int64_t end = position < 0 ? std::min(positions.end, std::int64_t{0}) : positions.end;
    count = has_seed ? std::min(end, seed_ + fast_rows::steps) - position : 1;
    if (has_seed)
      sum_rows<Float>(sums, position, static_cast<int>(count), unit, to_cos, to_sin, undecided_.data());
    else
      lone_row<Float>(position, unit, to_cos, to_sin, undecided_.data());
    last_ = position + count - 1;
  }
  if (streams) rows_->target_->finish_streaming();
}

/// The same for rows that do not end at a whole vector.
template <class Float>
void row_walk::padded_rows(position_range positions, bool unit, row_entry<Float>* cos,
                           row_entry<Float>* sin) {
  const auto pairs = static_cast<std::size_t>(rows_->pairs());
  const auto width = static_cast<std::size_t>(simd::padded(rows_->pairs()));
  std::vector<row_entry<Float>> row_cos(width), row_sin(width);
  undecided_.resize(width);
  for (std::int64_t position = positions.begin; position < positions.end;
       ++position, cos += pairs, sin += pairs) {
    row<Float>(position, unit, row_cos.data(), row_sin.data(), undecided_.data());
    std::copy_n(row_cos.data(), pairs, cos);
    std::copy_n(row_sin.data(), pairs, sin);
  }
}

template void row_walk::row<float>(std::int64_t, bool, float*, float*, std::uint16_t*);
template void row_walk::rows<float>(position_range, bool, float*, float*);
template void row_walk::rows<binary16>(position_range, bool, std::uint16_t*, std::uint16_t*);
template void row_walk::rows<bfloat16>(position_range, bool, std::uint16_t*, std::uint16_t*);

}  // namespace ropewalk
