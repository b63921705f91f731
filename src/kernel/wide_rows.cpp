#include "kernel/wide_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernel/quarter_turn.hpp"
#include "kernel/row_space.hpp"

namespace ropewalk {
namespace {

/// Nearest binary64 to a midpoint.
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
  const enclosure<3> rest = middle - enclosure<3>::of(high);  // fits: exact
  return {high, is_zero(rest.midpoint) ? 0 : nearest(rest)};
}

/// The sum of two angles; what both were off by is carried along.
cos_sin<3> sum_of(const cos_sin<3>& a, const cos_sin<3>& b) {
  return {a.cos * b.cos - a.sin * b.sin, a.sin * b.cos + a.cos * b.sin};
}

/// Whether a point is as good as a seed or a step with this factor has to be.
bool is_good(const cos_sin<3>& point, double factor) {
  const int allowed = quarter_turn::wide_seed_exponent + std::ilogb(factor);
  const auto is_within = [&](const radius& error) {
    return is_zero(error) || error.exponent + 32 <= allowed;
  };
  return is_within(point.cos.error) && is_within(point.sin.error);
}

/// What a seed or step with the factor may add to a product: nothing where it is exact. The farthest point is the widest.
double least_error(const cos_sin<3>& farthest, double factor) {
  if (is_exact(farthest.cos) && is_exact(farthest.sin)) return 0;
  if (!is_good(farthest, factor)) return std::numeric_limits<double>::infinity();
  return 4 * factor * quarter_turn::wide_seed_error;
}

}  // namespace

void wide_walk::wide_rows::resize(std::size_t entries) {
  for (auto* part : {&cos, &cos_low, &sin, &sin_low}) part->resize(entries);
}

void wide_walk::wide_rows::set(std::size_t at, const cos_sin<3>& point) {
  const two_numbers c = split(point.cos), s = split(point.sin);
  cos[at] = c.high;
  cos_low[at] = c.low;
  sin[at] = s.high;
  sin_low[at] = s.low;
}

simd::wide_row wide_walk::wide_rows::row(std::size_t first) const {
  return {cos.data() + first, cos_low.data() + first, sin.data() + first, sin_low.data() + first};
}

wide_walk::wide_walk(const rotation_plan& plan, const simd::target& target, bool unit)
    : plan_(&plan), target_(&target), unit_(unit) {}

/// Steps cost as much as some thousand rows do by plan_->rows.
bool wide_walk::pays(position_range positions) const {
  const double factor = unit_ ? 1 : plan_->attention_factor;
  return target_->wide_sum != nullptr && size(positions) >= 4 * steps &&
         factor >= quarter_turn::smallest_factor && factor <= quarter_turn::largest_factor;
}

void wide_walk::make_steps() {
  if (!least_error_.empty()) return;
  const rope_rows& rows = plan_->rows;
  const auto width = static_cast<std::size_t>(simd::padded(rows.pairs()));
  const double factor = unit_ ? 1 : plan_->attention_factor;
  seed_.resize(width);
  steps_.resize(width * steps);
  least_error_.assign(width, 0);
  for (int pair = 0; pair < rows.pairs(); ++pair) {
    const auto at = static_cast<std::size_t>(pair);
    const cos_sin<3> one = rows.exact<3>(pair, 1, true);
    cos_sin<3> point = rows.exact<3>(pair, 0, true);
    for (std::int64_t step = 0; step < steps; ++step) {
      steps_.set(static_cast<std::size_t>(step) * width + at, point);
      point = sum_of(point, one);
      if (!is_good(point, 1)) point = rows.exact<3>(pair, step + 1, true);
    }
    stride_points_.push_back(point);
    least_error_[at] = least_error(rows.exact<3>(pair, smallest_position, true), 1) +
                       least_error(rows.exact<3>(pair, smallest_position, unit_), factor);
  }
}

void wide_walk::rows(position_range positions, double* cos, double* sin) {
  const auto pairs = static_cast<std::size_t>(plan_->rows.pairs());
  if (!pays(positions)) {
    std::vector<std::uint64_t> cos_bits(static_cast<std::size_t>(size(positions)) * pairs),
        sin_bits(cos_bits);
    plan_->rows.rows<double>(positions, unit_, cos_bits.data(), sin_bits.data());
    std::transform(cos_bits.begin(), cos_bits.end(), cos, from_bits<double>);
    std::transform(sin_bits.begin(), sin_bits.end(), sin, from_bits<double>);
    return;
  }
  make_steps();
  row_space<double> space(plan_->rows.pairs());
  for (std::int64_t position = positions.begin; position < positions.end;
       ++position, cos += pairs, sin += pairs) {
    find_seed(position & -steps);
    fill_row(position, seed_at_, space.cos(), space.sin(), space.undecided());
    std::copy_n(space.cos(), pairs, cos);
    std::copy_n(space.sin(), pairs, sin);
  }
}

void wide_walk::find_seed(std::int64_t seed) {
  if (seed == seed_at_) return;
  const bool follows = seed == seed_at_ + steps;
  const double factor = unit_ ? 1 : plan_->attention_factor;
  seed_points_.resize(stride_points_.size());
  for (std::size_t pair = 0; pair < seed_points_.size(); ++pair) {
    cos_sin<3>& point = seed_points_[pair];
    if (follows) point = sum_of(point, stride_points_[pair]);
    if (!follows || !is_good(point, factor))
      point = plan_->rows.exact<3>(static_cast<int>(pair), seed, unit_);
    seed_.set(pair, point);
  }
  seed_at_ = seed;
}

void wide_walk::fill_row(std::int64_t position, std::int64_t seed, double* cos, double* sin,
                         std::uint16_t* undecided) {
  const auto width = least_error_.size();
  const int listed =
      target_->wide_sum({seed_.row(0), steps_.row(static_cast<std::size_t>(position - seed) * width),
                         least_error_.data(), plan_->rows.pairs()},
                        cos, sin, undecided);
  decided_exactly_ += listed;
  for (int i = 0; i < listed; ++i) {
    const int pair = undecided[i];
    const cos_sin_bits<double> entry = plan_->rows.entry<double>(pair, position, unit_);
    cos[pair] = from_bits<double>(entry.cos);
    sin[pair] = from_bits<double>(entry.sin);
  }
}

}  // namespace ropewalk
