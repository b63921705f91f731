// The library's one export: the function that kernel.h declares.

#include <cstddef>

#include "kernel/kernels.hpp"

const ropewalk_kernel* const* ropewalk_kernels(std::size_t* count) {
  const auto kernels = ropewalk::kernel_pointers();
  if (count != nullptr) *count = kernels.size();
  return kernels.data();
}
