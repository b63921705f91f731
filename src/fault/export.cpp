// What the library of faults exports, so that a foreign library's way into the laws is tested too.

#include <cstddef>

#include "fault/faults.hpp"

const ropewalk_kernel* ropewalk_kernels(std::size_t* count) {
  const auto kernels = ropewalk::fault::all_fault_kernels();
  if (count != nullptr) *count = kernels.size();
  return kernels.data();
}
