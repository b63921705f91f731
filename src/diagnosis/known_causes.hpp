#pragma once
// Kernels with known faults, under the encoding, calls and promise of a failing kernel.

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "fault/known_faults.hpp"
#include "ropewalk/law/addition/checked_addition.hpp"
#include "ropewalk/law/kernel/checked_rotation.hpp"

namespace ropewalk::diagnosis {

template <class Kernel>
class known_causes {
 public:
  /// Callback that gives a kernel the failing kernel's encoding and calls, and a promise.
  using hold_kernel = std::function<std::unique_ptr<Kernel>(const ropewalk_kernel&, promise)>;

  /// Known faults of one operation. Each is planned on first use. Not thread-safe.
  known_causes(ropewalk_operation operation, hold_kernel hold);
  known_causes(const known_causes&) = delete;  // plans keep pointers to its kernels
  known_causes& operator=(const known_causes&) = delete;

  /// Number of faults: first singles() single ones, then compounds of them.
  std::size_t count() const { return faults_.size(); }
  std::size_t singles() const { return singles_; }
  const fault::known_fault& fault(std::size_t index) const { return *faults_[index]; }
  /// The kernel with one fault, judged by a promise.
  const Kernel& kernel(std::size_t index, promise promised) { return held(fault(index).kernel, promised); }
  /// Gives any kernel the same encoding and calls.
  std::unique_ptr<Kernel> hold(const ropewalk_kernel& kernel, promise promised) const {
    return hold_(kernel, promised);
  }
  /// The faultless kernel, judged by a promise.
  const Kernel& right(promise promised) { return held(faultless_, promised); }

 private:
  const Kernel& held(const ropewalk_kernel& kernel, promise promised) {
    std::optional<Kernel>& slot = kernels_[{promised, &kernel}];
    if (slot) return *slot;
    std::unique_ptr<Kernel>& first = first_[promised];
    if (!first) first = hold_(any_calls_, promised);
    return slot.emplace(first->with_kernel(kernel));
  }

  hold_kernel hold_;
  std::vector<const fault::known_fault*> faults_;
  std::size_t singles_ = 0;
  ropewalk_kernel faultless_;
  ropewalk_kernel any_calls_;                         // the faultless kernel without limits
  std::map<promise, std::unique_ptr<Kernel>> first_;  // of any_calls_; the others share its exact values
  std::map<std::pair<promise, const ropewalk_kernel*>, std::optional<Kernel>> kernels_;
};

}  // namespace ropewalk::diagnosis
