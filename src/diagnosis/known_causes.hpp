#pragma once
// The kernels that a failing kernel is compared with, each in its place: the same encoding, calls and promise.

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "diagnosis/stand_in.hpp"
#include "fault/known_faults.hpp"
#include "ropewalk/law/addition/held_addition.hpp"
#include "ropewalk/law/kernel/held_rotation.hpp"

namespace ropewalk::diagnosis {

template <class Kernel>
class known_causes {
 public:
  /// Another kernel in the place of the one that fails.
  using hold_kernel = std::function<std::unique_ptr<Kernel>(const ropewalk_kernel&, promise)>;

  /// Of kernels of one operation, each planned when it is first asked for. Used by one thread.
  known_causes(ropewalk_operation operation, hold_kernel hold);
  known_causes(const known_causes&) = delete;  // plans point into it
  known_causes& operator=(const known_causes&) = delete;

  std::size_t count() const { return faults_.size(); }
  const fault::known_fault& fault(std::size_t index) const { return *faults_[index]; }
  /// The kernel with the fault, judged by a promise. It is another kernel when the next is asked for: use one at a time.
  const Kernel& kernel(std::size_t index, promise promised) { return held(fault(index).kernel, promised); }
  /// Any kernel in the same place.
  std::unique_ptr<Kernel> hold(const ropewalk_kernel& kernel, promise promised) const {
    return hold_(kernel, promised);
  }
  /// The kernel that does what the encoding says; one at a time, too.
  const Kernel& right(promise promised) { return held(faultless_, promised); }

 private:
  const Kernel& held(const ropewalk_kernel& kernel, promise promised) {
    auto& slot = held_[promised];
    if (!slot) slot = hold_(stand_in_, promised);
    take_the_place_of(kernel);
    return *slot;
  }

  hold_kernel hold_;
  std::vector<const fault::known_fault*> faults_;
  ropewalk_kernel faultless_;
  ropewalk_kernel stand_in_;
  std::map<promise, std::unique_ptr<Kernel>> held_;  // for all kernels
};

}  // namespace ropewalk::diagnosis
