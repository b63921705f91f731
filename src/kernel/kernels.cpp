#include "kernel/kernels.hpp"

namespace ropewalk {

std::span<const ropewalk_kernel> built_in_kernels() {
  static const ropewalk_kernel kernels[] = {exact_kernel(), cpu_table_kernel()};
  return kernels;
}

}  // namespace ropewalk
