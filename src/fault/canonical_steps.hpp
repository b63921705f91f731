#pragma once
// A slow, correct canonical kernel that rotates in integer arithmetic, split into steps. A fault replaces one
// step and keeps the others.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

#include "ropewalk/kernel/call.hpp"
#include "ropewalk/kernel/head.hpp"
#include "ropewalk/kernel/kernel_of.hpp"
#include "ropewalk/kernel/rotation.hpp"
#include "ropewalk/kernel/rotation_plan.hpp"

namespace ropewalk::fault {

/// The correct steps. Steps with arithmetic are not inlined: nearly all kernels share them.
struct canonical_steps {
  rotated_layout layout(const rotated_layout& layout) const { return layout; }

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

  /// The tensor whose heads are read and written for one token.
  const rotated_tensor& at_token(const rotated_tensor& tensor, const token_place&) const { return tensor; }

  template <floating_format Table>
  [[gnu::noinline]] void fill(token_row<Table>& row, const rotation_plan& plan, const token_place& place,
                              bool unit, bool backward) const {
    row.fill(plan, place, unit, backward);
  }

  template <floating_format Float>
  [[gnu::noinline]] bits_pair<Float> turn(bits_pair<Float> x,
                                          bits_pair<rotation_format<Float>> cos_sin) const {
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

/// One head of a token while its pairs are rotated.
///
/// shape   before, after [pairs]
template <floating_format Float>
struct turned_head {
  const token_row<rotation_format<Float>>& row;
  const bits_pair<Float>* before;
  bits_pair<Float>* after;
  std::int64_t head;
  std::int64_t heads;
  int pairs;
};

/// Steps that only one of two combined faults can replace.
struct replaced_steps {
  bool fills = false;  // the row of cosines and sines
  bool turns = false;  // pairs and heads
};

/// The steps that a type replaces.
template <class Steps>
constexpr replaced_steps replaced_by() {
  const auto is_other = []<class Own, class Right>(Own, Right) { return !std::is_same_v<Own, Right>; };
  return {.fills = is_other(&Steps::template fill<float>, &canonical_steps::fill<float>) ||
                   is_other(&Steps::plan_for, &canonical_steps::plan_for),
          .turns = is_other(&Steps::template turn<float>, &canonical_steps::turn<float>) ||
                   is_other(&Steps::leaves, &canonical_steps::leaves) ||
                   is_other(&Steps::template after_head<float>, &canonical_steps::after_head<float>)};
}

/// The steps as virtual functions, so that the loops over tokens and heads are compiled once for all kernels.
class rotation_steps {
 public:
  virtual ~rotation_steps() = default;
  virtual replaced_steps replaces() const = 0;
  virtual rotated_layout layout(const rotated_layout& layout) const = 0;
  virtual void form(rotation_plan& plan, const ropewalk_rotation& encoding) = 0;
  virtual bool accepts(const ropewalk_rotation_call& call) const = 0;
  virtual void misread(checked_call& call) const = 0;
  virtual const rotation_plan& plan_for(const checked_call& call, const rotation_plan& plan) const = 0;
  virtual bool skips(const token_place& place) const = 0;
  virtual rotated_tensor at_token(const rotated_tensor& tensor, const token_place& place) const = 0;
  virtual void fill(token_row<double>&, const rotation_plan&, const token_place&, bool unit,
                    bool backward) const = 0;
  virtual void fill(token_row<float>&, const rotation_plan&, const token_place&, bool unit,
                    bool backward) const = 0;
  virtual void turn(const turned_head<double>& head) const = 0;
  virtual void turn(const turned_head<float>& head) const = 0;
  virtual void turn(const turned_head<binary16>& head) const = 0;
  virtual void turn(const turned_head<bfloat16>& head) const = 0;
  virtual void after_pass_through(std::byte* channels, std::int64_t stride, std::size_t size,
                                  int count) const = 0;
};

/// The virtual functions of one type of steps.
template <class Steps>
class virtual_steps final : public rotation_steps {
 public:
  explicit virtual_steps(const Steps& steps = {}) : steps_(steps) {}

  replaced_steps replaces() const override { return replaced_by<Steps>(); }
  rotated_layout layout(const rotated_layout& layout) const override { return steps_.layout(layout); }
  void form(rotation_plan& plan, const ropewalk_rotation& encoding) override { steps_.form(plan, encoding); }
  bool accepts(const ropewalk_rotation_call& call) const override { return steps_.accepts(call); }
  void misread(checked_call& call) const override { steps_.misread(call); }
  const rotation_plan& plan_for(const checked_call& call, const rotation_plan& plan) const override {
    return steps_.plan_for(call, plan);
  }
  bool skips(const token_place& place) const override { return steps_.skips(place); }
  rotated_tensor at_token(const rotated_tensor& tensor, const token_place& place) const override {
    return steps_.at_token(tensor, place);
  }
  void fill(token_row<double>& row, const rotation_plan& plan, const token_place& place, bool unit,
            bool backward) const override {
    steps_.fill(row, plan, place, unit, backward);
  }
  void fill(token_row<float>& row, const rotation_plan& plan, const token_place& place, bool unit,
            bool backward) const override {
    steps_.fill(row, plan, place, unit, backward);
  }
  void turn(const turned_head<double>& head) const override { turn_pairs(head); }
  void turn(const turned_head<float>& head) const override { turn_pairs(head); }
  void turn(const turned_head<binary16>& head) const override { turn_pairs(head); }
  void turn(const turned_head<bfloat16>& head) const override { turn_pairs(head); }
  void after_pass_through(std::byte* channels, std::int64_t stride, std::size_t size,
                          int count) const override {
    steps_.after_pass_through(channels, stride, size, count);
  }

 private:
  template <floating_format Float>
  void turn_pairs(const turned_head<Float>& head) const {
    for (int pair = 0; pair < head.pairs; ++pair)
      if (!steps_.leaves(head.head, head.heads, pair, head.pairs))
        head.after[pair] = steps_.template turn<Float>(head.after[pair], head.row.at(pair));
    steps_.after_head(head.before, head.after, head.pairs);
  }

  Steps steps_;
};

/// Constructs steps; each kernel has its own function.
using make_rotation_steps = std::unique_ptr<rotation_steps> (*)();

/// A kernel made of steps.
class plan_of_rotation {
 public:
  using operation = rotate;
  static constexpr bool has_every_pairing = true;

  explicit plan_of_rotation(
      const ropewalk_rotation& encoding,
      std::unique_ptr<rotation_steps> steps = std::make_unique<virtual_steps<canonical_steps>>());
  void apply(const ropewalk_rotation_call& call) const;

  /// The steps, to combine them with others; the plan must not be used afterwards.
  std::unique_ptr<rotation_steps> take_steps() { return std::move(steps_); }

 private:
  template <floating_format Float>
  void turn_tokens(const checked_call& call) const;
  template <floating_format Float>
  void finish_pass_through(const rotated_tensor& tensor, const token_place& place) const;

  std::unique_ptr<rotation_steps> steps_;
  rotation_plan plan_;
};

/// A kernel of the steps that Make constructs. It promises canonical bits, so the laws require them.
template <make_rotation_steps Make>
constexpr ropewalk_kernel kernel_that_makes(const char* name) {
  ropewalk_kernel kernel = kernel_of<plan_of_rotation>(name, promise::canonical);
  kernel.plan = [](const ropewalk_head* encoding, ropewalk_plan** plan, ropewalk_error* error) {
    return ropewalk::detail::answer_made<plan_of_rotation>(
        encoding, plan, error, [](const ropewalk_head* head) {
          return new plan_of_rotation(read_struct<ropewalk_rotation>(head, rotate::number, "encoding"),
                                      Make());
        });
  };
  return kernel;
}

template <class Steps>
std::unique_ptr<rotation_steps> made_steps() {
  return std::make_unique<virtual_steps<Steps>>();
}

template <auto steps>
std::unique_ptr<rotation_steps> given_steps() {
  return std::make_unique<virtual_steps<std::remove_const_t<decltype(steps)>>>(steps);
}

/// A kernel of these steps.
template <class Steps>
constexpr ropewalk_kernel kernel_with(const char* name) {
  return kernel_that_makes<made_steps<Steps>>(name);
}

/// The same for a value of a step type that has members.
template <auto steps>
constexpr ropewalk_kernel kernel_with_steps(const char* name) {
  return kernel_that_makes<given_steps<steps>>(name);
}

}  // namespace ropewalk::fault
