#pragma once
// The rows of the table of model types, and text that they share.
//
// Types of Hugging Face transformers 5 and, where noted, of remote code. Defaults not written in a row: base
// 10000, width hidden_size / num_attention_heads, the whole head.

#include <span>
#include <string_view>

#include "model/model_type.hpp"

namespace ropewalk::model {

/// Types whose layers are all alike, and types that are refused.
std::span<const model_type> types_of_like_layers();

/// Types with two kinds of layers, each with its own table, or one of them without rotation.
std::span<const model_type> types_of_two_kinds();

inline constexpr auto interleaved = pairing::interleaved;

inline constexpr std::string_view head_norm = "RMS of each head, before the rotation",
                                  head_norm_after = "RMS of each head, after the rotation",
                                  unit_norm = "RMS of each head, times 1 + weight, before the rotation",
                                  token_norm = "RMS over all heads, before the rotation",
                                  layer_norm = "LayerNorm of each head, before the rotation",
                                  layer_norm_if_asked =
                                      "LayerNorm of each head, before the rotation, if qk_layernorm";

/// The same keys under another name.
constexpr model_type named(std::string_view name, model_type like) {
  like.name = name;
  return like;
}

}  // namespace ropewalk::model
