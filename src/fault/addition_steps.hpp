#pragma once
// A slow, correct canonical kernel that adds rows or biases in integer arithmetic, split into steps. A fault
// replaces one step and keeps the others.

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "ropewalk/kernel/addition.hpp"
#include "ropewalk/kernel/bias_plan.hpp"
#include "ropewalk/kernel/call.hpp"
#include "ropewalk/kernel/kernel_of.hpp"
#include "ropewalk/kernel/row_plan.hpp"

namespace ropewalk::fault {

/// The correct steps.
struct addition_steps {
  /// May change the numbers of the plan.
  template <class Plan>
  void form(Plan& /*plan*/) {}

  /// Whether the kernel returns ROPEWALK_OK without checking or executing a call.
  template <class Call>
  bool accepts(const Call& /*call*/) const {
    return false;
  }

  std::int64_t position(const checked_call& /*call*/, const token_place& place) const {
    return place.position();
  }

  template <floating_format Wide>
  void after_entries(bits_of<Wide>* /*entries*/, std::int64_t /*count*/) const {}

  template <floating_format Float>
  bits_of<Float> sum(bits_of<Float> x, bits_of<rotation_format<Float>> entry) const {
    return add_entry<Float>(x, entry);
  }

  /// May change the results of one head: `added` sums, then copied channels, `width` in all.
  template <floating_format Float>
  void after_head(const bits_of<Float>* /*before*/, bits_of<Float>* /*after*/, std::int64_t /*added*/,
                  std::int64_t /*width*/) const {}
};

/// A kernel made of these steps and a row_plan or a bias_plan.
template <class Plan, class Steps>
class plan_of_addition {
  static constexpr bool is_row = std::is_same_v<Plan, row_plan>;

 public:
  using operation = std::conditional_t<is_row, add_row, add_bias>;

  explicit plan_of_addition(const typename operation::encoding& encoding, const Steps& steps = {})
      : steps_(steps), plan_(encoding) {
    steps_.form(plan_);
  }

  void apply(const typename operation::call& call) const {
    if (steps_.accepts(call)) return;
    const checked_call checked = check(call, extent());
    with_format(checked.dtype, [&]<class Float>() { add_to_tokens<Float>(checked); });
  }

 private:
  int extent() const {
    if constexpr (is_row)
      return plan_.width();
    else
      return plan_.heads();
  }

  template <floating_format Wide>
  std::int64_t entries(std::int64_t position, std::int64_t head, std::vector<bits_of<Wide>>& to) const {
    if constexpr (is_row) {
      plan_.template row<Wide>(position, to.data());
      return plan_.channels();
    } else {
      for (std::size_t key = 0; key < to.size(); ++key)
        to[key] = plan_.template entry<Wide>(static_cast<int>(head),
                                             plan_.reach(position, static_cast<std::int64_t>(key)));
      return static_cast<std::int64_t>(to.size());
    }
  }

  template <floating_format Float>
  void add_to_tokens(const checked_call& call) const {
    using wide = rotation_format<Float>;
    const tensor_view &in = call.query.in, &out = call.query.out;
    const auto channels = static_cast<std::size_t>(in.channels());
    std::vector<bits_of<wide>> row(channels);
    std::vector<bits_of<Float>> before(channels), after(channels);
    for_each_token(call, [&](const token_place& place) {
      for (std::int64_t head = 0; head < in.heads(); ++head) {
        const std::int64_t added = entries<wide>(steps_.position(call, place), head, row);
        steps_.template after_entries<wide>(row.data(), added);
        const std::byte* from = in.head(place.row, place.token, head);
        for (std::size_t i = 0; i < channels; ++i)
          before[i] = load<Float>(from + static_cast<std::int64_t>(i) * in.stride[3]);
        after = before;
        for (std::size_t i = 0; i < static_cast<std::size_t>(added); ++i)
          after[i] = steps_.template sum<Float>(before[i], row[i]);
        steps_.template after_head<Float>(before.data(), after.data(), added, in.channels());
        std::byte* to = out.head(place.row, place.token, head);
        for (std::size_t i = 0; i < channels; ++i)
          store<Float>(to + static_cast<std::int64_t>(i) * out.stride[3], after[i]);
      }
    });
  }

  Steps steps_;
  Plan plan_;
};

/// A kernel of these steps. It promises canonical bits, so that the laws hold it to them.
template <class Steps>
constexpr ropewalk_kernel row_kernel_with(const char* name) {
  return kernel_of<plan_of_addition<row_plan, Steps>>(name, promise::canonical);
}

template <class Steps>
constexpr ropewalk_kernel bias_kernel_with(const char* name) {
  return kernel_of<plan_of_addition<bias_plan, Steps>>(name, promise::canonical);
}

/// The same for a value of a step type that has members. Kernels with one step type share their code.
template <class Plan, auto steps>
struct plan_of_given_addition : plan_of_addition<Plan, std::remove_const_t<decltype(steps)>> {
  explicit plan_of_given_addition(
      const typename plan_of_addition<Plan, std::remove_const_t<decltype(steps)>>::operation::encoding&
          encoding)
      : plan_of_addition<Plan, std::remove_const_t<decltype(steps)>>(encoding, steps) {}
};

template <auto steps>
constexpr ropewalk_kernel row_kernel_with_steps(const char* name) {
  return kernel_of<plan_of_given_addition<row_plan, steps>>(name, promise::canonical);
}

template <auto steps>
constexpr ropewalk_kernel bias_kernel_with_steps(const char* name) {
  return kernel_of<plan_of_given_addition<bias_plan, steps>>(name, promise::canonical);
}

}  // namespace ropewalk::fault
