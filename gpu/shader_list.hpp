#pragma once
// The compiled shaders and the call structure of each.

#include <cstdint>
#include <span>

#include "gpu/calls.hpp"
#include "gpu/vulkan/pipeline.hpp"
#include "ropewalk/kernel/kernel.h"

namespace ropewalk::vulkan {

/// A shader with the type of its push constants.
template <push_constants Call>
struct shader_of : shader {
  shader_of(std::span<const std::uint32_t> module, std::uint32_t bindings)
      : shader{module, bindings, sizeof(Call)} {}
};

/// Whether there are shaders that rotate and add to tensors of a dtype.
bool has_shaders(ropewalk_dtype dtype);

shader_of<rows_call> rows_shader();
shader_of<rows_call> repair_shader();
shader_of<bias_call> bias_shader();
/// Shaders whose name has `any` take heads of any size and write one word per invocation; the others read and
/// write groups of four elements.
///
/// domain  has_shaders(dtype)
shader_of<rotate_call> rotate_shader(ropewalk_dtype dtype);
shader_of<rotate_any_call> rotate_any_shader(ropewalk_dtype dtype);
shader_of<add_call> add_shader(ropewalk_dtype dtype);
shader_of<add_any_call> add_any_shader(ropewalk_dtype dtype);
shader_of<recipe_call> recipe_shader(ropewalk_dtype dtype);
shader_of<rotate_call> copy_shader(ropewalk_dtype dtype);
shader_of<copy_words_call> copy_words_shader();

inline constexpr std::uint32_t word_bytes = sizeof(std::uint32_t);
inline constexpr std::uint32_t group_size = 64;  // invocations in every shader's workgroup

inline std::uint64_t groups_of(std::uint64_t invocations) {
  return (invocations + group_size - 1) / group_size;
}

/// Most heads that one invocation processes.
inline constexpr std::uint32_t heads_at_once = 8;

inline std::uint64_t head_blocks_of(std::int64_t heads) {
  return (static_cast<std::uint64_t>(heads) + heads_at_once - 1) / heads_at_once;
}

/// Invocations of a shader that writes one word per invocation.
inline std::uint64_t words_of(ropewalk_dtype dtype, std::uint64_t elements) {
  return dtype == ROPEWALK_F32 ? elements : (elements + 1) / 2;
}

}  // namespace ropewalk::vulkan
