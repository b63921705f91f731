#pragma once
// The SPIR-V words of the compiled shaders. Proofs inspect them; devices receive them with declared float
// controls.

#include <cstdint>

namespace ropewalk::vulkan::shader_words {

inline constexpr std::uint32_t rows[] = {
#include "gpu/shaders/rows.inc"
};
inline constexpr std::uint32_t repair[] = {
#include "gpu/shaders/repair.inc"
};
inline constexpr std::uint32_t real_rows[] = {
#include "gpu/shaders/real_rows.inc"
};
inline constexpr std::uint32_t real_repair[] = {
#include "gpu/shaders/real_repair.inc"
};
inline constexpr std::uint32_t rotate_f32[] = {
#include "gpu/shaders/rotate_f32.inc"
};
inline constexpr std::uint32_t rotate_f16[] = {
#include "gpu/shaders/rotate_f16.inc"
};
inline constexpr std::uint32_t rotate_bf16[] = {
#include "gpu/shaders/rotate_bf16.inc"
};
inline constexpr std::uint32_t rotate_by_8_f16[] = {
#include "gpu/shaders/rotate_by_8_f16.inc"
};
inline constexpr std::uint32_t rotate_by_8_bf16[] = {
#include "gpu/shaders/rotate_by_8_bf16.inc"
};
inline constexpr std::uint32_t rotate_any_f32[] = {
#include "gpu/shaders/rotate_any_f32.inc"
};
inline constexpr std::uint32_t rotate_any_f16[] = {
#include "gpu/shaders/rotate_any_f16.inc"
};
inline constexpr std::uint32_t rotate_any_bf16[] = {
#include "gpu/shaders/rotate_any_bf16.inc"
};
inline constexpr std::uint32_t add_f32[] = {
#include "gpu/shaders/add_f32.inc"
};
inline constexpr std::uint32_t add_f16[] = {
#include "gpu/shaders/add_f16.inc"
};
inline constexpr std::uint32_t add_bf16[] = {
#include "gpu/shaders/add_bf16.inc"
};
inline constexpr std::uint32_t add_bias_f32[] = {
#include "gpu/shaders/add_bias_f32.inc"
};
inline constexpr std::uint32_t add_bias_f16[] = {
#include "gpu/shaders/add_bias_f16.inc"
};
inline constexpr std::uint32_t add_bias_bf16[] = {
#include "gpu/shaders/add_bias_bf16.inc"
};
inline constexpr std::uint32_t add_any_f32[] = {
#include "gpu/shaders/add_any_f32.inc"
};
inline constexpr std::uint32_t add_any_f16[] = {
#include "gpu/shaders/add_any_f16.inc"
};
inline constexpr std::uint32_t add_any_bf16[] = {
#include "gpu/shaders/add_any_bf16.inc"
};
inline constexpr std::uint32_t bias[] = {
#include "gpu/shaders/bias.inc"
};

inline constexpr std::uint32_t recipe_f32[] = {
#include "gpu/shaders/recipe_f32.inc"
};
inline constexpr std::uint32_t recipe_f16[] = {
#include "gpu/shaders/recipe_f16.inc"
};
inline constexpr std::uint32_t recipe_bf16[] = {
#include "gpu/shaders/recipe_bf16.inc"
};
inline constexpr std::uint32_t recipe_by_8_f16[] = {
#include "gpu/shaders/recipe_by_8_f16.inc"
};
inline constexpr std::uint32_t recipe_by_8_bf16[] = {
#include "gpu/shaders/recipe_by_8_bf16.inc"
};

inline constexpr std::uint32_t copy[] = {
#include "gpu/shaders/copy.inc"
};
inline constexpr std::uint32_t copy_words[] = {
#include "gpu/shaders/copy_words.inc"
};

}  // namespace ropewalk::vulkan::shader_words
