#pragma once
// Plans of rotations whose pairs are half-split by axis: one plan per axis, whose pairs are plainly
// half-split. Kernels never see the third pairing.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "ropewalk/kernel/call.hpp"
#include "ropewalk/kernel/encoding_check.hpp"
#include "ropewalk/kernel/head.hpp"
#include "ropewalk/kernel/kernel.h"
#include "ropewalk/kernel/operation.hpp"
#include "ropewalk/kernel/pairing_number.hpp"

namespace ropewalk {

namespace detail {

/// Channels of a head that one axis rotates, with adjacent channels that pass through.
struct channel_slice {
  pair_run pairs;
  int axis = 0;
  int begin = 0;  // the first channel, of the whole head
  int count = 0;
};

/// The slices of a checked encoding; each channel is in exactly one. The widest is first: if a device can
/// serve it, it can serve the others.
inline std::vector<channel_slice> slices_of(const ropewalk_rotation& encoding,
                                            const rotated_layout& checked) {
  std::vector<channel_slice> slices;
  const int begin = static_cast<int>(encoding.rotary_begin);
  for (int first = 0; first < checked.pairs();) {
    const pair_run run = checked.halves[static_cast<std::size_t>(first)];
    slices.push_back(
        {run, encoding.axis == nullptr ? 0 : encoding.axis[first], begin + 2 * first, 2 * run.count});
    first += run.count;
  }
  slices.front().count += begin;
  slices.front().begin = 0;
  slices.back().count = encoding.head_dim - slices.back().begin;
  std::sort(slices.begin(), slices.end(), [](const channel_slice& a, const channel_slice& b) {
    return a.count != b.count ? a.count > b.count : a.begin < b.begin;
  });
  return slices;
}

/// The encoding of a slice. It points into the head's encoding.
inline ropewalk_rotation slice_of(const ropewalk_rotation& encoding, const channel_slice& slice) {
  const int first = slice.pairs.first;
  const auto halves = [](std::int32_t number) {
    return number == ROPEWALK_HALF_SPLIT_BY_AXIS ? std::int32_t{ROPEWALK_HALF_SPLIT} : number;
  };
  ropewalk_rotation result = encoding;
  result.head_dim = slice.count;
  result.rotary_dim = 2 * slice.pairs.count;
  result.pairing_in = halves(encoding.pairing_in);
  result.pairing_out = halves(encoding.pairing_out);
  result.axes = 1;
  result.inv_freq += first;
  result.turns += 4 * first;
  if (result.turns_256 != nullptr) result.turns_256 += 8 * first;
  if (result.turns_real != nullptr) result.turns_real += first;
  result.axis = nullptr;
  result.config_json = nullptr;  // it describes whole heads
  result.rotary_begin = encoding.rotary_begin + 2 * first - slice.begin;
  return result;
}

/// The tensor without the channels beside a slice. `view` is the tensor as checked.
inline ropewalk_tensor slice_of(const ropewalk_tensor& tensor, const tensor_view& view,
                                const channel_slice& slice) {
  ropewalk_tensor result = tensor;
  result.data = view.data + slice.begin * view.stride[3];
  result.shape[result.rank - 1] = slice.count;
  return result;
}

/// The call of a slice. `whole` is the call as checked.
inline ropewalk_rotation_call slice_of(const ropewalk_rotation_call& call, const checked_call& whole,
                                       const channel_slice& slice) {
  ropewalk_rotation_call result = call;
  result.query_in = slice_of(call.query_in, whole.query.in, slice);
  result.query_out = slice_of(call.query_out, whole.query.out, slice);
  if (whole.key.is_present) {
    result.key_in = slice_of(call.key_in, whole.key.in, slice);
    result.key_out = slice_of(call.key_out, whole.key.out, slice);
  }
  ropewalk_positions& rows = result.tokens.positions;
  rows.axes = 1;
  if (slice.axis == 0 || whole.query.in.batch() == 0 || whole.tokens == 0) return result;
  const std::int64_t numbers = slice.axis * call.tokens.positions.stride[0];
  if (whole.positions != nullptr) rows.data = whole.positions + numbers;
  if (whole.real_positions != nullptr) rows.data = whole.real_positions + numbers;
  return result;
}

}  // namespace detail

/// A plan for any pairing, made of plans that support only interleaved and half-split pairs.
template <class Plan>
class plan_by_axis {
 public:
  using operation = rotate;

  explicit plan_by_axis(const ropewalk_rotation& encoding) {
    if (encoding.pairing_in != ROPEWALK_HALF_SPLIT_BY_AXIS &&
        encoding.pairing_out != ROPEWALK_HALF_SPLIT_BY_AXIS) {
      whole_.emplace(encoding);
      return;
    }
    const rotated_layout checked = check(encoding);
    head_dim_ = encoding.head_dim;
    rows_ = {encoding.axes, encoding.turns_real != nullptr};
    for (const detail::channel_slice& channels : detail::slices_of(encoding, checked))
      slices_.push_back({channels, std::make_unique<const Plan>(detail::slice_of(encoding, channels))});
  }

  /// Checks the whole call before any slice is rotated. Tensors of a slice overlap only where the whole
  /// tensors do, so no plan refuses a later slice.
  void apply(const ropewalk_rotation_call& call) const {
    if (whole_) return whole_->apply(call);
    const checked_call whole = check(call, head_dim_, rows_);
    for (const auto& [channels, plan] : slices_) plan->apply(detail::slice_of(call, whole, channels));
  }

 private:
  struct slice {
    detail::channel_slice channels;
    std::unique_ptr<const Plan> plan;
  };

  std::optional<Plan> whole_;  // for the other two pairings
  int head_dim_ = 0;
  position_rows rows_;
  std::vector<slice> slices_;
};

/// Whether a plan class supports every pairing itself.
template <class Plan>
concept has_every_pairing = requires {
  requires Plan::has_every_pairing;
};

}  // namespace ropewalk
