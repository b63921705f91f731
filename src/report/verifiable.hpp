#pragma once
// Lists the kernels, targets, laws, promises and models that `ropewalk verify` accepts.

#include <vector>

#include "verify/kernel_choice.hpp"

namespace ropewalk::report {

void print_verifiable(bool as_json);

/// Lists some kernels, with their promises and limits.
void print_kernels(const std::vector<verify::chosen_kernel>& kernels, bool as_json);

}  // namespace ropewalk::report
