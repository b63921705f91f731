#include "kernel/wide_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

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

/// Cosine and sine of the sum of two angles; the enclosures carry both errors along.
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

/// Error that a seed or step with the factor may add to a product: 0 where it is exact, infinite where it
/// exceeds its budget. `farthest` is the point with the widest enclosures.
double least_error(const cos_sin<3>& farthest, double factor) {
  if (is_exact(farthest.cos) && is_exact(farthest.sin)) return 0;
  if (!is_good(farthest, factor)) return std::numeric_limits<double>::infinity();
  return 4 * factor * quarter_turn::wide_seed_error;
}

}  // namespace

void wide_table::resize(std::size_t entries) {
  for (auto* part : {&cos, &cos_low, &sin, &sin_low}) part->resize(entries);
}

void wide_table::set(std::size_t at, const cos_sin<3>& point) {
  const two_numbers c = split(point.cos), s = split(point.sin);
  cos[at] = c.high;
  cos_low[at] = c.low;
  sin[at] = s.high;
  sin_low[at] = s.low;
}

simd::wide_row wide_table::row(std::size_t first) const {
  return {cos.data() + first, cos_low.data() + first, sin.data() + first, sin_low.data() + first};
}

wide_rows::wide_rows(const rotation_plan& plan, const simd::target& target, bool unit)
    : plan_(&plan), target_(&target), unit_(unit) {
  if (target.wide_sum == nullptr || factor() < quarter_turn::smallest_factor ||
      factor() > quarter_turn::largest_factor)
    return;
  const auto width = static_cast<std::size_t>(simd::padded(pairs()));
  steps_.resize(width * steps);
  least_error_.assign(width, 0);
  for (int pair = 0; pair < pairs(); ++pair) {
    const auto at = static_cast<std::size_t>(pair);
    const cos_sin<3> one = plan.rows.exact<3>(pair, 1, true);
    cos_sin<3> point = plan.rows.exact<3>(pair, 0, true);
    for (std::int64_t step = 0; step < steps; ++step) {
      steps_.set(static_cast<std::size_t>(step) * width + at, point);
      point = sum_of(point, one);
      if (!is_good(point, 1)) point = plan.rows.exact<3>(pair, step + 1, true);
    }
    stride_points_.push_back(point);
    least_error_[at] = least_error(plan.rows.exact<3>(pair, smallest_position, true), 1) +
                       least_error(plan.rows.exact<3>(pair, smallest_position, unit), factor());
  }
}

void wide_walk::rows(position_range positions, double* cos, double* sin) {
  const rope_rows& exact = rows_->plan_->rows;
  const auto pairs = static_cast<std::size_t>(rows_->pairs());
  if (!rows_->has_vectors()) {
    const std::size_t entries = static_cast<std::size_t>(size(positions)) * pairs;
    std::vector<std::uint64_t> cos_bits(entries), sin_bits(entries);
    exact.rows<double>(positions, rows_->unit_, cos_bits.data(), sin_bits.data());
    std::transform(cos_bits.begin(), cos_bits.end(), cos, from_bits<double>);
    std::transform(sin_bits.begin(), sin_bits.end(), sin, from_bits<double>);
    exactly_ += static_cast<std::int64_t>(entries);
    return;
  }
  row_space<double> space(rows_->pairs());
  for (std::int64_t position = positions.begin; position < positions.end;
       ++position, cos += pairs, sin += pairs) {
    find_seed(position & -wide_rows::steps);
    fill_row(position, space.cos(), space.sin(), space.undecided());
    std::copy_n(space.cos(), pairs, cos);
    std::copy_n(space.sin(), pairs, sin);
  }
}

void wide_walk::find_seed(std::int64_t seed) {
  if (seed == seed_at_) return;
  const bool follows = seed == seed_at_ + wide_rows::steps;
  seed_points_.resize(rows_->stride_points_.size());
  seed_.resize(rows_->least_error_.size());
  for (std::size_t pair = 0; pair < seed_points_.size(); ++pair) {
    cos_sin<3>& point = seed_points_[pair];
    if (follows) point = sum_of(point, rows_->stride_points_[pair]);
    if (!follows || !is_good(point, rows_->factor()))
      point = rows_->plan_->rows.exact<3>(static_cast<int>(pair), seed, rows_->unit_);
    seed_.set(pair, point);
  }
  seed_at_ = seed;
}

void wide_walk::fill_row(std::int64_t position, double* cos, double* sin, std::uint16_t* undecided) {
  const std::size_t step = static_cast<std::size_t>(position - seed_at_) * rows_->least_error_.size();
  const int listed = rows_->target_->wide_sum(
      {seed_.row(0), rows_->steps_.row(step), rows_->least_error_.data(), rows_->pairs()}, cos, sin,
      undecided);
  by_sum_ += rows_->pairs() - listed;
  exactly_ += listed;
  for (int i = 0; i < listed; ++i) {
    const int pair = undecided[i];
    const cos_sin_bits<double> entry = rows_->plan_->rows.entry<double>(pair, position, rows_->unit_);
    cos[pair] = from_bits<double>(entry.cos);
    sin[pair] = from_bits<double>(entry.sin);
  }
}

}  // namespace ropewalk
