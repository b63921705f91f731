#include "vectors/answers.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "export/entry_bounds.hpp"
#include "kernel/kernels.hpp"
#include "ropewalk/law/addition/sums.hpp"
#include "ropewalk/law/judge/upward.hpp"
#include "verify/held.hpp"

namespace ropewalk::vectors {
namespace {

using ropewalk::detail::product_up, ropewalk::detail::sum_up;

/// The promises of the pack, from strict to loose, and one by parts: an angle from that of the pair before.
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

/// The distance of a rotated pair from the canonical one, whose angle is `radians`.
template <floating_format Float>
pair_bound bound_at(const promise& of, double attention, double radians, double frequency_error) {
  const pair_bound own = accuracy_bound<Float>(of, attention, radians, frequency_error);
  const pair_bound canonical = accuracy_bound<Float>(promise::canonical, attention, 0);
  return difference_bound(own, canonical);
}

// Bounds are affine in the angle's error, which is affine in the angle, until that error is 2, the largest
// chord; beyond, they lie below the line. Its slope is taken where the error is about 1: the difference of
// two numbers that are each rounded up by some units in their last place is then off by far less than 2^-40.

/// An angle at which a promise's own error of the angle is about 1.
double far_angle(const promise& of, double frequency_error) {
  const double at_one = ropewalk::detail::angle_error(of, 1, frequency_error);
  return at_one > 0 ? 1 / at_one : 1;
}

/// The growth of a bound from 0 to `reach`, for each unit of it.
double slope(double at_zero, double at_reach, double reach) {
  const double grown = at_reach - at_zero;
  return grown <= 0 ? 0 : ropewalk::detail::quotient_up(product_up(grown, 1 + 0x1p-40), reach);
}

template <floating_format Float>
allowed_error allowed_rotation(const promise& of, const model::model& in) {
  allowed_error r{of};
  const checked_rotation held(cpu_table_kernel(), of, in.encoding, in.layout,
                              {.axes = in.axes, .coordinates = in.coordinates});
  const double attention = held.nearest_attention();
  const placed_rope placed = model::placed(in);
  const auto shared = share<4>(placed);
  for (int pair = 0; pair < pair_count(in.encoding); ++pair) {
    const double formed = frequency_error_under(of, placed, pair);
    if (!std::isfinite(formed)) throw std::invalid_argument("a frequency's error is not known");
    const double angle = far_angle(of, formed);
    const pair_bound still = bound_at<Float>(of, attention, 0, formed),
                     turned = bound_at<Float>(of, attention, angle, formed);
    r.relative = std::max(r.relative, product_up(attention, still.relative));
    r.absolute = std::max({r.absolute, still.absolute, turned.absolute});
    if (!grows_with_position(of)) continue;
    const double of_radian = product_up(attention, slope(still.relative, turned.relative, angle));
    r.per_position.push_back(product_up(of_radian, upper_binary64(inv_freq_of_index(pair, placed, shared))));
  }
  return r;
}

template <floating_format Float>
allowed_error allowed_addition(const promise& of) {
  const pair_bound own = addition_bound<Float>(of), canonical = addition_bound<Float>(promise::canonical);
  return {.value = of,
          .relative = sum_up(own.relative, canonical.relative),
          .absolute = sum_up(own.absolute, canonical.absolute)};
}

/// What a promise allows entries of cosines and sines, or of frequencies, each beside the rounding of the
/// expected entry.
allowed_error allowed_by(const promise& of, const output::entry_bounds& bounds, const placed_rope& placed,
                         bool has_positions) {
  allowed_error r{of};
  const auto both = [&](int pair, double position) {
    return sum_up(bounds.at(of, pair, position), bounds.at(promise{}, pair, position));
  };
  const auto shared = share<4>(placed);
  for (int pair = 0; pair < bounds.pairs(); ++pair) {
    const double inv_freq = upper_binary64(inv_freq_of_index(pair, placed, shared));
    const double still = both(pair, 0);
    if (!has_positions) {
      if (inv_freq > 0) r.relative = std::max(r.relative, ropewalk::detail::quotient_up(still, inv_freq));
      continue;
    }
    r.relative = std::max(r.relative, still);
    if (!grows_with_position(of)) continue;
    const double formed = frequency_error_under(of, placed, pair);
    const double place = inv_freq > 0 ? far_angle(of, formed) / inv_freq : 1;
    r.per_position.push_back(slope(still, both(pair, place), place));
  }
  return r;
}

}  // namespace

asked_kernel::asked_kernel(const ropewalk_kernel& kernel, const promise& promised, const call_group& of) {
  if (const auto* on = std::get_if<verify::rotation_subject>(&of.encoding))
    held_ = verify::hold(kernel, promised, *on, {});
  else
    held_ = verify::hold(kernel, promised, std::get<recorded_addition>(of.encoding).subject, asked_calls{});
}

const checked_rotation* asked_kernel::rotation() const {
  const auto* held = std::get_if<std::unique_ptr<checked_rotation>>(&held_);
  return held == nullptr ? nullptr : held->get();
}

bool asked_kernel::serves(const law_case& call) const {
  return std::visit([&](const auto& held) { return held->served().allow(call); }, held_);
}

std::vector<std::uint64_t> asked_kernel::answer(const law_case& call) const {
  if (const checked_rotation* held = rotation()) return held->turned(call).query;
  return std::get<std::unique_ptr<checked_addition>>(held_)->sums(call).query;
}

ropewalk_operation operation_of(const call_group& of) {
  const auto* added = std::get_if<recorded_addition>(&of.encoding);
  return added == nullptr ? ROPEWALK_ROTATE : added->subject.truth->operation();
}

const ropewalk_kernel& canonical_kernel_for(ropewalk_operation operation) {
  static const ropewalk_kernel rotation = cpu_table_kernel();
  if (operation == ROPEWALK_ROTATE) return rotation;
  for (const ropewalk_kernel& one : addition_kernels())
    if (one.operation == operation) return one;
  throw std::logic_error("an operation without a canonical kernel");
}

void answer_canonically(call_group& of) {
  const asked_kernel canonical(canonical_kernel_for(operation_of(of)), promise::canonical, of);
  for (call_case& one : of.cases) one.expected = canonical.answer(one.call);
}

double allowed_error::relative_at(int pair, double position) const {
  if (per_position.empty()) return relative;
  return relative + per_position[static_cast<std::size_t>(pair)] * std::abs(position);
}

std::vector<allowed_error> allowed_errors(const call_group& of) {
  std::vector<allowed_error> r;
  const auto* on = std::get_if<verify::rotation_subject>(&of.encoding);
  for (const promise& one : promises_of_pack()) {
    if (on == nullptr && known_name_of(one, ROPEWALK_ADD_ROW) != known_name_of(one, ROPEWALK_ROTATE))
      continue;
    try {
      r.push_back(with_format(of.dtype, [&]<class Float>() {
        return on == nullptr ? allowed_addition<Float>(one) : allowed_rotation<Float>(one, on->model);
      }));
    } catch (const std::invalid_argument&) {  // no bound: of the attention factor or of a frequency
    }
  }
  return r;
}

allowed_entries allowed_errors(const entry_group& of) {
  allowed_entries r;
  const output::table_content content = of.table->content();
  const auto* rotary = std::get_if<output::rotary_content>(&content);
  const bool has_whole_rows = std::all_of(of.cases.begin(), of.cases.end(),
                                          [](const entry_case& one) { return one.columns.empty(); });
  if (rotary == nullptr || !has_whole_rows) return r;
  const bool has_positions = output::has_positions(rotary->layout);
  const placed_rope placed = model::placed(rotary->model);
  const output::entry_bounds bounds(placed, of.dtype, has_positions);
  const int pairs = bounds.pairs();
  for (int pair = 0; has_positions && pair < pairs; ++pair) r.columns.emplace_back(pair, pairs + pair);
  for (const promise& one : promises_of_pack()) {
    const bool is_of_entries = has_positions || one.frequency != ROPEWALK_UNROUNDED;
    if (is_of_entries && bounds.has(one)) r.errors.push_back(allowed_by(one, bounds, placed, has_positions));
  }
  return r;
}

}  // namespace ropewalk::vectors
