#pragma once
// What engines compute instead of the exact entries, each bit-exact to its description. Compared with, never
// included by anything exact.
//
// All share three things: cosines and sines are the correctly rounded ones of the angle that the recipe
// arrives at, since those of C libraries differ from machine to machine; an attention factor other than 1
// multiplies them in the recipe's own format; and the entries, widened exactly, enter the canonical rotation.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "kernel/recipe/frequencies.hpp"
#include "ropewalk/kernel/promise.hpp"

namespace ropewalk::recipe {

/// One of them, by what it computes. Rows are of one position, `unit` leaves the attention factor out.
///
/// shape   cos, sin, out [rotary_dim / 2]
struct known_recipe {
  std::string_view name;  // of the kernel
  std::string_view text;  // what happens, in words
  promise promised;
  bool takes_single_inv_freq;
  void (*row)(const frequencies&, std::int64_t position, bool unit, float* cos, float* sin);
  void (*wide_row)(const frequencies&, std::int64_t position, bool unit, double* cos, double* sin);
  void (*inv_freqs)(const frequencies&, double* out);
};

inline constexpr std::size_t recipe_count = 5;

/// recipe-hf-f32       inverse frequency and position in binary32, their product, cos and sin of it (Hugging
///                     Face, vLLM)
/// recipe-ggml         the angle from the position by repeated multiplication in binary32, divided by
///                     freq_factors (ggml on a CPU)
/// recipe-bf16-cache   recipe-hf-f32 with cos and sin kept in bfloat16 (a cache in the model's dtype)
/// recipe-bf16-angle   inverse frequency, position and angle in bfloat16; cos and sin rounded to binary32,
///                     then to bfloat16 (a model converted to bfloat16 whole)
/// recipe-f64          inverse frequency, angle, cos and sin in binary64; entries rounded at the end
std::span<const known_recipe, recipe_count> known_recipes();

}  // namespace ropewalk::recipe
