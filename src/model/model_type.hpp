#pragma once
// What a model type means by its keys. Pairing and key names are not in config.json: this table is where they
// come from.

#include <string>
#include <string_view>

#include "ropewalk/config/head_layout.hpp"

namespace ropewalk::model {

/// The keys of one model type; an empty name means that the type has no such key.
struct model_type {
  std::string_view name;
  pairing layout = pairing::half_split;
  std::string_view base = "rope_theta";
  std::string_view hidden_size = "hidden_size";
  std::string_view heads = "num_attention_heads";
  std::string_view positions = "max_position_embeddings";
  std::string_view rotary_dim = "";                        // the type gives rotary_dim itself, and must
  std::string_view rotary_part = "partial_rotary_factor";  // its share of head_dim
  bool rotary_part_is_required = false;  // implementations disagree on what a missing one means
  bool base_defaults = true;             // the type's own configuration code takes 10000 when none is given
};

inline constexpr double default_base = 10000;

inline constexpr model_type model_types[] = {
    {.name = "gemma2"},
    {.name = "gpt_neox",
     .base = "rotary_emb_base",
     .rotary_part = "rotary_pct",
     .rotary_part_is_required = true},
    {.name = "gpt_oss", .base_defaults = false},
    {.name = "gptj",
     .layout = pairing::interleaved,
     .base = "",
     .hidden_size = "n_embd",
     .heads = "n_head",
     .positions = "n_positions",
     .rotary_dim = "rotary_dim",
     .rotary_part = ""},
    {.name = "llama"},
    {.name = "mistral"},
    {.name = "qwen2"},
    {.name = "qwen3"},
};

/// The keys most models use, for a type that is not in the table and whose pairing the user gave: nothing is
/// defaulted.
inline constexpr model_type unlisted_type = {.name = "", .base_defaults = false};

/// Null when the table has no such type.
constexpr const model_type* find_model_type(std::string_view name) {
  for (const model_type& type : model_types)
    if (type.name == name) return &type;
  return nullptr;
}

/// All names, for messages: "gemma2, gpt_neox, ...".
inline std::string model_type_names() {
  std::string names;
  for (const model_type& type : model_types) names += (names.empty() ? "" : ", ") + std::string(type.name);
  return names;
}

}  // namespace ropewalk::model
