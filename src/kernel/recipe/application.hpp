#pragma once
// Applies rows of recipes to tensors.

#include "kernel/recipe/recipes.hpp"

namespace ropewalk::recipe {

/// The canonical rotation by a recipe's rows, on the best target.
void turn_canonically(const recipe_call& request);

/// One pair after the other, as ggml does on a CPU: each call computes a token's row, with cosines and sines
/// side by side, which rotates all heads of the token. In binary32 without fused multiply-add, hence with the
/// bits of the canonical rotation by the same rows; binary64 data is rotated in binary64.
void turn_pair_by_pair(const recipe_call& request);

/// `recipe-hf-eager`: x cos + rotate_half(x) sin on whole tensors, as eager PyTorch runs apply_rotary_pos_emb
/// of Hugging Face (GPT-J's rotate_every_two for interleaved pairs). The negation, the join of the halves,
/// both products and the sum are separate tensors, each rounded to the data's format. Cosines and sines are
/// those of recipe-hf-f32, rounded to that format; a plan keeps them for frequent positions, because a model
/// computes them once for all of its layers.
ropewalk_kernel eager_kernel();

}  // namespace ropewalk::recipe
