#pragma once
// One kernel per target that the processor supports, and one for the best target.

#include <cstddef>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "kernel/simd/simd.hpp"
#include "ropewalk/kernel/kernel_of.hpp"

namespace ropewalk {

namespace detail {

/// A plan on the target simd::targets()[Index].
template <class Plan, std::size_t Index>
class on_target : public Plan {
 public:
  explicit on_target(const typename Plan::operation::encoding& encoding)
      : Plan(encoding, *simd::targets()[Index]) {}
};

inline constexpr std::size_t most_targets = 7;

/// A name that is never freed, because callers may keep kernels forever.
inline const char* lasting(std::string name) {
  static std::mutex names_mutex;
  static auto& names = *new std::set<std::string>;
  const std::lock_guard lock(names_mutex);
  return names.insert(std::move(name)).first->c_str();
}

template <class Plan, std::size_t... Index>
std::vector<ropewalk_kernel> targeted_kernels(const char* name, const ropewalk_limits* limits,
                                              std::index_sequence<Index...>) {
  std::vector<ropewalk_kernel> kernels{kernel_of<on_target<Plan, 0>>(name, promise::canonical, limits)};
  const auto targets = simd::targets();
  const auto add = [&]<std::size_t I>() {
    if (I < targets.size())
      kernels.push_back(kernel_of<on_target<Plan, I>>(lasting(std::string(name) + '-' + targets[I]->name),
                                                      promise::canonical, limits));
  };
  (add.template operator()<Index>(), ...);
  return kernels;
}

}  // namespace detail

/// The kernel `name` on the best target, then `name-TARGET` on each.
template <class Plan>
std::vector<ropewalk_kernel> targeted_kernels(const char* name, const ropewalk_limits* limits = nullptr) {
  return detail::targeted_kernels<Plan>(name, limits, std::make_index_sequence<detail::most_targets>());
}

}  // namespace ropewalk
