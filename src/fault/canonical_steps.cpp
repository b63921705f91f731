#include "fault/canonical_steps.hpp"

#include <utility>
#include <vector>

#include "ropewalk/kernel/turn_channels.hpp"

namespace ropewalk::fault {

plan_of_rotation::plan_of_rotation(const ropewalk_rotation& encoding, std::unique_ptr<rotation_steps> steps)
    : steps_(std::move(steps)), plan_(encoding) {
  plan_.layout = steps_->layout(plan_.layout);
  steps_->form(plan_, encoding);
}

void plan_of_rotation::apply(const ropewalk_rotation_call& call) const {
  if (steps_->accepts(call)) return;
  turn_channels(
      call, plan_,
      [&](checked_call checked) {
        steps_->misread(checked);
        with_format(checked.dtype, [&]<class Float>() { turn_tokens<Float>(checked); });
      },
      real_positions::served);
}

template <floating_format Float>
void plan_of_rotation::turn_tokens(const checked_call& call) const {
  const int pairs = plan_.layout.pairs();
  token_row<rotation_format<Float>> row(pairs);
  std::vector<bits_pair<Float>> before(static_cast<std::size_t>(pairs)), after(before);
  const rotation_plan& plan = steps_->plan_for(call, plan_);
  for_each_token(call, [&](const token_place& place) {
    if (steps_->skips(place)) return;
    steps_->fill(row, plan, place, call.unit, call.backward);
    for (const rotated_tensor* tensor : {&call.query, &call.key})
      turn_heads<Float>(
          steps_->at_token(*tensor, place), place, plan_.layout, after,
          [&](bits_pair<Float>* x, std::int64_t head) {
            before = after;  // x points into `after`
            steps_->turn(turned_head<Float>{row, before.data(), x, head, tensor->in.heads(), pairs});
          });
    finish_pass_through<Float>(call.query, place);
    finish_pass_through<Float>(call.key, place);
  });
}

template <floating_format Float>
void plan_of_rotation::finish_pass_through(const rotated_tensor& tensor, const token_place& place) const {
  if (!tensor.is_present) return;
  const std::int64_t stride = tensor.out.stride[3];
  for (std::int64_t head = 0; head < tensor.out.heads(); ++head)
    steps_->after_pass_through(
        tensor.out.head(place.row, place.token, head) + plan_.layout.rotary_dim * stride, stride,
        sizeof(bits_of<Float>), plan_.layout.head.head_dim - plan_.layout.rotary_dim);
}

}  // namespace ropewalk::fault
