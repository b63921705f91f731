#pragma once
// The meaning of the keys of each model type, and its pairing: config.json states neither.

#include <string>
#include <string_view>
#include <vector>

#include "ropewalk/config/head_layout.hpp"

namespace ropewalk::model {

/// The keys of one model type; an empty name means that the type has no such key.
struct model_type {
  std::string_view name = "";
  pairing layout = pairing::half_split;  // of the input, and of the output unless it writes half-split
  std::string_view interleaves = "";     // key of a flag: false means half-split; true when missing
  bool doubles_by_halves = false;        // its cosines are [f, f], even where the pairing is interleaved
  bool writes_half_split = false;        // reads interleaved pairs and writes them half-split
  std::string_view base = "rope_theta";
  std::string_view hidden_size = "hidden_size";
  std::string_view heads = "num_attention_heads";
  std::string_view key_heads = "num_key_value_heads";
  std::string_view head_dim = "head_dim";
  std::string_view positions = "max_position_embeddings";
  std::string_view rotary_dim = "";                        // key of rotary_dim itself, required
  std::string_view rotary_part = "partial_rotary_factor";  // key of its share of head_dim
  double missing_part = 1;                 // default share; 0: refused, as implementations disagree
  bool base_defaults = true;               // the type's own code defaults to 10000
  std::string_view base_ratio = "";        // key of a factor of the base
  std::string_view unrotated_dim = "";     // key of the channels of a latent head that do not rotate
  std::string_view sliding_base = "";      // key of the base of sliding_attention layers
  std::string_view sliding_head_dim = "";  // key of the head_dim of sliding_attention layers
  bool has_tables = false;                 // rope_parameters must have a table for each kind of layer
  bool needs_mscales = false;              // longrope needs mscales, in place of an attention factor
  bool has_layer_types = false;            // full_attention and sliding_attention layers differ
  std::string_view not_built = "";         // why the type is refused; empty: it is not
};

inline constexpr double default_base = 10000;

inline constexpr std::string_view leaves_layers_out =
    "another model type: this one skips RoPE in some layers, which is not built";
inline constexpr std::string_view scales_queries =
    "another model type: this one scales queries by position, which is not supported";
inline constexpr std::string_view biases_scores =
    "a model type that rotates: this one has ALiBi, no rotation";

/// The same keys under another name.
constexpr model_type named(std::string_view name, model_type like) {
  like.name = name;
  return like;
}

inline constexpr model_type gptj_keys = {.layout = pairing::interleaved,
                                         .base = "",
                                         .hidden_size = "n_embd",
                                         .heads = "n_head",
                                         .positions = "n_positions",
                                         .rotary_dim = "rotary_dim",
                                         .rotary_part = ""};
inline constexpr model_type deepseek_v2_keys = {.layout = pairing::interleaved,
                                                .head_dim = "qk_rope_head_dim",
                                                .rotary_part = "",
                                                .unrotated_dim = "qk_nope_head_dim"};
inline constexpr model_type glm_keys = {
    .layout = pairing::interleaved, .doubles_by_halves = true, .missing_part = 0.5};

constexpr model_type deepseek_v3_keys(bool base_defaults) {
  model_type keys = deepseek_v2_keys;
  keys.interleaves = "rope_interleave";
  keys.writes_half_split = true;
  keys.base_defaults = base_defaults;
  return keys;
}

inline constexpr model_type model_types[] = {
    {.name = "bloom", .not_built = biases_scores},
    {.name = "chatglm",
     .layout = pairing::interleaved,
     .interleaves = "original_rope",
     .base = "",
     .key_heads = "multi_query_group_num",
     .head_dim = "kv_channels",
     .positions = "seq_length",
     .rotary_part = "",
     .missing_part = 0.5,
     .base_ratio = "rope_ratio"},
    named("codegen", gptj_keys),
    {.name = "cohere", .layout = pairing::interleaved, .base_defaults = false},
    {.name = "cohere2", .not_built = leaves_layers_out},
    named("deepseek_v2", deepseek_v2_keys),
    named("deepseek_v3", deepseek_v3_keys(true)),
    {.name = "exaone"},
    {.name = "falcon", .key_heads = "num_kv_heads"},
    {.name = "gemma"},
    {.name = "gemma2"},
    {.name = "gemma3_text",
     .base_defaults = false,
     .sliding_base = "rope_local_base_freq",
     .has_layer_types = true},
    {.name = "gemma4_text",
     .head_dim = "global_head_dim",
     .base_defaults = false,
     .sliding_head_dim = "head_dim",
     .has_tables = true,
     .has_layer_types = true},
    named("glm", glm_keys),
    named("glm4", glm_keys),
    {.name = "gpt_neox", .base = "rotary_emb_base", .rotary_part = "rotary_pct", .missing_part = 0},
    {.name = "gpt_oss", .base_defaults = false},
    named("gptj", gptj_keys),
    {.name = "granite"},
    {.name = "internlm2"},
    named("kimi_k2", deepseek_v3_keys(false)),
    {.name = "llama"},
    {.name = "llama4", .not_built = leaves_layers_out},
    {.name = "llama4_text", .not_built = leaves_layers_out},
    {.name = "minicpm"},
    {.name = "ministral3", .not_built = scales_queries},
    {.name = "mistral"},
    {.name = "mixtral", .base_defaults = false},
    {.name = "mpt", .not_built = biases_scores},
    {.name = "nemotron", .missing_part = 0.5},
    {.name = "olmo"},
    {.name = "olmo2"},
    {.name = "persimmon", .missing_part = 0.5, .base_defaults = false},
    {.name = "phi", .missing_part = 0.5},
    {.name = "phi3"},
    {.name = "phimoe", .base_defaults = false, .needs_mscales = true},
    {.name = "qwen2"},
    {.name = "qwen2_5_vl", .base_defaults = false},
    {.name = "qwen2_moe"},
    {.name = "qwen2_vl", .base_defaults = false},
    {.name = "qwen3"},
    {.name = "qwen3_moe"},
    {.name = "smollm3", .not_built = leaves_layers_out},
    {.name = "stablelm", .missing_part = 0.25},
    {.name = "stablelm_epoch", .rotary_part = "rope_pct", .missing_part = 0},
    {.name = "starcoder2"},
};

/// The keys that most models use, for a type that is not in the table and whose pairing the user gave. The
/// base has no default.
inline constexpr model_type unlisted_type = {.name = "", .base_defaults = false};

/// Null when the table has no such type.
constexpr const model_type* find_model_type(std::string_view name) {
  for (const model_type& type : model_types)
    if (type.name == name) return &type;
  return nullptr;
}

/// The names of all types that can be read.
inline std::vector<std::string> model_type_names() {
  std::vector<std::string> names;
  for (const model_type& type : model_types)
    if (type.not_built.empty()) names.emplace_back(type.name);
  return names;
}

}  // namespace ropewalk::model
