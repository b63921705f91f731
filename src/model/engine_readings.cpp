#include "model/engine_readings.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "input/json_text.hpp"
#include "model/fourth_row.hpp"
#include "model/gguf_architectures.hpp"
#include "model/other_types.hpp"
#include "model/text_body.hpp"
#include "ropewalk/encoding/yarn.hpp"

namespace ropewalk::model {

using namespace input;
namespace {

/// Applies a change to each table of a plan; returns whether at least one changed.
template <class Change>
bool changes_a_table(layer_plan& plan, Change change) {
  bool holds = false;
  for (model& model : plan.tables) holds = change(model) || holds;
  return holds;
}

/// The value of a key of the text model; null if it is missing.
json key_of(const model& model, const char* key) {
  if (model.config.empty()) return {};
  const json root = object_of(model.config);
  return value_of(*text_body_of(root).keys, key);
}

/// The block of a configuration, which may have a table for each kind of layers.
json block_of(const model& model) {
  const json older = key_of(model, "rope_scaling");
  return older.is_object() && !older.empty() ? older : key_of(model, "rope_parameters");
}

bool has_table_of_its_kind(const model& model) {
  return !model.layer_type.empty() && value_of(block_of(model), model.layer_type).is_object();
}

bool is_gguf_model(const model& model) { return model.model_type.starts_with(gguf_type_prefix); }

bool is_untruncated(const model& model) {
  return model.encoding.scaling.is<yarn>() && !model.encoding.scaling.as<yarn>().truncate;
}

bool truncate(model& model) {
  model.encoding.scaling.as<yarn>().truncate = true;
  return true;
}

/// Stops the pairs of interleaved M-RoPE that are beyond the end of their section.
bool leave_to_fourth_row(model& model) {
  // Types that have an architecture in llama.cpp.
  if (!has_word("qwen3_vl_text qwen3_vl_moe_text qwen3_5_text qwen3_5_moe_text", model.model_type))
    return false;
  if (!is_mrope_interleaved(model.axes) || !model.fourth_row.empty()) return false;
  model.fourth_row = pairs_of_fourth_row(sections_of(model.axes), pair_count(model.encoding));
  return !model.fourth_row.empty();
}

bool truncate_ramps(model& model) {
  // Types that have an architecture in llama.cpp.
  constexpr std::string_view types =
      "gpt_oss olmo3 llama qwen2 qwen2_moe qwen3 qwen3_moe deepseek_v2 deepseek_v3 ministral3 mistral4 "
      "minimax_m2 "
      "exaone4 hunyuan_v1_dense smollm3 ernie4_5 seed_oss";
  return has_word(types, model.model_type) && is_untruncated(model) && truncate(model);
}

bool truncate_tables_of_kinds(model& model) {
  if (value_of(block_of(model), "truncate") == false)
    return false;  // it stands outside of the tables, where the engine reads it
  return is_untruncated(model) && has_table_of_its_kind(model) && truncate(model);
}

/// Swaps longrope's short list for the long one at short sequences.
bool put_long_list(model& model) {
  if (!model.encoding.scaling.is<longrope>()) return false;
  auto& rule = model.encoding.scaling.as<longrope>();
  if (length_of_change(rule) == 0) return false;
  rule.short_factor = rule.long_factor;
  rule.short_mscale = rule.long_mscale;
  return true;
}

/// phimoe's lists have separate factors, which llama.cpp's converter drops; it would differ in more than
/// this.
bool take_long_list(model& model) { return model.model_type != "phimoe" && put_long_list(model); }
bool take_long_list_of_phimoe(model& model) { return model.model_type == "phimoe" && put_long_list(model); }

bool keep_short_list(model& model) {
  if (model.model_type != "phimoe" || !model.encoding.scaling.is<longrope>()) return false;
  auto& rule = model.encoding.scaling.as<longrope>();
  rule.long_factor = rule.short_factor;
  return true;
}

/// YaRN's default attention factor.
double usual_factor_of_yarn(double factor) { return factor > 1 ? 0.1 * std::log(factor) + 1 : 1; }

/// Whether a file states the attention factor of YaRN.
bool gives_factor_of_yarn(const model& model) {
  if (!model.encoding.scaling.is<yarn>()) return false;
  const json block = block_of(model);
  const json& table = has_table_of_its_kind(model) ? block[model.layer_type] : block;
  // If these are given, engines compute the factor from them.
  if (!value_of(table, "mscale").is_null() || !value_of(table, "mscale_all_dim").is_null()) return false;
  return value_of(table, "attention_factor").is_number();
}

bool take_usual_factor(model& model) {
  if (!gives_factor_of_yarn(model)) return false;
  auto& rule = model.encoding.scaling.as<yarn>();
  const double usual = usual_factor_of_yarn(factor_of(rope_scaling(rule)));
  if (static_cast<float>(usual) == static_cast<float>(rule.attention_factor.value)) return false;
  rule.attention_factor = {usual};
  return true;
}

bool take_factor_twice(model& model) {
  if (model.model_type != "olmo3" || !gives_factor_of_yarn(model)) return false;
  auto& rule = model.encoding.scaling.as<yarn>();
  rule.attention_factor.value *= usual_factor_of_yarn(factor_of(rope_scaling(rule)));
  return true;
}

/// Uses YaRN's attention factor with longrope's lists.
bool take_factor_of_yarn(model& model) {
  if (!model.encoding.scaling.is<longrope>()) return false;
  const json block = block_of(model);
  if (text_in(block, "rope_type") != "yarn" && text_in(block, "type") != "yarn") return false;
  auto& rule = model.encoding.scaling.as<longrope>();
  const auto longest = static_cast<double>(model.max_position_embeddings);
  rule.attention_factor = {usual_factor_of_yarn(longest / rule.original_max_position_embeddings)};
  return true;
}

bool is_exaone(const model& model) {
  return model.model_type == "exaone4" || model.model_type == "exaone_moe";
}

/// Stops the last layer's rotation, whatever letter the pattern ends with.
bool end_with_full_layer(layer_plan& plan) {
  const model& model = plan.tables.front();
  if (!is_exaone(model) || plan.layers.empty() || plan.layers.back().table < 0) return false;
  if (!key_of(model, "sliding_window_pattern").is_string() || key_of(model, "sliding_window").is_null())
    return false;
  plan.layers.back() = {"full_attention", -1};
  return true;
}

/// Turns all layers, in a model with sliding layers whose depth is not the published one.
bool turn_all_but_at_depth_64(layer_plan& plan) {
  constexpr std::size_t depth = 64;
  if (plan.tables.front().model_type != "exaone4" || plan.layers.size() == depth) return false;
  bool but = false;
  for (layer& layer : plan.layers)
    if (layer.table < 0) layer.table = 0, but = true;
  return but;
}

template <bool (*change)(model&)>
bool in_each_table(layer_plan& plan) {
  return changes_a_table(plan, change);
}

constexpr engine_reading readings[] = {
    {"fourth-row", "fourth-row", "llama.cpp b10256",
     "pairs that no section reaches turn by a fourth row of positions, which is 0 in text: they stand still",
     "ggml_mrope_cache_init in ggml-cpu/ops.cpp, llm_graph_input_pos::set_input in llama-graph.cpp:138",
     in_each_table<leave_to_fourth_row>},
    {"ramp-truncated", "yarn-truncated", "llama.cpp b10256",
     "the ramp of YaRN runs between whole pairs: a GGUF file has no key for truncate",
     "ggml_rope_yarn_corr_dims in ggml.c", in_each_table<truncate_ramps>},
    {"truncate-of-tables", "yarn-truncated", "transformers decba1d2",
     "truncate is read outside of the tables for kinds of layers, where it is missing, and then true",
     "modeling_rope_utils.py:474", in_each_table<truncate_tables_of_kinds>},
    {"long-list", "longrope-other-list", "llama.cpp b10256 and vLLM 17d618b0",
     "the list of longrope goes by the context that is set up, not by the sequence: short ones get the long "
     "list",
     "get_rope_factors in llama-model.cpp:2048, use_long_rope in phi3_long_rope_scaled_rope.py",
     in_each_table<take_long_list>, true},
    {"long-list-of-moe", "longrope-other-list", "vLLM 17d618b0",
     "the list of longrope goes by the context that is set up, not by the sequence: short ones get the long "
     "list",
     "use_long_rope in phi3_long_rope_scaled_rope.py", in_each_table<take_long_list_of_phimoe>, true},
    {"short-list", "longrope-other-list", "transformers decba1d2",
     "the frequencies are formed without the length: they are those of the short list at any length",
     "phimoe/modeling_phimoe.py:93", in_each_table<keep_short_list>},
    {"factor-unread", "yarn-mscale", "llama.cpp b10256 and vLLM cca57d42",
     "attention_factor is not read: YaRN's is 0.1 ln(factor) + 1",
     "conversion/base.py writes rope.scaling.yarn_attn_factor, which grok alone reads; get_rope reads "
     "attn_factor",
     in_each_table<take_usual_factor>},
    {"factor-twice", "attention-twice", "llama.cpp b10256 with files of older converters",
     "attention_factor stands in the file as rope.scaling.attn_factor, which multiplies YaRN's own",
     "Olmo2Model in convert_hf_to_gguf.py, llama-context.cpp:231", in_each_table<take_factor_twice>},
    {"factor-of-yarn", "yarn-mscale", "llama.cpp's converter 051139f5 and transformers before version 5",
     "the attention factor is YaRN's, 0.1 ln(factor) + 1, beside the lists of longrope",
     "Phi3MiniModel in conversion/phi.py, Phi3YarnScaledRotaryEmbedding", in_each_table<take_factor_of_yarn>},
    {"last-layer-full", "", "TensorRT-LLM fbbc05dd",
     "the last layer has full attention, and does not rotate, whatever a pattern of letters says",
     "check_is_sliding in modeling_exaone4.py and modeling_exaone_moe.py", end_with_full_layer},
    {"depth-64", "", "llama.cpp b10256", "layers slide in models of 64 layers alone; in others, all rotate",
     "models/exaone4.cpp:4", turn_all_but_at_depth_64},
};

/// The shortest original length in a plan's tables; 0 if none has one.
std::int64_t original_length(const layer_plan& plan) {
  double value = 0;
  for (const model& model : plan.tables)
    if (const double own = original_length_of(model.encoding.scaling); own > 0)
      value = value == 0 ? own : std::min(value, own);
  return static_cast<std::int64_t>(value);
}

void set_length(layer_plan& plan, const sequence_length& length) {
  for (model& model : plan.tables) model = at_length(std::move(model), length);
}

}  // namespace

std::span<const engine_reading> engine_readings() { return readings; }

std::vector<other_reading> other_readings(const layer_plan& plan, const sequence_length& positions) {
  std::vector<other_reading> result;
  if (is_gguf_model(plan.tables.front())) return result;  // already read as llama.cpp reads it
  for (const engine_reading& reading : readings) {
    layer_plan own = plan, other = plan;
    if (!reading.change(other)) continue;
    const sequence_length length = reading.is_of_short_sequences
                                       ? sequence_length{original_length(plan), "the original length"}
                                       : positions;
    set_length(own, length);
    set_length(other, length);
    result.push_back({&reading, compared(own, other, length.value)});
    if (result.back().compared.differences.empty()) result.pop_back();
  }
  return result;
}

}  // namespace ropewalk::model
