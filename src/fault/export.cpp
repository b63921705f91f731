// What the library of faults exports, so that a foreign library's way into the laws is tested too.

#include <cstddef>
#include <vector>

#include "fault/faults.hpp"

const ropewalk_kernel* const* ropewalk_kernels(std::size_t* count) {
  static const auto& pointers = *[] {  // never freed: they are handed out for good
    auto* made = new std::vector<const ropewalk_kernel*>;
    for (const ropewalk_kernel& kernel : ropewalk::fault::all_fault_kernels()) made->push_back(&kernel);
    return made;
  }();
  if (count != nullptr) *count = pointers.size();
  return pointers.data();
}
