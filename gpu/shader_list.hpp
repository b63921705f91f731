#pragma once
// The compiled shaders and the call structure of each.

#include <cstdint>
#include <span>

#include "gpu/calls.hpp"
#include "gpu/invocations.hpp"
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

/// Rows for whole positions, or for positions in binary64.
shader_of<rows_call> rows_shader(bool is_real);
shader_of<rows_call> repair_shader(bool is_real);
shader_of<bias_call> bias_shader();
/// Shaders whose name has `any` accept heads of any size and write one word per invocation; the others read
/// and write groups of channels, of 16 bytes if not stated.
///
/// domain  has_shaders(dtype); binary32 by 16 bytes
shader_of<rotate_call> rotate_shader(ropewalk_dtype dtype, access by);
shader_of<rotate_any_call> rotate_any_shader(ropewalk_dtype dtype);
shader_of<add_call> add_shader(ropewalk_dtype dtype);
shader_of<add_bias_call> add_bias_shader(ropewalk_dtype dtype);
shader_of<add_any_call> add_any_shader(ropewalk_dtype dtype);
shader_of<recipe_call> recipe_shader(ropewalk_dtype dtype, access by);
shader_of<rotate_call> copy_shader();
shader_of<copy_words_call> copy_words_shader();

inline constexpr std::uint32_t word_bytes = sizeof(std::uint32_t);

}  // namespace ropewalk::vulkan
