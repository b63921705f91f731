#pragma once
// Targets of kernels that add.

#include <string_view>
#include <vector>

#include "kernel/kernels.hpp"

namespace ropewalk::test {

/// The addition kernels whose names begin so.
inline std::vector<ropewalk_kernel> addition_targets(std::string_view begin) {
  std::vector<ropewalk_kernel> kernels;
  for (const ropewalk_kernel& kernel : all_addition_kernels())
    if (std::string_view(kernel.name).starts_with(begin)) kernels.push_back(kernel);
  return kernels;
}

}  // namespace ropewalk::test
