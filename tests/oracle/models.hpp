#pragma once
// Rotary configurations of published models, written by hand from their config.json, so that numeric tests do
// not depend on the parser of such files.

#include "oracle/phi_factors.hpp"
#include "ropewalk/config/rope.hpp"

namespace ropewalk::oracle {

struct model {
  const char* name;
  rope config;
};

inline constexpr llama3 llama_31_scaling{
    .factor = 8, .low_freq_factor = 1, .high_freq_factor = 4, .original_max_position_embeddings = 8192};
inline constexpr llama3 llama_32_scaling{
    .factor = 32, .low_freq_factor = 1, .high_freq_factor = 4, .original_max_position_embeddings = 8192};
inline constexpr yarn qwen_scaling{.factor = 4, .original_max_position_embeddings = 32768};
inline constexpr yarn gpt_oss_scaling{
    .factor = 32, .original_max_position_embeddings = 4096, .truncate = false};

inline constexpr yarn deepseek_scaling{
    .factor = 40, .original_max_position_embeddings = 4096, .mscale = 1.0, .mscale_all_dim = 1.0};
inline constexpr dynamic internlm_25_scaling{.factor = 2, .max_position_embeddings = 32768};
inline constexpr longrope phi_35_mini_scaling{.short_factor = phi_35_mini_short_factor,
                                              .long_factor = phi_35_mini_long_factor,
                                              .original_max_position_embeddings = 4096,
                                              .max_position_embeddings = 131072};
inline constexpr longrope phi_35_moe_scaling{.short_factor = phi_35_moe_short_factor,
                                             .long_factor = phi_35_moe_long_factor,
                                             .original_max_position_embeddings = 4096,
                                             .max_position_embeddings = 131072,
                                             .short_mscale = 1.243163121016122,
                                             .long_mscale = 1.243163121016122};

inline constexpr rope llama_2{.base = 10000, .rotary_dim = 128};
inline constexpr rope llama_31{.base = 500000, .rotary_dim = 128, .scaling = llama_31_scaling};
inline constexpr rope qwen_yarn{.base = 1000000, .rotary_dim = 128, .scaling = qwen_scaling};
inline constexpr rope gpt_neox{.base = 10000, .rotary_dim = 24};
inline constexpr rope gpt_oss{.base = 150000, .rotary_dim = 64, .scaling = gpt_oss_scaling};

inline constexpr rope deepseek_v3{.base = 10000, .rotary_dim = 64, .scaling = deepseek_scaling};
inline constexpr rope gemma_4{.base = 1000000, .rotary_dim = 512, .scaling = proportional{.live_pairs = 64}};
inline constexpr rope by_ntk{.base = 10000, .rotary_dim = 128, .scaling = ntk{.factor = 4}};

/// internlm2.5-7b-chat, phi-3.5-mini and phi-3.5-moe, whose frequencies change with the sequence length.
constexpr rope internlm_25(std::int64_t seq_len) {
  return {.base = 1000000, .rotary_dim = 128, .scaling = internlm_25_scaling, .seq_len = seq_len};
}
constexpr rope phi_35_mini(std::int64_t seq_len) {
  return {.base = 10000, .rotary_dim = 96, .scaling = phi_35_mini_scaling, .seq_len = seq_len};
}
constexpr rope phi_35_moe(std::int64_t seq_len) {
  return {.base = 10000, .rotary_dim = 128, .scaling = phi_35_moe_scaling, .seq_len = seq_len};
}

inline constexpr model models[] = {
    {"llama-2-7b", llama_2},
    {"llama-3-8b", {.base = 500000, .rotary_dim = 128}},
    {"llama-3.1-8b", llama_31},
    {"llama-3.2-1b", {.base = 500000, .rotary_dim = 64, .scaling = llama_32_scaling}},
    {"mistral-7b-v0.1", llama_2},
    {"qwen2.5-7b", {.base = 1000000, .rotary_dim = 128}},
    {"qwen2.5-7b-yarn4", qwen_yarn},
    {"qwen3-0.6b", {.base = 1000000, .rotary_dim = 128}},
    {"gemma-2-9b", {.base = 10000, .rotary_dim = 256}},
    {"gpt-oss-20b", gpt_oss},
    {"gpt-j-6b", {.base = 10000, .rotary_dim = 64}},
    {"gpt-neox-20b", gpt_neox},
    {"deepseek-v3", deepseek_v3},
    {"deepseek-coder-6.7b", {.base = 100000, .rotary_dim = 128, .scaling = linear{4}}},
    {"internlm2.5-7b-chat, 32768", internlm_25(32768)},
    {"internlm2.5-7b-chat, 32769", internlm_25(32769)},
    {"internlm2.5-7b-chat, 262144", internlm_25(262144)},
    {"internlm2.5-20b-chat, 49152",
     {.base = 50000000, .rotary_dim = 128, .scaling = dynamic{2.5, 32768}, .seq_len = 49152}},
    {"phi-3.5-mini, 4096", phi_35_mini(4096)},
    {"phi-3.5-mini, 4097", phi_35_mini(4097)},
    {"phi-3.5-moe, 4096", phi_35_moe(4096)},
    {"phi-3.5-moe, 4097", phi_35_moe(4097)},
    {"gemma-3-27b, full", {.base = 1000000, .rotary_dim = 128, .scaling = linear{8}}},
    {"gemma-3-27b, sliding", {.base = 10000, .rotary_dim = 128}},
    {"gemma-4", gemma_4},
    {"ntk", by_ntk},
};

}  // namespace ropewalk::oracle
