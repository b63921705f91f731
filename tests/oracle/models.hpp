#pragma once
// Rotary configurations of published models, written down by hand from their config.json: what the tests of
// numbers hold the formulas to, without the reader of such files.

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

inline constexpr rope llama_2{.base = 10000, .rotary_dim = 128};
inline constexpr rope llama_31{.base = 500000, .rotary_dim = 128, .scaling = llama_31_scaling};
inline constexpr rope qwen_yarn{.base = 1000000, .rotary_dim = 128, .scaling = qwen_scaling};
inline constexpr rope gpt_neox{.base = 10000, .rotary_dim = 24};
inline constexpr rope gpt_oss{.base = 150000, .rotary_dim = 64, .scaling = gpt_oss_scaling};

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
};

}  // namespace ropewalk::oracle
