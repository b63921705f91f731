#include "vectors/answers.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "array/entry_bounds.hpp"
#include "kernel/kernels.hpp"
#include "ropewalk/law/addition/sums.hpp"
#include "ropewalk/law/judge/upward.hpp"
#include "verify/held.hpp"

namespace ropewalk::vectors {
namespace {

using ropewalk::detail::product_up, ropewalk::detail::sum_up;

/// The promises of the pack, from strict to loose, and one by parts: each angle from the angle of the pair
/// before.
std::vector<promise> promises_of_pack() {
  promise repeated = promise::angle_f32;
  repeated.frequency = ROPEWALK_PART_REPEATED_F32;
  return {promise::rounded_table,
          promise::dtype_table,
          promise::angle_f64,
          promise::angle_f32,
          repeated,
          promise::hf};
}

/// Largest distance of a rotated pair from the canonical one, whose angle is `radians`.
template <floating_format Float>
pair_bound bound_at(const promise& promised, double attention, double radians, double frequency_error) {
  const pair_bound own = accuracy_bound<Float>(promised, attention, radians, frequency_error);
  const pair_bound canonical = accuracy_bound<Float>(promise::canonical, attention, 0);
  return difference_bound(own, canonical);
}

// Bounds are affine in the angle's error, which is affine in the angle, until that error is 2, the largest
// chord; beyond, they are below the line. The slope is computed where the error is about 1. Both numbers of
// the difference are rounded up by a few ulps, so it is off by far less than 2^-40.

/// An angle at which a promise's own error in the angle is about 1.
double far_angle(const promise& promised, double frequency_error) {
  const double at_one = ropewalk::detail::angle_error(promised, 1, frequency_error);
  return at_one > 0 ? 1 / at_one : 1;
}

/// The growth of a bound from 0 to `reach`, per unit.
double slope(double at_zero, double at_reach, double reach) {
  const double grown = at_reach - at_zero;
  return grown <= 0 ? 0 : ropewalk::detail::quotient_up(product_up(grown, 1 + 0x1p-40), reach);
}

template <floating_format Float>
allowed_error allowed_rotation(const promise& promised, const model::model& in) {
  allowed_error allowed{promised};
  const checked_rotation kernel(cpu_table_kernel(), promised, in.encoding, in.layout,
                                {.axes = in.axes, .coordinates = in.coordinates});
  const double attention = kernel.nearest_attention();
  const placed_rope placed = model::placed(in);
  const auto shared = share<4>(placed);
  for (int pair = 0; pair < pair_count(in.encoding); ++pair) {
    const double formed = frequency_error_under(promised, placed, pair);
    if (!std::isfinite(formed)) throw std::invalid_argument("a frequency's error is not known");
    const double angle = far_angle(promised, formed);
    const pair_bound still = bound_at<Float>(promised, attention, 0, formed),
                     turned = bound_at<Float>(promised, attention, angle, formed);
    allowed.relative = std::max(allowed.relative, product_up(attention, still.relative));
    allowed.absolute = std::max({allowed.absolute, still.absolute, turned.absolute});
    if (!grows_with_position(promised)) continue;
    const double of_radian = product_up(attention, slope(still.relative, turned.relative, angle));
    allowed.per_position.push_back(
        product_up(of_radian, upper_binary64(inv_freq_of_index(pair, placed, shared))));
  }
  return allowed;
}

template <floating_format Float>
allowed_error allowed_addition(const promise& promised) {
  const pair_bound own = addition_bound<Float>(promised),
                   canonical = addition_bound<Float>(promise::canonical);
  return {.value = promised,
          .relative = sum_up(own.relative, canonical.relative),
          .absolute = sum_up(own.absolute, canonical.absolute)};
}

/// Error that a promise allows in entries of cosines and sines, or of frequencies, plus the rounding of the
/// expected entry.
allowed_error allowed_by(const promise& promised, const array::entry_bounds& bounds,
                         const placed_rope& placed, bool has_positions) {
  allowed_error allowed{promised};
  const auto both = [&](int pair, double position) {
    return sum_up(bounds.at(promised, pair, position), bounds.at(promise{}, pair, position));
  };
  const auto shared = share<4>(placed);
  for (int pair = 0; pair < bounds.pairs(); ++pair) {
    const double inv_freq = upper_binary64(inv_freq_of_index(pair, placed, shared));
    const double still = both(pair, 0);
    if (!has_positions) {
      if (inv_freq > 0)
        allowed.relative = std::max(allowed.relative, ropewalk::detail::quotient_up(still, inv_freq));
      continue;
    }
    allowed.relative = std::max(allowed.relative, still);
    if (!grows_with_position(promised)) continue;
    const double formed = frequency_error_under(promised, placed, pair);
    const double place = inv_freq > 0 ? far_angle(promised, formed) / inv_freq : 1;
    allowed.per_position.push_back(slope(still, both(pair, place), place));
  }
  return allowed;
}

}  // namespace

asked_kernel::asked_kernel(const ropewalk_kernel& kernel, const promise& promised, const call_group& group) {
  if (const auto* subject = std::get_if<verify::rotation_subject>(&group.encoding))
    held_ = verify::hold(kernel, promised, *subject, {});
  else
    held_ =
        verify::hold(kernel, promised, std::get<recorded_addition>(group.encoding).subject, asked_calls{});
}

const checked_rotation* asked_kernel::rotation() const {
  const auto* held = std::get_if<std::unique_ptr<checked_rotation>>(&held_);
  return held == nullptr ? nullptr : held->get();
}

bool asked_kernel::serves(const law_case& call) const {
  return std::visit([&](const auto& held) { return held->served().allow(call); }, held_);
}

std::vector<std::uint64_t> asked_kernel::answer(const law_case& call) const {
  if (const checked_rotation* kernel = rotation()) return kernel->turned(call).query;
  return std::get<std::unique_ptr<checked_addition>>(held_)->sums(call).query;
}

ropewalk_operation operation_of(const call_group& group) {
  const auto* added = std::get_if<recorded_addition>(&group.encoding);
  return added == nullptr ? ROPEWALK_ROTATE : added->subject.truth->operation();
}

const ropewalk_kernel& canonical_kernel_for(ropewalk_operation operation) {
  static const ropewalk_kernel rotation = cpu_table_kernel();
  if (operation == ROPEWALK_ROTATE) return rotation;
  for (const ropewalk_kernel& kernel : addition_kernels())
    if (kernel.operation == operation) return kernel;
  throw std::logic_error("an operation without a canonical kernel");
}

void answer_canonically(call_group& group) {
  const asked_kernel canonical(canonical_kernel_for(operation_of(group)), promise::canonical, group);
  for (call_case& test_case : group.cases) test_case.expected = canonical.answer(test_case.call);
}

double allowed_error::relative_at(int pair, double position) const {
  if (per_position.empty()) return relative;
  return relative + per_position[static_cast<std::size_t>(pair)] * std::abs(position);
}

std::vector<allowed_error> allowed_errors(const call_group& group) {
  std::vector<allowed_error> errors;
  const auto* subject = std::get_if<verify::rotation_subject>(&group.encoding);
  for (const promise& promise : promises_of_pack()) {
    if (subject == nullptr &&
        known_name_of(promise, ROPEWALK_ADD_ROW) != known_name_of(promise, ROPEWALK_ROTATE))
      continue;
    try {
      errors.push_back(with_format(group.dtype, [&]<class Float>() {
        return subject == nullptr ? allowed_addition<Float>(promise)
                                  : allowed_rotation<Float>(promise, subject->model);
      }));
    } catch (const std::invalid_argument&) {  // the attention factor or a frequency has no bound
    }
  }
  return errors;
}

allowed_entries allowed_errors(const entry_group& group) {
  allowed_entries errors;
  const tables::table_content& content = group.table->content();
  const auto* rotary = std::get_if<tables::rotary_content>(&content);
  const bool has_whole_rows =
      std::all_of(group.cases.begin(), group.cases.end(),
                  [](const entry_case& test_case) { return test_case.columns.empty(); });
  if (rotary == nullptr || !has_whole_rows) return errors;
  const bool has_positions = tables::has_positions(rotary->layout);
  const placed_rope placed = model::placed(rotary->model);
  const array::entry_bounds bounds(placed, group.dtype, has_positions);
  const int pairs = bounds.pairs();
  for (int pair = 0; has_positions && pair < pairs; ++pair) errors.columns.emplace_back(pair, pairs + pair);
  for (const promise& promise : promises_of_pack()) {
    const bool is_of_entries = has_positions || promise.frequency != ROPEWALK_UNROUNDED;
    if (is_of_entries && bounds.has(promise))
      errors.errors.push_back(allowed_by(promise, bounds, placed, has_positions));
  }
  return errors;
}

}  // namespace ropewalk::vectors
