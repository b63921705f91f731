#include "gpu/shader_list.hpp"

#include "gpu/shader_words.hpp"

namespace ropewalk::vulkan {
namespace {

using namespace shader_words;
using words = std::span<const std::uint32_t>;

words of_dtype(ropewalk_dtype dtype, words f32, words f16, words bf16) {
  if (dtype == ROPEWALK_F32) return f32;
  if (dtype == ROPEWALK_F16) return f16;
  return dtype == ROPEWALK_BF16 ? bf16 : words{};
}

}  // namespace

bool has_shaders(ropewalk_dtype dtype) {
  return !of_dtype(dtype, rotate_f32, rotate_f16, rotate_bf16).empty();
}

shader_of<rows_call> rows_shader(bool is_real) { return {is_real ? words{real_rows} : words{rows}, 5}; }
shader_of<rows_call> repair_shader(bool is_real) { return {is_real ? words{real_repair} : words{repair}, 5}; }
shader_of<bias_call> bias_shader() { return {bias, 3}; }

shader_of<rotate_call> rotate_shader(ropewalk_dtype dtype, access by) {
  return {by == access::bytes_16 ? of_dtype(dtype, rotate_f32, rotate_f16, rotate_bf16)
                                 : of_dtype(dtype, {}, rotate_by_8_f16, rotate_by_8_bf16),
          3};
}

shader_of<rotate_any_call> rotate_any_shader(ropewalk_dtype dtype) {
  return {of_dtype(dtype, rotate_any_f32, rotate_any_f16, rotate_any_bf16), 3};
}

shader_of<add_call> add_shader(ropewalk_dtype dtype) {
  return {of_dtype(dtype, add_f32, add_f16, add_bf16), 3};
}

shader_of<add_bias_call> add_bias_shader(ropewalk_dtype dtype) {
  return {of_dtype(dtype, add_bias_f32, add_bias_f16, add_bias_bf16), 3};
}

shader_of<add_any_call> add_any_shader(ropewalk_dtype dtype) {
  return {of_dtype(dtype, add_any_f32, add_any_f16, add_any_bf16), 4};
}

shader_of<recipe_call> recipe_shader(ropewalk_dtype dtype, access by) {
  return {by == access::bytes_16 ? of_dtype(dtype, recipe_f32, recipe_f16, recipe_bf16)
                                 : of_dtype(dtype, {}, recipe_by_8_f16, recipe_by_8_bf16),
          4};
}

shader_of<rotate_call> copy_shader() { return {copy, 2}; }

shader_of<copy_words_call> copy_words_shader() { return {copy_words, 2}; }

}  // namespace ropewalk::vulkan
