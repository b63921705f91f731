#include "kernel/wide_rows.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "kernel/quarter_turn.hpp"
#include "kernel/row_space.hpp"

namespace ropewalk {
namespace {

/// The binary64 nearest to the midpoint of an enclosure.
double nearest(const enclosure<3>& x) {
  return from_bits<double>(round<double>(enclosure<3>{x.midpoint, {}}).bits);
}

struct two_numbers {
  double high;
  double low;
};

two_numbers split(const enclosure<3>& x) {
  if (is_zero(x.midpoint)) return {0, 0};
  const enclosure<3> middle{x.midpoint, {}};
  const double high = nearest(middle);
  const enclosure<3> rest = middle - enclosure<3>::of(high);  // exact: fits in three limbs
  return {high, is_zero(rest.midpoint) ? 0 : nearest(rest)};
}

/// Cosine and sine of the sum of two angles; the enclosures carry both errors.
cos_sin<3> sum_of(const cos_sin<3>& a, const cos_sin<3>& b) {
  return {a.cos * b.cos - a.sin * b.sin, a.sin * b.cos + a.cos * b.sin};
}

/// Whether the error of a point is within the budget of a seed or a step with this factor.
bool is_good(const cos_sin<3>& point, double factor) {
  const int allowed = quarter_turn::wide_seed_exponent + std::ilogb(factor);
  const auto is_within = [&](const radius& error) {
    return is_zero(error) || error.exponent + 32 <= allowed;
  };
  return is_within(point.cos.error) && is_within(point.sin.error);
}

/// Error that seeds and steps with the factor may add to an entry: 0 if they are exact, infinite if one
/// exceeds its budget. `farthest` is the point with the widest enclosures.
double least_error(const cos_sin<3>& farthest, double factor) {
  if (is_exact(farthest.cos) && is_exact(farthest.sin)) return 0;
  if (!is_good(farthest, factor)) return std::numeric_limits<double>::infinity();
  return factor * quarter_turn::wide_least_error;
}

/// Stores a point in column `pair` of a row of wide_parts.
void store(const cos_sin<3>& point, double* row, std::size_t width, int pair) {
  const two_numbers c = split(point.cos), s = split(point.sin);
  double* part = row + pair;
  for (const double number : {c.high, c.low, s.high, s.low}) {
    *part = number;
    part += width;
  }
}

constexpr std::int64_t span_of(int level) { return std::int64_t{1} << (level * wide_rows::log2_steps); }

}  // namespace

wide_rows::wide_rows(const rotation_plan& plan, const simd::target& target, bool unit)
    : plan_(&plan), target_(&target), unit_(unit) {
  if (target.wide.seed == nullptr || factor() < quarter_turn::smallest_factor ||
      factor() > quarter_turn::largest_factor)
    return;
  const std::size_t entries = std::size_t{levels * steps} * simd::wide_parts * width();
  points_ = page_memory<double>(entries);
  std::fill_n(points_.data(), entries, 0.0);
  least_error_.assign(width(), 0);
  for (int pair = 0; pair < pairs(); ++pair) {
    make_steps(pair);
    least_error_[static_cast<std::size_t>(pair)] =
        std::max(least_error(plan.rows.exact<3>(pair, smallest_position, true), 1) * factor(),
                 least_error(plan.rows.exact<3>(pair, smallest_position, unit), factor()));
  }
}

/// Computes the other steps of a level, and the first step of the next level, as sums of the level's first
/// step.
void wide_rows::make_steps(int pair) {
  cos_sin<3> first = plan_->rows.exact<3>(pair, 1, true);
  for (int level = 0; level < levels; ++level) {
    cos_sin<3> point = plan_->rows.exact<3>(pair, 0, true);
    for (std::int64_t index = 0; index < steps; ++index) {
      store(point, step(level, index), width(), pair);
      point = index == 0 ? first : sum_of(point, first);
      if (!is_good(point, 1)) point = plan_->rows.exact<3>(pair, (index + 1) * span_of(level), true);
    }
    first = point;
  }
}

wide_walk::wide_walk(const wide_rows& rows, double reach, watcher watching)
    : rows_(&rows),
      reach_(reach),
      watching_(std::move(watching)),
      undecided_(static_cast<std::size_t>(rows.pairs())) {
  std::fill(std::begin(seed_at_), std::end(seed_at_), 1);
  if (!rows.has_vectors()) return;
  const std::size_t entries = (wide_rows::levels * simd::wide_parts + 2) * rows.width();
  seeds_ = page_memory<double>(entries);
  std::fill_n(seeds_.data(), entries, 0.0);
}

void wide_walk::rows(position_range positions, double* cos, double* sin) {
  const rope_rows& exact = rows_->plan_->rows;
  const std::int64_t pairs = rows_->pairs();
  if (!rows_->has_vectors()) {
    const auto entries = static_cast<std::size_t>(size(positions) * pairs);
    std::vector<std::uint64_t> cos_bits(entries), sin_bits(entries);
    exact.rows<double>(positions, rows_->unit_, cos_bits.data(), sin_bits.data());
    std::transform(cos_bits.begin(), cos_bits.end(), cos, from_bits<double>);
    std::transform(sin_bits.begin(), sin_bits.end(), sin, from_bits<double>);
    exactly_ += static_cast<std::int64_t>(entries);
    return;
  }
  const bool is_dense = pairs % simd::block_pairs == 0;  // vectors end where rows end
  const bool streams = simd::may_stream(size(positions), pairs, cos, sin);
  row_space<double> space(rows_->pairs());
  std::int64_t count = 1;
  for (std::int64_t position = positions.begin; position < positions.end; position += count) {
    double* const to_cos = cos + (position - positions.begin) * pairs;
    double* const to_sin = sin + (position - positions.begin) * pairs;
    find_seed(0, position);
    if (is_dense) {
      count = std::min(positions.end, seed_at_[0] + wide_rows::steps) - position;
      fill_rows(position, static_cast<int>(count), streams, to_cos, to_sin);
      continue;
    }
    fill_rows(position, 1, false, space.cos(), space.sin());
    std::copy_n(space.cos(), pairs, to_cos);
    std::copy_n(space.sin(), pairs, to_sin);
  }
  if (streams) rows_->target_->finish_streaming();
}

/// Computes the seed of a level that serves a position from the next level's seed, unless it is present.
void wide_walk::find_seed(int level, std::int64_t position) {
  const std::int64_t count = position & -span_of(level + 1);
  if (seed_at_[level] == count) return;
  if (level + 1 == wide_rows::levels) {
    make_seed(count);
  } else {
    find_seed(level + 1, position);
    const std::int64_t index = (count - seed_at_[level + 1]) / span_of(level + 1);
    rows_->target_->wide.seed(seed(level + 1), rows_->step(level + 1, index), rows_->pairs(), seed(level));
  }
  seed_at_[level] = count;
}

/// Computes the coarsest seed by exact arithmetic, and the reaches for all positions between it and the next.
void wide_walk::make_seed(std::int64_t position) {
  const int level = wide_rows::levels - 1;
  const double largest = static_cast<double>(std::abs(position) + span_of(wide_rows::levels));
  const std::size_t width = rows_->width();
  double* const reaches = seed(wide_rows::levels);
  const double* const first_sin = rows_->step(0, 1) + 2 * width;
  for (int pair = 0; pair < rows_->pairs(); ++pair) {
    const auto at = static_cast<std::size_t>(pair);
    store(rows_->plan_->rows.exact<3>(pair, position, rows_->unit_), seed(level), width, pair);
    const double error = rows_->factor() * quarter_turn::wide_sum_error, least = rows_->least_error_[at];
    reaches[at] = std::max(reach_, error + least);
    reaches[width + at] = std::max(reach_, error * std::min(1.0, largest * std::abs(first_sin[at])) + least);
  }
}

void wide_walk::fill_rows(std::int64_t position, int rows, bool streams, double* cos, double* sin) {
  const simd::sum_functions<double, simd::wide_angle_sum>& sums = rows_->target_->wide.sums;
  const double* const reaches = seed(wide_rows::levels);
  const int pairs = rows_->pairs();
  simd::wide_angle_sum angles{seed(0), rows_->step(0, position - seed_at_[0]), reaches,
                              reaches + rows_->width(), pairs};
  by_sum_ += std::int64_t{rows} * pairs;
  std::uint32_t left = (streams ? sums.stream_rows : sums.rows)(angles, rows, cos, sin);
  for (; left != 0; left &= left - 1) {
    const int row = std::countr_zero(left);
    double *const row_cos = cos + row * pairs, *const row_sin = sin + row * pairs;
    angles.steps = rows_->step(0, position + row - seed_at_[0]);
    const int listed = sums.row(angles, row_cos, row_sin, undecided_.data());
    by_sum_ -= listed;
    exactly_ += listed;
    for (int i = 0; i < listed; ++i) {
      const int pair = undecided_[static_cast<std::size_t>(i)];
      const cos_sin_bits<double> entry = rows_->plan_->rows.entry<double>(pair, position + row, rows_->unit_);
      row_cos[pair] = from_bits<double>(entry.cos);
      row_sin[pair] = from_bits<double>(entry.sin);
      if (watching_) watching_(position + row, pair);
    }
  }
}

}  // namespace ropewalk
