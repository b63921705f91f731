#include "diagnosis/stand_in.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "ropewalk/kernel/error.hpp"
#include "ropewalk/kernel/kernel_of.hpp"
#include "ropewalk/kernel/promise.hpp"

namespace ropewalk::diagnosis {
namespace {

thread_local const ropewalk_kernel* taken = nullptr;

/// A copy of an encoding, with one plan per kernel.
class plans {
 public:
  explicit plans(const ropewalk_head& encoding) : bytes_(encoding.struct_size) {
    std::memcpy(bytes_.data(), &encoding, bytes_.size());
    if (encoding.operation != ROPEWALK_ROTATE) return;
    auto& rotation = *reinterpret_cast<ropewalk_rotation*>(bytes_.data());
    const int pairs = rotation.rotary_dim / 2;
    keep(rotation.inv_freq, pairs, inv_freq_);
    keep(rotation.turns, 4 * pairs, turns_);
    keep(rotation.turns_256, 8 * pairs, turns_256_);
    keep(rotation.turns_real, pairs, turns_real_);
    keep(rotation.axis, pairs, axis_);
    if (rotation.config_json == nullptr) return;
    config_json_ = rotation.config_json;
    rotation.config_json = config_json_.c_str();
  }
  plans(const plans&) = delete;
  plans& operator=(const plans&) = delete;
  ~plans() {
    for (const auto& [kernel, plan] : by_name_) kernel->free_plan(plan);
  }

  /// Finds or makes the plan of the selected kernel; returns that kernel's status.
  std::int32_t plan(ropewalk_plan*& to, ropewalk_error* error) {
    if (const auto kept = by_name_.find(taken); kept != by_name_.end()) {
      to = kept->second;
      return ROPEWALK_OK;
    }
    const std::int32_t status =
        taken->plan(reinterpret_cast<const ropewalk_head*>(bytes_.data()), &to, error);
    if (status == ROPEWALK_OK) by_name_[taken] = to;
    return status;
  }

 private:
  /// Copies an array of the encoding, since the original lasts only until the plan is made.
  template <class T>
  static void keep(const T*& values, int count, std::vector<T>& to) {
    if (values == nullptr) return;
    to.assign(values, values + count);
    values = to.data();
  }

  std::vector<std::byte> bytes_;
  std::vector<double> inv_freq_;
  std::vector<std::uint32_t> turns_;
  std::vector<std::uint32_t> turns_256_;
  std::vector<ropewalk_real> turns_real_;
  std::vector<std::int32_t> axis_;
  std::string config_json_;
  std::map<const ropewalk_kernel*, ropewalk_plan*> by_name_;
};

std::int32_t make_plans(const ropewalk_head* encoding, ropewalk_plan** made, ropewalk_error* error) {
  auto both = std::make_unique<plans>(*encoding);
  ropewalk_plan* own = nullptr;
  const std::int32_t status = both->plan(own, error);
  *made = status == ROPEWALK_OK ? reinterpret_cast<ropewalk_plan*>(both.release()) : nullptr;
  return status;
}

std::int32_t apply_plan(const ropewalk_plan* plan, const ropewalk_head* call, ropewalk_error* error) {
  auto& kept_plans = *const_cast<plans*>(reinterpret_cast<const plans*>(plan));
  ropewalk_plan* own = nullptr;
  const std::int32_t status = kept_plans.plan(own, error);
  return status == ROPEWALK_OK ? taken->apply(own, call, error) : status;
}

void free_plans(ropewalk_plan* plan) { delete reinterpret_cast<plans*>(plan); }

}  // namespace

ropewalk_kernel stand_in(ropewalk_operation operation) {
  return {.struct_size = sizeof(ropewalk_kernel),
          .abi = ROPEWALK_ABI,
          .name = "known-fault",
          .operation = operation,
          .promise = ropewalk::detail::find_stated(promise::canonical),
          .limits = &any_pairing_and_position,  // laws then run the failing kernel's cases
          .plan = make_plans,
          .apply = apply_plan,
          .free_plan = free_plans};
}

void take_the_place_of(const ropewalk_kernel& kernel) { taken = &kernel; }

}  // namespace ropewalk::diagnosis
