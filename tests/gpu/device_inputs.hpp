#pragma once
// Inputs of Vulkan kernels: the dtypes that they serve, and the largest and smallest position.

#include <cstdint>
#include <limits>

#include "ropewalk/kernel/kernel.h"

namespace ropewalk::test {

inline constexpr ropewalk_dtype dtypes[] = {ROPEWALK_F32, ROPEWALK_F16, ROPEWALK_BF16};
inline constexpr std::int32_t last_position = std::numeric_limits<std::int32_t>::max();
inline constexpr std::int32_t first_position = std::numeric_limits<std::int32_t>::min();

}  // namespace ropewalk::test
