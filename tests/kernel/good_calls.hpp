#pragma once
// Calls that kernels serve, to be made wrong.

#include <cstdint>
#include <vector>

#include "fault/faults.hpp"
#include "kernel/kernels.hpp"
#include "kernel/rotation_case.hpp"
#include "ropewalk/kernel/kernel.h"

namespace ropewalk::test {

inline std::vector<ropewalk_kernel> kernels_and_a_fault() {
  std::vector<ropewalk_kernel> kernels(built_in_kernels().begin(), built_in_kernels().end());
  kernels.push_back(fault::fault_kernels().front());
  return kernels;
}

/// A valid rank-3 call of 6 tokens, 2 query heads, 1 key head and 8 channels.
struct good_call {
  good_call() {
    const auto tensor = [](std::vector<float>& elements, std::int64_t heads) {
      return ropewalk_tensor{elements.data(), ROPEWALK_F32, 3, {6, heads, 8}, {8 * heads, 8, 1}};
    };
    call.query_in = tensor(memory[0], 2);
    call.query_out = tensor(memory[1], 2);
    call.key_in = tensor(memory[2], 1);
    call.key_out = tensor(memory[3], 1);
    call.tokens.positions = given_positions(positions);
    call.tokens.end = 6;
  }

  std::vector<float> memory[4] = {std::vector<float>(96, 1.0f), std::vector<float>(96, -7.0f),
                                  std::vector<float>(48, 1.0f), std::vector<float>(48, -7.0f)};
  std::int32_t positions[6] = {0, 1, 2, 3, 4, 5};
  ropewalk_rotation_call call = empty_call<rotate>();
};

}  // namespace ropewalk::test
