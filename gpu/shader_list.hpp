#pragma once
// The compiled shaders, and how each is called.

#include <cstdint>
#include <span>

#include "gpu/vulkan/pipeline.hpp"
#include "ropewalk/kernel/kernel.h"

namespace ropewalk::vulkan {

/// Elements of a dense tensor, four to a vector or one word to an invocation.
enum class element_access { fours, words };

shader rows_shader();
shader repair_shader();
shader bias_shader();
/// domain  dtype of 32 or 16 bits
shader rotate_shader(ropewalk_dtype dtype, element_access access);
shader add_shader(ropewalk_dtype dtype, element_access access);
shader recipe_shader(ropewalk_dtype dtype);
shader copy_shader(ropewalk_dtype dtype);
shader copy_words_shader();

inline constexpr std::uint32_t word_bytes = sizeof(std::uint32_t);
inline constexpr std::uint32_t group_size = 64;  // invocations of every shader's workgroup

inline std::uint64_t groups_of(std::uint64_t invocations) {
  return (invocations + group_size - 1) / group_size;
}

/// Heads that an invocation goes over where there are many.
inline constexpr std::uint32_t heads_at_once = 8;

inline std::uint64_t head_blocks_of(std::int64_t heads) {
  return (static_cast<std::uint64_t>(heads) + heads_at_once - 1) / heads_at_once;
}

/// Invocations of a shader that writes a word each.
inline std::uint64_t words_of(ropewalk_dtype dtype, std::uint64_t elements) {
  return dtype == ROPEWALK_F32 ? elements : (elements + 1) / 2;
}

}  // namespace ropewalk::vulkan
