#pragma once
// The inner loop of ggml's rotation on a CPU: one pair after the other, each element converted separately.

#include <cstddef>

#include "ropewalk/config/head_layout.hpp"
#include "ropewalk/kernel/kernel.h"

namespace ropewalk::recipe {

/// Rotates the pairs of one head, whose channels are contiguous, in binary32 (binary64 for binary64 data) and
/// without fused multiply-add. The output is the input's memory or does not overlap it.
///
/// shape   row [pairs][2], each pair's cosine and sine side by side
using pair_loop = void (*)(const std::byte* from, std::byte* to, int pairs, const float* row);

/// The loop for a format's data in a pairing, compiled for AVX2 and F16C where the processor has them.
pair_loop pair_loop_of(ropewalk_dtype dtype, pairing pairs);

/// The same loop, compiled for any processor.
pair_loop portable_pair_loop_of(ropewalk_dtype dtype, pairing pairs);

}  // namespace ropewalk::recipe
