#pragma once
// A slow, correct canonical kernel that adds rows or biases in integer arithmetic, split into steps. A fault
// replaces one step and keeps the others.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
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

  /// The same for a token with a real position.
  double real_position(const checked_call& /*call*/, const token_place& place) const {
    return place.real_position();
  }

  /// Bits of the bias of a key at `reach` from the form's origin.
  template <floating_format Wide>
  bits_of<Wide> bias(const bias_plan& plan, int head, std::int64_t reach) const {
    return plan.template entry<Wide>(head, reach);
  }

  template <floating_format Wide>
  void after_entries(bits_of<Wide>* /*entries*/, std::int64_t /*count*/) const {}

  template <floating_format Float>
  [[gnu::noinline]] bits_of<Float> sum(bits_of<Float> x, bits_of<rotation_format<Float>> entry) const {
    return add_entry<Float>(x, entry);
  }

  /// May change the results of one head: `added` sums, then copied channels, `width` in all.
  template <floating_format Float>
  void after_head(const bits_of<Float>* /*before*/, bits_of<Float>* /*after*/, std::int64_t /*added*/,
                  std::int64_t /*width*/) const {}
};

/// One head of a token while entries are added to it.
///
/// shape   before, after [width], entries [added]
template <floating_format Float>
struct added_head {
  const bits_of<rotation_format<Float>>* entries;
  const bits_of<Float>* before;
  bits_of<Float>* after;
  std::int64_t added;
  std::int64_t width;
};

/// The steps for a row_plan or a bias_plan as virtual functions, so that the loops over tokens and heads are
/// compiled once for all kernels.
template <class Plan>
class steps_of_addition {
 public:
  using operation = std::conditional_t<std::is_same_v<Plan, row_plan>, add_row, add_bias>;

  virtual ~steps_of_addition() = default;
  virtual void form(Plan& plan) = 0;
  virtual bool accepts(const typename operation::call& call) const = 0;
  virtual std::int64_t position(const checked_call& call, const token_place& place) const = 0;
  virtual double real_position(const checked_call& call, const token_place& place) const = 0;
  /// The biases of one head for keys 0, 1, ..., with distances from `origin`; empty for rows.
  virtual void form_biases(const Plan& plan, int head, std::int64_t origin,
                           std::vector<bits_of<double>>& to) const = 0;
  virtual void form_biases(const Plan& plan, int head, std::int64_t origin,
                           std::vector<bits_of<float>>& to) const = 0;
  virtual void after_entries(bits_of<double>* entries, std::int64_t count) const = 0;
  virtual void after_entries(bits_of<float>* entries, std::int64_t count) const = 0;
  virtual void add(const added_head<double>& head) const = 0;
  virtual void add(const added_head<float>& head) const = 0;
  virtual void add(const added_head<binary16>& head) const = 0;
  virtual void add(const added_head<bfloat16>& head) const = 0;
};

/// The virtual functions of one type of steps.
template <class Plan, class Steps>
class virtual_additions final : public steps_of_addition<Plan> {
 public:
  explicit virtual_additions(const Steps& steps = {}) : steps_(steps) {}

  void form(Plan& plan) override { steps_.form(plan); }
  bool accepts(const typename steps_of_addition<Plan>::operation::call& call) const override {
    return steps_.accepts(call);
  }
  std::int64_t position(const checked_call& call, const token_place& place) const override {
    return steps_.position(call, place);
  }
  double real_position(const checked_call& call, const token_place& place) const override {
    return steps_.real_position(call, place);
  }
  void form_biases(const Plan& plan, int head, std::int64_t origin,
                   std::vector<bits_of<double>>& to) const override {
    form<double>(plan, head, origin, to);
  }
  void form_biases(const Plan& plan, int head, std::int64_t origin,
                   std::vector<bits_of<float>>& to) const override {
    form<float>(plan, head, origin, to);
  }
  void after_entries(bits_of<double>* entries, std::int64_t count) const override {
    steps_.template after_entries<double>(entries, count);
  }
  void after_entries(bits_of<float>* entries, std::int64_t count) const override {
    steps_.template after_entries<float>(entries, count);
  }
  void add(const added_head<double>& head) const override { add_entries(head); }
  void add(const added_head<float>& head) const override { add_entries(head); }
  void add(const added_head<binary16>& head) const override { add_entries(head); }
  void add(const added_head<bfloat16>& head) const override { add_entries(head); }

 private:
  template <floating_format Wide>
  void form(const Plan& plan, int head, std::int64_t origin, std::vector<bits_of<Wide>>& to) const {
    if constexpr (std::is_same_v<Plan, bias_plan>)
      for (std::size_t key = 0; key < to.size(); ++key)
        to[key] = steps_.template bias<Wide>(plan, head, plan.reach(static_cast<std::int64_t>(key) - origin));
  }

  template <floating_format Float>
  void add_entries(const added_head<Float>& head) const {
    for (std::int64_t i = 0; i < head.added; ++i)
      head.after[i] = steps_.template sum<Float>(head.before[i], head.entries[i]);
    steps_.template after_head<Float>(head.before, head.after, head.added, head.width);
  }

  Steps steps_;
};

/// A kernel made of steps and a row_plan or a bias_plan.
template <class Plan>
class plan_of_addition {
  static constexpr bool is_row = std::is_same_v<Plan, row_plan>;

 public:
  using operation = typename steps_of_addition<Plan>::operation;

  explicit plan_of_addition(const typename operation::encoding& encoding,
                            std::unique_ptr<steps_of_addition<Plan>> steps =
                                std::make_unique<virtual_additions<Plan, addition_steps>>())
      : steps_(std::move(steps)), plan_(encoding) {
    steps_->form(plan_);
  }

  void apply(const typename operation::call& call) const {
    if (steps_->accepts(call)) return;
    const checked_call checked = checked_of(call);
    with_format(checked.dtype, [&]<class Float>() { add_to_tokens<Float>(checked); });
  }

 private:
  checked_call checked_of(const typename operation::call& call) const {
    if constexpr (is_row)
      return check(call, plan_.width(), plan_.may_be_real());
    else
      return check(call, plan_.heads());
  }

  template <floating_format Wide>
  std::int64_t entries(const checked_call& call, const token_place& place, std::int64_t head,
                       std::vector<bits_of<Wide>>& to) const {
    if constexpr (is_row) {
      if (place.is_real())
        plan_.template row<Wide>(steps_->real_position(call, place), to.data());
      else
        plan_.template row<Wide>(steps_->position(call, place), to.data());
      return plan_.channels();
    } else {
      const auto keys = static_cast<std::int64_t>(to.size());
      const std::int64_t origin = plan_.origin_of(steps_->position(call, place), keys);
      steps_->form_biases(plan_, static_cast<int>(head), origin, to);
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
        const std::int64_t added = entries<wide>(call, place, head, row);
        steps_->after_entries(row.data(), added);
        const std::byte* from = in.head(place.row, place.token, head);
        for (std::size_t i = 0; i < channels; ++i)
          before[i] = load<Float>(from + static_cast<std::int64_t>(i) * in.stride[3]);
        after = before;
        steps_->add(added_head<Float>{row.data(), before.data(), after.data(), added, in.channels()});
        std::byte* to = out.head(place.row, place.token, head);
        for (std::size_t i = 0; i < channels; ++i)
          store<Float>(to + static_cast<std::int64_t>(i) * out.stride[3], after[i]);
      }
    });
  }

  std::unique_ptr<steps_of_addition<Plan>> steps_;
  Plan plan_;
};

/// A kernel of the steps that Make constructs. It promises canonical bits, so the laws require them.
template <class Plan, std::unique_ptr<steps_of_addition<Plan>> (*Make)()>
constexpr ropewalk_kernel addition_that_makes(const char* name) {
  ropewalk_kernel kernel = kernel_of<plan_of_addition<Plan>>(name, promise::canonical);
  kernel.plan = [](const ropewalk_head* encoding, ropewalk_plan** plan, ropewalk_error* error) {
    return ropewalk::detail::answer_made<plan_of_addition<Plan>>(
        encoding, plan, error, [](const ropewalk_head* head) {
          using operation = typename plan_of_addition<Plan>::operation;
          return new plan_of_addition<Plan>(
              read_struct<typename operation::encoding>(head, operation::number, "encoding"), Make());
        });
  };
  return kernel;
}

template <class Plan, class Steps>
std::unique_ptr<steps_of_addition<Plan>> made_additions() {
  return std::make_unique<virtual_additions<Plan, Steps>>();
}

template <class Plan, auto steps>
std::unique_ptr<steps_of_addition<Plan>> given_additions() {
  return std::make_unique<virtual_additions<Plan, std::remove_const_t<decltype(steps)>>>(steps);
}

template <class Steps>
constexpr ropewalk_kernel row_kernel_with(const char* name) {
  return addition_that_makes<row_plan, made_additions<row_plan, Steps>>(name);
}

template <class Steps>
constexpr ropewalk_kernel bias_kernel_with(const char* name) {
  return addition_that_makes<bias_plan, made_additions<bias_plan, Steps>>(name);
}

/// The same for a kernel that serves every form of ALiBi.
template <class Steps>
constexpr ropewalk_kernel bias_kernel_of_every_form(const char* name) {
  ropewalk_kernel kernel = bias_kernel_with<Steps>(name);
  kernel.limits = &every_bias_form;
  return kernel;
}

/// The same for a value of a step type that has members.
template <auto steps>
constexpr ropewalk_kernel row_kernel_with_steps(const char* name) {
  return addition_that_makes<row_plan, given_additions<row_plan, steps>>(name);
}

template <auto steps>
constexpr ropewalk_kernel bias_kernel_with_steps(const char* name) {
  return addition_that_makes<bias_plan, given_additions<bias_plan, steps>>(name);
}

}  // namespace ropewalk::fault
