// Entry point of the fault library, which the program loads as a foreign kernel library, to test that path.

#include <cstddef>
#include <vector>

#include "fault/faults.hpp"

const ropewalk_kernel* const* ropewalk_kernels(std::size_t* count) {
  static const auto& pointers = *[] {  // never freed: callers keep the pointers
    auto* made = new std::vector<const ropewalk_kernel*>;
    for (const ropewalk_kernel& kernel : ropewalk::fault::all_fault_kernels()) made->push_back(&kernel);
    return made;
  }();
  if (count != nullptr) *count = pointers.size();
  return pointers.data();
}
