#include "model/gguf_architectures.hpp"

#include <algorithm>
#include <map>

#include "model/other_types.hpp"

namespace ropewalk::model {
namespace {

constexpr auto interleaved = pairing::interleaved;

// The two query scales of llama.cpp, with the keys that gguf_config.hpp writes: those of ministral3 and of
// llama4.
constexpr query_scale_rule temperature = {.strength = "llama_4_scaling_beta",
                                          .length = "original_max_position_embeddings",
                                          .is_in_scaling_block = true};
constexpr query_scale_rule fixed_temperature = {.strength = "attn_scale",
                                                .length = "floor_scale",
                                                .shift = 1,
                                                .flag = "attn_temperature_tuning",
                                                .is_of_still_layers = true};

// Names are in the order of the rope types in llama.cpp: NORM, NEOX, MROPE, IMROPE.
constexpr architecture architectures[] = {
    {.names =
         "llama llama-embed internlm2 xverse command-r olmo arctic deepseek chatglm chameleon bailingmoe "
         "neo-bert arcee ernie4_5 ernie4_5-moe maincoder nanbeige minicpm eagle3 glm4 deci",
     .layout = interleaved},
    {.names = "llada", .layout = interleaved, .ignores_divisors = true},
    {.names = "granite granitemoe granitehybrid", .layout = interleaved, .stands_without_finetuned = true},
    {.names = "baichuan", .layout = interleaved, .rotating_depth = 32},
    {.names = "mistral3",
     .layout = interleaved,
     .reads_betas = true,
     .multiplier_unit = 1,
     .has_temperature = true},
    {.names = "llama4", .layout = interleaved, .period = 4, .still_every = 4, .has_fixed_temperature = true},
    {.names = "smollm3", .layout = interleaved, .still_every = 4},
    {.names = "cohere2",
     .layout = interleaved,
     .period = 4,
     .ignores_sliding_base = true,
     .full_stands_still = true},
    {.names = "cohere2moe",
     .layout = interleaved,
     .begins_full = true,
     .pattern = pattern_reader::both,
     .ignores_sliding_base = true,
     .full_stands_still = true,
     .dense_rotates = true},
    {.names = "muse_glimmer",
     .layout = interleaved,
     .pattern = pattern_reader::both,
     .slides_unscaled = true,
     .full_stands_still = true},
    {.names = "deepseek2",
     .layout = interleaved,
     .is_latent = true,
     .multiplier_unit = 0.1,
     .cancels_mscale = true,
     .has_temperature = true,
     .has_temperature_length = true},
    {.names = "mistral4",
     .layout = interleaved,
     .is_latent = true,
     .multiplier_unit = 0.1,
     .has_temperature = true,
     .has_temperature_length = true},
    {.names = "deepseek32", .layout = interleaved, .is_latent = true, .multiplier_unit = 0.1},
    {.names = "glm-dsa plm", .layout = interleaved, .is_latent = true},
    {.names = "deepseek4",
     .layout = interleaved,
     .rotates_last = true,
     .has_yarn_of_one = true,
     .remark = "the output of attention is rotated back by its position"},
    {.names =
         "falcon dbrx jina-bert-v3 nomic-bert nomic-bert-moe eurobert stablelm bitnet qwen qwen2 dream "
         "qwen2moe "
         "qwen3 qwen3moe llada-moe rnd1 olmoe phi2 gemma starcoder2 openelm gptneox codeshell orion nemotron "
         "exaone bailingmoe2 dots1 hunyuan-moe jais2 hy_v3 seed_oss grovemoe apertus minimax-m2 minimax-m3 "
         "talkie glm4moe plamo2 lfm2 lfm2moe"},
    {.names = "falcon-h1 pangu-embedded", .ignores_divisors = true},
    {.names = "plamo", .turns_whole_heads = true},
    {.names = "grok", .reads_betas = true, .missing_beta_fast = 8},
    {.names = "phi3 phimoe", .lists_need_no_type = true},
    {.names = "minicpm3", .is_latent = true, .lists_need_no_type = true},
    {.names = "hunyuan-dense hunyuan_vl", .has_alpha = true},
    {.names = "gemma2", .period = 2},
    {.names = "gpt-oss", .period = 2},
    {.names = "gemma3", .period = 6, .needs_window = true, .sliding_base = 10000, .slides_unscaled = true},
    {.names = "gemma-embedding", .period = 6, .sliding_base = 10000, .slides_unscaled = true},
    {.names = "gemma3n", .period = 5, .sliding_base = 10000, .slides_unscaled = true},
    {.names = "gemma4 gemma4-assistant",
     .pattern = pattern_reader::list,
     .sliding_base = 10000,
     .slides_unscaled = true,
     .has_sliding_width = true},
    {.names = "modern-bert",
     .period = 3,
     .begins_full = true,
     .needs_window = true,
     .sliding_base = 10000,
     .slides_unscaled = true},
    {.names = "plamo3", .period = 8, .needs_window = true, .sliding_base = 10000, .slides_unscaled = true},
    {.names = "mimo2", .pattern = pattern_reader::list, .sliding_base = 10000, .slides_unscaled = true},
    {.names = "step35",
     .pattern = pattern_reader::list,
     .sliding_base = 10000,
     .slides_unscaled = true,
     .has_sliding_width = true,
     .halves_full_width = true},
    {.names = "afmoe", .period = 4, .still_every = 4},
    {.names = "smallthinker",
     .period = 4,
     .begins_full = true,
     .needs_window = true,
     .still_every = 4,
     .begins_still = true},
    {.names = "laguna",
     .period = 4,
     .begins_full = true,
     .needs_window = true,
     .slides_unscaled = true,
     .has_sliding_width = true},
    {.names = "olmo2",
     .period = 4,
     .needs_window = true,
     .ignores_sliding_base = true,
     .slides_unscaled = true},
    {.names = "mellum",
     .pattern = pattern_reader::both,
     .needs_window = true,
     .ignores_sliding_base = true,
     .slides_unscaled = true},
    {.names = "exaone4",
     .period = 4,
     .sliding_depth = 64,
     .ignores_sliding_base = true,
     .full_stands_still = true},
    {.names = "exaone-moe", .period = 4, .ignores_sliding_base = true, .full_stands_still = true},
    {.names = "qwen3next", .recurrent_interval = 4},
    {.names = "qwen35 qwen35moe", .axes = axis_order::modulo, .recurrent_interval = 4},
    {.names = "qwen2vl paddleocr glm4+sections glm4moe+sections", .axes = axis_order::runs},
    {.names = "hunyuan_vl+sections", .axes = axis_order::runs, .has_alpha = true},
    {.names = "qwen3vl qwen3vlmoe qwen3tts", .axes = axis_order::modulo},
};

/// The model type with the keys of config.json that gguf_translation.cpp writes.
model_type type_of(const architecture& architecture) {
  model_type type{.layout = architecture.layout,
                  .rotary_dim = "rotary_dim",
                  .rotates_last = architecture.rotates_last,
                  .has_alpha = architecture.has_alpha,
                  .axes = architecture.axes};
  type.has_part = architecture.has_sliding_width;
  if (architecture.is_latent) {
    type.rotary_dim = "";
    type.head_dim = "qk_rope_head_dim";
    type.unrotated_dim = "qk_nope_head_dim";
  }
  if (architecture.has_sliding_width) {
    type.layers = {.usual = "sliding_attention", .special = "full_attention"};
    type.sliding_head_dim = "sliding_head_dim";
    type.default_sliding_base = architecture.sliding_base == 0 ? default_base : architecture.sliding_base;
  }
  if (architecture.has_temperature) type.query_scale = temperature;
  if (architecture.has_fixed_temperature) type.query_scale = fixed_temperature;
  type.remark = architecture.remark;
  return type;
}

/// Null if the table has no such row.
const architecture* find_architecture(std::string_view name) {
  for (const architecture& architecture : architectures)
    if (has_word(architecture.names, name)) return &architecture;
  return nullptr;
}

std::map<std::string, model_type, std::less<>> made_types() {
  std::map<std::string, model_type, std::less<>> types;
  for (const architecture& architecture : architectures)
    for (std::size_t at = 0; at < architecture.names.size();) {
      const std::size_t end = std::min(architecture.names.find(' ', at), architecture.names.size());
      const auto place =
          types
              .emplace(std::string(gguf_type_prefix) + std::string(architecture.names.substr(at, end - at)),
                       type_of(architecture))
              .first;
      place->second.name = place->first;
      at = end + 1;
    }
  return types;
}

}  // namespace

std::string type_name_of(std::string_view name, bool has_sections) {
  const std::string with_sections = std::string(name) + "+sections";
  return has_sections && find_architecture(with_sections) != nullptr ? with_sections : std::string(name);
}

const architecture& architecture_named(std::string_view name, bool has_sections) {
  static constexpr architecture unlisted{};
  const architecture* const architecture = find_architecture(type_name_of(name, has_sections));
  return architecture == nullptr ? unlisted : *architecture;
}

const model_type& unlisted_gguf_type() {
  static const model_type type = type_of({});
  return type;
}

const model_type* find_gguf_type(std::string_view name) {
  static const auto types = made_types();
  const auto match = types.find(name);
  return match == types.end() ? nullptr : &match->second;
}

}  // namespace ropewalk::model
