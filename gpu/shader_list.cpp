#include "gpu/shader_list.hpp"

#include "gpu/shader_words.hpp"

namespace ropewalk::vulkan {
namespace {

using namespace shader_words;
using words = std::span<const std::uint32_t>;

words of_dtype(ropewalk_dtype dtype, words f32, words f16, words bf16) {
  return dtype == ROPEWALK_F32 ? f32 : dtype == ROPEWALK_F16 ? f16 : bf16;
}

}  // namespace

shader rows_shader() { return {rows, 5, 13 * word_bytes}; }
shader repair_shader() { return {repair, 5, 13 * word_bytes}; }
shader bias_shader() { return {bias, 3, 5 * word_bytes}; }

shader copy_shader(ropewalk_dtype dtype) {
  return {dtype == ROPEWALK_F32 ? words(copy_32) : words(copy_16), 2, 5 * word_bytes};
}

shader recipe_shader(ropewalk_dtype dtype) {
  return {of_dtype(dtype, recipe_f32, recipe_f16, recipe_bf16), 4, 6 * word_bytes};
}

shader copy_words_shader() { return {copy_words, 2, word_bytes}; }

shader rotate_shader(ropewalk_dtype dtype, element_access access) {
  return access == element_access::fours
             ? shader{of_dtype(dtype, rotate_f32, rotate_f16, rotate_bf16), 3, 5 * word_bytes}
             : shader{of_dtype(dtype, rotate_any_f32, rotate_any_f16, rotate_any_bf16), 3, 5 * word_bytes};
}

shader add_shader(ropewalk_dtype dtype, element_access access) {
  return access == element_access::fours
             ? shader{of_dtype(dtype, add_f32, add_f16, add_bf16), 4, 6 * word_bytes}
             : shader{of_dtype(dtype, add_any_f32, add_any_f16, add_any_bf16), 4, 5 * word_bytes};
}

}  // namespace ropewalk::vulkan
