// What this library exports: kernel.h's one function.

#include <cstddef>

#include "kernel/kernels.hpp"

const ropewalk_kernel* ropewalk_kernels(std::size_t* count) {
  const auto kernels = ropewalk::exported_kernels();
  if (count != nullptr) *count = kernels.size();
  return kernels.data();
}
