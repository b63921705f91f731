#include "gpu/shader_list.hpp"

namespace ropewalk::vulkan {
namespace {

constexpr std::uint32_t rows[] = {
#include "gpu/shaders/rows.inc"
};
constexpr std::uint32_t repair[] = {
#include "gpu/shaders/repair.inc"
};
constexpr std::uint32_t rotate_f32[] = {
#include "gpu/shaders/rotate_f32.inc"
};
constexpr std::uint32_t rotate_f16[] = {
#include "gpu/shaders/rotate_f16.inc"
};
constexpr std::uint32_t rotate_bf16[] = {
#include "gpu/shaders/rotate_bf16.inc"
};
constexpr std::uint32_t rotate_any_f32[] = {
#include "gpu/shaders/rotate_any_f32.inc"
};
constexpr std::uint32_t rotate_any_f16[] = {
#include "gpu/shaders/rotate_any_f16.inc"
};
constexpr std::uint32_t rotate_any_bf16[] = {
#include "gpu/shaders/rotate_any_bf16.inc"
};

constexpr std::uint32_t copy_32[] = {
#include "gpu/shaders/copy_32.inc"
};
constexpr std::uint32_t copy_16[] = {
#include "gpu/shaders/copy_16.inc"
};

using words = std::span<const std::uint32_t>;

words of_dtype(ropewalk_dtype dtype, words f32, words f16, words bf16) {
  return dtype == ROPEWALK_F32 ? f32 : dtype == ROPEWALK_F16 ? f16 : bf16;
}

constexpr std::uint32_t word_bytes = sizeof(std::uint32_t);

}  // namespace

shader rows_shader() { return {rows, 5, 9 * word_bytes}; }
shader repair_shader() { return {repair, 5, 9 * word_bytes}; }

shader copy_shader(ropewalk_dtype dtype) {
  return {dtype == ROPEWALK_F32 ? words(copy_32) : words(copy_16), 2, 4 * word_bytes};
}

shader rotate_shader(ropewalk_dtype dtype, element_access access) {
  return access == element_access::fours
             ? shader{of_dtype(dtype, rotate_f32, rotate_f16, rotate_bf16), 3, 4 * word_bytes}
             : shader{of_dtype(dtype, rotate_any_f32, rotate_any_f16, rotate_any_bf16), 3, 5 * word_bytes};
}

}  // namespace ropewalk::vulkan
