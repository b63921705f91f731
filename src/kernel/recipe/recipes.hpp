#pragma once
// Entries as inference engines compute them, each bit-exact to its description. For comparison only: no exact
// code includes this file.
//
// All recipes round the cosine and sine of their angle correctly, because C libraries differ from machine to
// machine. An attention factor other than 1 multiplies them in the recipe's own format.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "kernel/recipe/frequencies.hpp"
#include "ropewalk/kernel/checked_call.hpp"
#include "ropewalk/kernel/promise.hpp"
#include "ropewalk/kernel/rotation_plan.hpp"

namespace ropewalk::recipe {

struct known_recipe;

/// A checked call of a recipe's kernel.
struct recipe_call {
  const known_recipe& recipe;
  const rotation_plan& plan;
  const frequencies& from;
  const checked_call& call;
};

/// One recipe: its kernel's name and promise, and the functions that compute its rows and inverse frequencies
/// and apply rows to tensors. A row holds the entries of one position; `unit` leaves out the attention
/// factor.
///
/// shape   cos, sin, out [rotary_dim / 2]
struct known_recipe {
  std::string_view name;  // of the kernel
  std::string_view text;  // one-line description
  promise promised;
  bool takes_single_inv_freq;
  void (*row)(const frequencies&, std::int64_t position, bool unit, float* cos, float* sin);
  void (*wide_row)(const frequencies&, std::int64_t position, bool unit, double* cos, double* sin);
  void (*inv_freqs)(const frequencies&, double* out);
  void (*turn)(const recipe_call&);
};

inline constexpr std::size_t recipe_count = 5;

/// All recipes, in this order:
///
/// recipe-hf-f32       inverse frequency and position in binary32, their product, cos and sin of it (Hugging
///                     Face, vLLM)
/// recipe-ggml         the angle from the position by repeated multiplication in binary32, divided by
///                     freq_factors (ggml on a CPU)
/// recipe-bf16-cache   recipe-hf-f32 with cos and sin kept in bfloat16 (a cache in the model's dtype)
/// recipe-bf16-angle   inverse frequency, position and angle in bfloat16; cos and sin rounded to binary32,
///                     then to bfloat16 (a model converted to bfloat16 whole)
/// recipe-f64          inverse frequency, angle, cos and sin in binary64; entries rounded at the end
///
/// Rows of recipe-ggml rotate tensors in a loop like ggml's. Rows of the others are widened exactly and used
/// by the canonical rotation: these kernels show the cost and the results of engines' rows, but not the cost
/// of their loops.
std::span<const known_recipe, recipe_count> known_recipes();

}  // namespace ropewalk::recipe
