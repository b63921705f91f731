#pragma once
// Applies a plan whose heads may have channels before those that rotate. The kernel receives views that begin
// at the first channel that rotates.

#include <cstddef>
#include <cstdint>

#include "ropewalk/kernel/call.hpp"
#include "ropewalk/kernel/head.hpp"
#include "ropewalk/kernel/rotation_plan.hpp"

namespace ropewalk {

namespace detail {

/// The view without its first channels.
inline tensor_view from_channel(tensor_view view, int first) {
  const std::int64_t bytes = first * view.stride[3];
  view.data += bytes;
  view.shape[3] -= first;
  view.lowest -= bytes;
  view.highest -= bytes;
  return view;
}

inline void copy_channels_before(const rotated_tensor& tensor, const token_place& place, int first,
                                 int element) {
  if (!tensor.is_present || tensor.is_in_place()) return;
  for (std::int64_t head = 0; head < tensor.in.heads(); ++head)
    copy_channels(tensor.in.head(place.row, place.token, head), tensor.in.stride[3],
                  tensor.out.head(place.row, place.token, head), tensor.out.stride[3], element, first);
}

}  // namespace detail

/// Whether a kernel serves positions in binary64.
enum class real_positions { declined, served };

/// Checks a call, passes it to `turn` for the plan's layout, and then copies the channels before that layout.
///
/// throws  refused_call naming the field, its value and what is allowed; exceptions of `turn`
template <class Turn>
void turn_channels(const ropewalk_rotation_call& call, const rotation_plan& plan, Turn turn,
                   real_positions reals = real_positions::declined) {
  const int first = plan.rotary_begin;
  const checked_call whole = check(call, first + plan.layout.head.head_dim,
                                   {plan.axes, plan.has_real_turns && reals == real_positions::served});
  if (first == 0) return turn(whole);
  checked_call rest = whole;
  for (rotated_tensor* const tensor : {&rest.query, &rest.key})
    if (tensor->is_present) {
      tensor->in = detail::from_channel(tensor->in, first);
      tensor->out = detail::from_channel(tensor->out, first);
    }
  turn(static_cast<const checked_call&>(rest));
  const int element = size_of(whole.dtype);
  for_each_token(whole, [&](const token_place& place) {
    detail::copy_channels_before(whole.query, place, first, element);
    detail::copy_channels_before(whole.key, place, first, element);
  });
}

}  // namespace ropewalk
