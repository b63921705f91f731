#pragma once
// Faults, the laws that catch them, and the models on which they show.

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fault/faults.hpp"
#include "model/model.hpp"
#include "ropewalk/law/rotation_laws.hpp"

namespace ropewalk::search {

// A YaRN ramp that ends beyond the last pair, which no published model has: from pair 40.6 to 64.7 of 64.
inline constexpr std::string_view long_ramp = R"({
  "model_type": "llama", "head_dim": 128, "rope_theta": 10000.0, "max_position_embeddings": 524288,
  "rope_scaling": {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 131072}})";

inline constexpr std::string_view interleaved_axes = R"({
  "model_type": "qwen2_vl", "head_dim": 128, "rope_theta": 5000000.0, "max_position_embeddings": 262144,
  "rope_scaling": {"rope_type": "default", "mrope_section": [24, 20, 20], "mrope_interleaved": true}})";

// Heads of which the last channels rotate, as those of DeepSeek V4.
inline constexpr std::string_view last_channels = R"({
  "model_type": "deepseek_v4", "head_dim": 48, "qk_rope_head_dim": 16, "max_position_embeddings": 1048576})";

/// The model that a faulty kernel is given, and its sequence length.
struct configured {
  std::string_view model;  // of the catalogue, or the text of a config.json; empty: the encoding below
  std::int64_t seq_len = 0;
};

/// A law, a fault that it catches, and the model.
struct caught_fault {
  std::string_view law;
  std::string_view fault;
  configured by{};
};

// Other faults than the one that a law names, and other models. A test below fails for a fault that is in
// neither.
inline constexpr caught_fault more_caught_faults[] = {
    {"accuracy", "fault-attention-dropped"},
    {"accuracy", "fault-interleaved", {"llama-3.1-8b"}},
    {"accuracy", "fault-head-group"},
    {"canonical", "fault-head-group"},
    {"accuracy", "fault-environment-left"},
    {"canonical", "fault-flush-to-zero"},
    {"accuracy", "fault-flush-to-zero"},
    {"accuracy", "fault-attention-cos-only"},
    {"relative-position", "fault-attention-cos-only"},
    {"norm", "fault-attention-twice"},
    {"accuracy", "fault-yarn-ramp-reversed", {"qwen2.5-7b-yarn4"}},
    {"accuracy", "fault-yarn-ramp-reversed", {"gpt-oss-20b"}},
    {"accuracy", "fault-yarn-clamp-at-half", {long_ramp}},
    {"accuracy", "fault-yarn-untruncated", {"qwen2.5-7b-yarn4"}},
    {"canonical", "fault-yarn-untruncated", {"deepseek-v3"}},
    {"prefill-decode", "fault-llama3-in-prefill-only", {"llama-3.1-8b"}},
    {"prefill-decode", "fault-llama3-in-prefill-only", {"llama-3.2-1b"}},
    {"accuracy", "fault-longrope-switch-at-original", {"phi-3.5-mini", 4096}},
    {"accuracy", "fault-longrope-switch-at-original", {"phi-3.5-moe", 4096}},
    {"norm", "fault-longrope-attention-short-dropped", {"phi-3.5-mini", 4096}},
    {"accuracy", "fault-dynamic-constant", {"internlm2-chat-20b", 65536}},
    {"accuracy", "fault-exponent-over-head-dim", {"gpt-neox-20b"}},
    {"canonical", "fault-kept-row"},
    {"accuracy", "fault-kept-row"},
    {"accuracy", "fault-axis-first", {"qwen2-vl-7b"}},
    {"relative-position", "fault-axis-first", {"qwen2-vl-7b"}},
    {"composition", "fault-axis-first", {"qwen2-vl-7b"}},
    {"canonical", "fault-axis-runs", {interleaved_axes}},
    {"canonical", "fault-axis-interleaved", {"qwen2-vl-7b"}},
    {"relative-position", "fault-axis-exchanged", {"qwen2-vl-7b"}},
    {"accuracy", "fault-axis-stride", {"qwen2-vl-7b"}},
    {"own-axis", "fault-axis-exchanged", {"qwen2-vl-7b"}},
    {"accuracy", "fault-real-positions-off-by-one"},
    {"accuracy", "fault-position-step"},
    {"prefill-decode", "fault-shared-row"},
    {"prefill-decode", "fault-range-begin"},
    {"prefill-decode", "fault-range-end"},
    {"accuracy", "fault-key-strides"},
    {"canonical", "fault-aligned"},
    {"sizes", "fault-head-192"},
    {"pass-through", "fault-whole-head"},
    {"norm", "fault-whole-head", {"gpt-neox-20b"}},
    {"accuracy", "fault-first-channels", {last_channels}},
    {"pass-through", "fault-first-channels", {last_channels}},
};

/// The fault that each law names, then the others.
inline const std::vector<caught_fault>& caught_faults() {
  static const std::vector<caught_fault> all = [] {
    std::vector<caught_fault> faults;
    for (const auto& law : rotation_laws::all) {
      const bool is_of_axes = same_law(law, rotation_laws::own_axis);
      faults.push_back({law.name, law.catches, {is_of_axes ? "qwen2-vl-7b" : ""}});
    }
    faults.insert(faults.end(), std::begin(more_caught_faults), std::end(more_caught_faults));
    return faults;
  }();
  return all;
}

// YaRN, so that the attention factor is not 1; interleaved, with channels that pass through and a tail of 3
// pairs.
inline const rope encoding{.base = 1000000,
                           .rotary_dim = 22,
                           .scaling = yarn{.factor = 4, .original_max_position_embeddings = 32768}};
inline constexpr head_layout layout{27, pairing::interleaved, pairing::interleaved};

inline const law<checked_rotation>& law_named(std::string_view name) {
  return *std::find_if(rotation_laws::all.begin(), rotation_laws::all.end(),
                       [&](const auto& item) { return item.name == name; });
}

inline const ropewalk_kernel& fault_named(std::string_view name) {
  for (const ropewalk_kernel& kernel : fault::fault_kernels())
    if (kernel.name == name) return kernel;
  throw std::invalid_argument("no fault named '" + std::string(name) + "'");
}

inline model::model model_of(const configured& by) {
  model::model result;
  if (by.model.empty())
    result.encoding = encoding, result.layout = layout;
  else
    result =
        by.model.front() == '{' ? model::parse_model(by.model, "text") : model::catalogue_model(by.model);
  if (by.seq_len > 0) result = at_length(std::move(result), {by.seq_len, "the test"});
  return result;
}

/// A kernel with a fault, given a model.
struct faulty {
  faulty(std::string_view fault, const configured& by) : faulty(fault, model_of(by)) {}
  faulty(std::string_view fault, const model::model& model)
      : checked(fault_named(fault), promise::canonical, model.encoding, model.layout,
                {model.config, model.axes, model.query_heads, model.key_heads}) {}

  checked_rotation checked;
};

}  // namespace ropewalk::search
