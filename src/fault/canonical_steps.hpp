#pragma once
// A slow, correct canonical kernel that rotates in integer arithmetic, split into steps. A fault replaces one
// step and keeps the others.

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "ropewalk/kernel/call.hpp"
#include "ropewalk/kernel/head.hpp"
#include "ropewalk/kernel/kernel_of.hpp"
#include "ropewalk/kernel/rotation.hpp"
#include "ropewalk/kernel/rotation_plan.hpp"

namespace ropewalk::fault {

/// The correct steps.
struct canonical_steps {
  rotated_layout layout(const rotated_layout& given) const { return given; }

  /// May change the numbers of the plan.
  void form(rotation_plan& /*plan*/, const ropewalk_rotation& /*encoding*/) {}

  /// Whether the kernel returns ROPEWALK_OK without checking or executing a call.
  bool accepts(const ropewalk_rotation_call& /*call*/) const { return false; }

  /// May change the fields of a checked call.
  void misread(checked_call& /*call*/) const {}

  /// The plan used for a call.
  const rotation_plan& plan_for(const checked_call& /*call*/, const rotation_plan& plan) const {
    return plan;
  }

  bool skips(const token_place&) const { return false; }

  /// The tensor in which the heads of one token are read and written.
  const rotated_tensor& at_token(const rotated_tensor& tensor, const token_place&) const { return tensor; }

  template <floating_format Table>
  void fill(token_row<Table>& row, const rotation_plan& plan, const token_place& place, bool unit,
            bool backward) const {
    row.fill(plan, place, unit, backward);
  }

  template <floating_format Float>
  bits_pair<Float> turn(bits_pair<Float> x, bits_pair<rotation_format<Float>> cos_sin) const {
    return rotate_pair<Float>(x, cos_sin);
  }

  bool leaves(std::int64_t /*head*/, std::int64_t /*heads*/, int /*pair*/, int /*pairs*/) const {
    return false;
  }

  template <floating_format Float>
  void after_head(const bits_pair<Float>* /*before*/, bits_pair<Float>* /*after*/, int /*pairs*/) const {}

  void after_pass_through(std::byte* /*channels*/, std::int64_t /*stride*/, std::size_t /*size*/,
                          int /*count*/) const {}
};

/// A kernel made of these steps.
template <class Steps>
class plan_of_steps {
 public:
  using operation = rotate;

  explicit plan_of_steps(const ropewalk_rotation& encoding, const Steps& steps = {})
      : steps_(steps), plan_(encoding) {
    plan_.layout = steps_.layout(plan_.layout);
    steps_.form(plan_, encoding);
  }

  void apply(const ropewalk_rotation_call& call) const {
    if (steps_.accepts(call)) return;
    checked_call checked = check(call, plan_.layout.head.head_dim, plan_.axes);
    steps_.misread(checked);
    with_format(checked.dtype, [&]<class Float>() { turn_tokens<Float>(checked); });
  }

 private:
  template <floating_format Float>
  void turn_tokens(const checked_call& call) const {
    const auto pairs = static_cast<std::size_t>(plan_.layout.pairs());
    token_row<rotation_format<Float>> row(plan_.layout.pairs());
    std::vector<bits_pair<Float>> before(pairs);
    std::vector<bits_pair<Float>> after(pairs);
    const rotation_plan& plan = steps_.plan_for(call, plan_);
    for_each_token(call, [&](const token_place& place) {
      if (steps_.skips(place)) return;
      steps_.fill(row, plan, place, call.unit, call.backward);
      for (const rotated_tensor* tensor : {&call.query, &call.key})
        turn_heads<Float>(steps_.at_token(*tensor, place), place, plan_.layout, after,
                          [&](bits_pair<Float>* x, std::int64_t head) {
                            before = after;  // x points into `after`
                            turn_head<Float>(row, x, head, tensor->in.heads());
                            steps_.after_head(before.data(), x, plan_.layout.pairs());
                          });
      finish_pass_through<Float>(call.query, place);
      finish_pass_through<Float>(call.key, place);
    });
  }

  template <floating_format Float>
  void turn_head(const token_row<rotation_format<Float>>& row, bits_pair<Float>* x, std::int64_t head,
                 std::int64_t heads) const {
    for (int pair = 0; pair < plan_.layout.pairs(); ++pair)
      if (!steps_.leaves(head, heads, pair, plan_.layout.pairs()))
        x[pair] = steps_.template turn<Float>(x[pair], row.at(pair));
  }

  template <floating_format Float>
  void finish_pass_through(const rotated_tensor& tensor, const token_place& place) const {
    if (!tensor.is_present) return;
    const std::int64_t stride = tensor.out.stride[3];
    for (std::int64_t head = 0; head < tensor.out.heads(); ++head)
      steps_.after_pass_through(
          tensor.out.head(place.row, place.token, head) + plan_.layout.rotary_dim * stride, stride,
          sizeof(bits_of<Float>), plan_.layout.head.head_dim - plan_.layout.rotary_dim);
  }

  Steps steps_;
  rotation_plan plan_;
};

/// A kernel of these steps. It promises canonical bits, so that the laws hold it to them.
template <class Steps>
constexpr ropewalk_kernel kernel_with(const char* name) {
  return kernel_of<plan_of_steps<Steps>>(name, promise::canonical);
}

/// The same for a value of a step type that has members. Kernels with one step type share their code.
template <auto steps>
struct plan_of_given_steps : plan_of_steps<std::remove_const_t<decltype(steps)>> {
  explicit plan_of_given_steps(const ropewalk_rotation& encoding)
      : plan_of_steps<std::remove_const_t<decltype(steps)>>(encoding, steps) {}
};

template <auto steps>
constexpr ropewalk_kernel kernel_with_steps(const char* name) {
  return kernel_of<plan_of_given_steps<steps>>(name, promise::canonical);
}

}  // namespace ropewalk::fault
