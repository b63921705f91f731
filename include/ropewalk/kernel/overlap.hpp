#pragma once
// Whether two tensors share memory. A call is in place if input and output are the same view; any other
// overlap is refused.

#include <cstddef>
#include <cstdint>
#include <numeric>

#include "ropewalk/kernel/tensor.hpp"

namespace ropewalk {

namespace detail {

/// Byte offsets that the axes from `first_axis` on span, at a fixed index of the outer axes.
struct byte_range {
  std::int64_t lowest = 0;
  std::int64_t highest = 0;
};

inline byte_range inner_range(const tensor_view& view, std::size_t first_axis) {
  byte_range range{0, size_of(view.dtype)};
  for (std::size_t axis = first_axis; axis < 4; ++axis) {
    const std::int64_t reach = (view.shape[axis] - 1) * view.stride[axis];
    (reach < 0 ? range.lowest : range.highest) += reach;
  }
  return range;
}

/// Whether the views are disjoint modulo the greatest common divisor of all outer strides. This holds for
/// query and key packed side by side in each token, whose hulls interleave.
inline bool apart_modulo_outer_strides(const tensor_view& a, const tensor_view& b,
                                       std::size_t first_inner_axis) {
  std::int64_t period = 0;
  for (std::size_t axis = 0; axis < first_inner_axis; ++axis)
    period = std::gcd(std::gcd(period, a.stride[axis]), b.stride[axis]);
  if (period == 0) return false;
  const byte_range in_a = inner_range(a, first_inner_axis);
  const byte_range in_b = inner_range(b, first_inner_axis);
  const auto unsigned_period = static_cast<std::uint64_t>(period);
  const auto length_a = static_cast<std::uint64_t>(in_a.highest - in_a.lowest);
  const auto length_b = static_cast<std::uint64_t>(in_b.highest - in_b.lowest);
  const auto start = [](const tensor_view& view, const byte_range& range) {
    return reinterpret_cast<std::uintptr_t>(view.data) + static_cast<std::uintptr_t>(range.lowest);
  };
  const std::uint64_t start_a = start(a, in_a) % unsigned_period;
  const std::uint64_t start_b = start(b, in_b) % unsigned_period;
  const std::uint64_t gap = start_b >= start_a ? start_b - start_a : start_b + (unsigned_period - start_a);
  return gap >= length_a && length_b <= unsigned_period - gap;
}

}  // namespace detail

/// Whether every byte of one view lies before every byte of the other.
inline bool have_separate_hulls(const tensor_view& a, const tensor_view& b) {
  const auto address = [](const tensor_view& view, std::int64_t offset) {
    return reinterpret_cast<std::uintptr_t>(view.data) + static_cast<std::uintptr_t>(offset);
  };
  return address(a, a.highest) <= address(b, b.lowest) || address(b, b.highest) <= address(a, a.lowest);
}

/// Whether two views may share a byte. False is certain: their hulls are disjoint, or the views are disjoint
/// modulo a common period. True may be wrong for rare interleavings that neither test recognises as disjoint.
inline bool may_overlap(const tensor_view& a, const tensor_view& b) {
  if (is_empty(a) || is_empty(b)) return false;
  if (have_separate_hulls(a, b)) return false;
  for (std::size_t first_inner_axis = 1; first_inner_axis <= 4; ++first_inner_axis)
    if (detail::apart_modulo_outer_strides(a, b, first_inner_axis)) return false;
  return true;
}

}  // namespace ropewalk
