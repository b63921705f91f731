#pragma once
// The faults of public trackers that show in a rotary table, each as an engine's table for a model, and the
// hypothesis that must name it.

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "diagnosis/table_faults.hpp"

namespace ropewalk::table_faults {

/// Arrays that show a fault.
enum class shows_in {
  frequencies,
  wide_frequencies,  // those of a wider format than bfloat16
  rows               // cosines and sines alone
};

struct tracker_fault {
  std::string fault;
  std::string threads;     // of public trackers; empty: of none
  std::string hypothesis;  // by name
  shows_in where = shows_in::frequencies;
  // The table for a model that the fault changes; nullopt for the others.
  std::function<std::optional<engine_table>(const model::model&)> on;
};

namespace detail {

inline engine_table plain(const model::model& model, double base, int pairs, int width) {
  engine_table plain = right_engine(model);
  plain.inv_freqs = plain_inv_freqs(base, pairs, width);
  return plain;
}
inline engine_table plain(const model::model& model) {
  return plain(model, model.encoding.base, pair_count(model.encoding), model.encoding.rotary_dim);
}
inline engine_table with_factor(engine_table engine, double factor) {
  engine.factor = factor;
  return engine;
}

template <class Rule>
bool has(const model::model& model) {
  return model.encoding.scaling.is<Rule>();
}

inline std::optional<engine_table> rule_dropped(const model::model& model) {
  if (has<unscaled>(model) || has<dynamic>(model)) return std::nullopt;
  return with_factor(plain(model), 1);
}

inline std::optional<engine_table> wrong_llama3_factors(const model::model& model) {
  if (!has<llama3>(model) || factor_of(model.encoding.scaling) == 8) return std::nullopt;
  engine_table engine = plain(model);
  engine.inv_freqs = by_llama3(engine.inv_freqs, {8, 1, 4, 8192});
  return engine;
}

inline std::optional<engine_table> unknown_rule_as_llama3(const model::model& model) {
  const double factor = factor_of(model.encoding.scaling),
               length = original_length_of(model.encoding.scaling);
  if (has<llama3>(model) || factor == 1) return std::nullopt;
  engine_table engine = with_factor(plain(model), 1);
  engine.inv_freqs = by_llama3(engine.inv_freqs, {factor, 1, 4, length > 0 ? length : 8192});
  return engine;
}

inline std::optional<engine_table> ramp(const model::model& model, bool truncate, bool is_reversed) {
  if (!has<yarn>(model)) return std::nullopt;
  const bool own = model.encoding.scaling.as<yarn>().truncate;
  if (!is_reversed && own == truncate) return std::nullopt;
  engine_table engine = right_engine(model);
  engine.inv_freqs =
      by_yarn(plain(model).inv_freqs, model.encoding, is_reversed ? own : truncate, is_reversed);
  return engine;
}

inline std::optional<engine_table> factor_dropped(const model::model& model) {
  const engine_table right = right_engine(model);
  if (right.factor == 1) return std::nullopt;
  return with_factor(right, 1);
}

inline std::optional<engine_table> mscale_added(const model::model& model) {
  const engine_table right = right_engine(model);
  if (!has<yarn>(model) || right.factor != 1) return std::nullopt;
  return with_factor(right, 0.1 * std::log(factor_of(model.encoding.scaling)) + 1);
}

inline std::optional<engine_table> factor_twice(const model::model& model) {
  const engine_table right = right_engine(model);
  if (right.factor == 1) return std::nullopt;
  return with_factor(right, right.factor * right.factor);
}

/// YaRN's factor beside longrope's lists, as phi3's rule named yarn has it in older code.
inline std::optional<engine_table> factor_of_yarn(const model::model& model) {
  if (!has<longrope>(model)) return std::nullopt;
  return with_factor(right_engine(model), 0.1 * std::log(factor_of(model.encoding.scaling)) + 1);
}

inline std::optional<engine_table> list_of_other_length(const model::model& model) {
  if (!has<longrope>(model)) return std::nullopt;
  const auto& rule = model.encoding.scaling.as<longrope>();
  const bool is_long = static_cast<double>(model.encoding.seq_len) > rule.original_max_position_embeddings;
  engine_table engine = plain(model);
  engine.factor = right_engine(model).factor;
  const factor_list& list = is_long ? rule.short_factor : rule.long_factor;
  for (std::size_t pair = 0; pair < engine.inv_freqs.size(); ++pair)
    engine.inv_freqs[pair] /= list[static_cast<int>(pair)];
  return engine;
}

/// Interleaved axes of which a fourth one, at position 0, has the pairs that no section reaches.
inline std::optional<engine_table> fourth_row(const model::model& model) {
  if (!is_mrope_interleaved(model.axes)) return std::nullopt;
  engine_table engine = right_engine(model);
  for (int pair = 0; pair < pair_count(model.encoding); ++pair)
    if (pair >= 3 * model.axes.axis[static_cast<std::size_t>(pair % 3)].pairs)
      engine.inv_freqs[static_cast<std::size_t>(pair)] = 0;
  return engine;
}

inline std::optional<engine_table> ntk_constant(const model::model& model) {
  if (!has<dynamic>(model)) return std::nullopt;
  const double dim = model.encoding.rotary_dim, alpha = factor_of(model.encoding.scaling);
  return plain(model, model.encoding.base * std::pow(alpha, dim / (dim - 2)), pair_count(model.encoding),
               model.encoding.rotary_dim);
}

inline std::optional<engine_table> over_other_base(const model::model& model, double base) {
  if (model.encoding.base == base || !has<unscaled>(model)) return std::nullopt;
  return plain(model, base, pair_count(model.encoding), model.encoding.rotary_dim);
}

inline bool is_partial(const model::model& model) {
  return model.encoding.rotary_dim < model.layout.head_dim;
}

inline std::optional<engine_table> part_twice(const model::model& model) {
  if (!is_partial(model) || !has<unscaled>(model)) return std::nullopt;
  const int dim = model.encoding.rotary_dim * model.encoding.rotary_dim / model.layout.head_dim;
  if (dim % 2 != 0 || dim < 2) return std::nullopt;
  return plain(model, model.encoding.base, dim / 2, dim);
}

inline std::optional<engine_table> whole_head(const model::model& model) {
  if (!is_partial(model) || !has<unscaled>(model)) return std::nullopt;
  return plain(model, model.encoding.base, model.layout.head_dim / 2, model.layout.head_dim);
}

inline std::optional<engine_table> over_head_dim(const model::model& model) {
  if (!is_partial(model) || !has<unscaled>(model)) return std::nullopt;
  return plain(model, model.encoding.base, pair_count(model.encoding), model.layout.head_dim);
}

inline std::optional<engine_table> all_frequencies(const model::model& model, double value) {
  engine_table engine = right_engine(model);
  std::fill(engine.inv_freqs.begin(), engine.inv_freqs.end(), value);
  return engine;
}

inline std::optional<engine_table> proportional_over(const model::model& model, int width) {
  if (!has<proportional>(model)) return std::nullopt;
  const int live = model.encoding.scaling.as<proportional>().live_pairs;
  engine_table engine = right_engine(model);
  const std::vector<double> live_ones =
      plain_inv_freqs(model.encoding.base, std::min(live, width / 2), width == 0 ? 2 * live : width);
  std::fill(engine.inv_freqs.begin(), engine.inv_freqs.end(), 0);
  std::copy(live_ones.begin(), live_ones.end(), engine.inv_freqs.begin());
  return engine;
}

inline std::optional<model::model> other_layers(const model::model& read_model) {
  if (read_model.layer_type.empty()) return std::nullopt;
  const bool is_full = read_model.layer_type == "full_attention";
  return model::catalogue_model(read_model.name, {.layer = is_full ? "sliding_attention" : "full_attention"});
}

/// The other layers' linear factor on these, whose base stays their own.
inline std::optional<engine_table> factor_of_other_layers(const model::model& read_model) {
  const std::optional<model::model> other = other_layers(read_model);
  if (!other || has<proportional>(*other) || has<proportional>(read_model)) return std::nullopt;
  const double own = factor_of(read_model.encoding.scaling), factor = factor_of(other->encoding.scaling);
  if (own == factor) return std::nullopt;
  engine_table engine = plain(read_model);
  for (double& inv_freq : engine.inv_freqs) inv_freq /= factor;
  return engine;
}

inline std::optional<engine_table> base_of_other_layers(const model::model& read_model) {
  const std::optional<model::model> other = other_layers(read_model);
  if (!other || has<proportional>(*other) || has<proportional>(read_model)) return std::nullopt;
  engine_table engine = plain(read_model, other->encoding.base, pair_count(read_model.encoding),
                              read_model.encoding.rotary_dim);
  for (double& inv_freq : engine.inv_freqs) inv_freq /= factor_of(read_model.encoding.scaling);
  return engine;
}

inline std::optional<engine_table> sine_kept_below_zero(const model::model& model) {
  engine_table engine = right_engine(model);
  engine.position = [](double p) { return std::abs(p); };
  return engine;
}

inline std::optional<engine_table> bfloat16_positions(const model::model& model) {
  engine_table engine = right_engine(model);
  engine.position = [](double p) {
    return from_bits<double>(convert<double, bfloat16>(convert<bfloat16, double>(to_bits(p))));
  };
  return engine;
}

inline std::optional<engine_table> bfloat16_frequencies(const model::model& model) {
  engine_table engine = right_engine(model);
  for (double& inv_freq : engine.inv_freqs)
    inv_freq = from_bits<double>(convert<double, bfloat16>(convert<bfloat16, double>(to_bits(inv_freq))));
  return engine;
}

}  // namespace detail

/// A fault of the trackers in the base that dynamic NTK forms from the length: the formula is used below the
/// length from which it is meant.
inline std::optional<engine_table> below_threshold(const model::model& model) {
  if (!detail::has<dynamic>(model)) return std::nullopt;
  const double dim = model.encoding.rotary_dim, factor = factor_of(model.encoding.scaling);
  const double growth = factor * 0.75 - (factor - 1);
  if (growth <= 0) return std::nullopt;
  return detail::plain(model, model.encoding.base * std::pow(growth, dim / (dim - 2)),
                       pair_count(model.encoding), model.encoding.rotary_dim);
}

inline const std::vector<tracker_fault>& tracker_faults() {
  using namespace detail;
  using enum shows_in;
  static const auto& all = *new std::vector<tracker_fault>{
      {"the scaling rule dropped", "unsloth#6197", "unscaled-without-factor", frequencies, rule_dropped},
      {"wrong llama3 factors", "TransformerLens#910", "llama3-usual-8", frequencies, wrong_llama3_factors},
      {"an unknown rule becomes llama3", "Automodel#2825", "llama3-for-rule", frequencies,
       unknown_rule_as_llama3},
      {"a ramp truncated", "vllm#27722", "yarn-truncated", frequencies,
       [](const model::model& model) { return ramp(model, true, false); }},
      {"a ramp not truncated", "", "yarn-untruncated", frequencies,
       [](const model::model& model) { return ramp(model, false, false); }},
      {"a ramp reversed", "", "yarn-ramp-reversed", frequencies,
       [](const model::model& model) { return ramp(model, true, true); }},
      {"YaRN without its logarithmic multiplier", "llama.cpp#18006", "attention-dropped", rows,
       factor_dropped},
      {"mscale applied where apply_scale is false", "sglang#26203", "yarn-mscale", rows, mscale_added},
      {"the attention factor twice, in a file and in code", "", "attention-twice", rows, factor_twice},
      {"phi3's rule named yarn with the factor of YaRN", "", "yarn-mscale", rows, factor_of_yarn},
      {"longrope's list by the context that is set up", "", "longrope-other-list", frequencies,
       list_of_other_length},
      {"interleaved axes with a fourth row of positions", "", "fourth-row", frequencies, fourth_row},
      {"dynamic NTK by a constant", "vllm#41236", "ntk-for-rule", frequencies, ntk_constant},
      {"dynamic NTK below its threshold", "vllm#52665, TensorRT-LLM#1299", "other-base", frequencies,
       below_threshold},
      {"rope_theta overwritten by a default", "vllm#42624", "base-10000", frequencies,
       [](const model::model& model) { return over_other_base(model, 10000); }},
      {"a partial factor applied twice", "vllm#29966", "partial-factor-twice", frequencies, part_twice},
      {"rotary_dim dropped", "transformers#48241", "rotary-dim-dropped", frequencies, whole_head},
      {"frequencies over head_dim", "transformers#48652", "exponent-over-head-dim", frequencies,
       over_head_dim},
      {"frequencies not initialised", "unsloth#4112, torchtitan#4783", "frequencies-zero", frequencies,
       [](const model::model& model) { return all_frequencies(model, 0); }},
      {"pairs of a proportional rule over its prefix",
       "Megatron-Bridge#4195, neuronx-distributed-inference#106", "proportional-over-prefix", frequencies,
       [](const model::model& model) {
         return has<proportional>(model)
                    ? proportional_over(model, 2 * model.encoding.scaling.as<proportional>().live_pairs)
                    : std::nullopt;
       }},
      {"pairs of a proportional rule over 128", "coreai-models#66", "proportional-over-128", frequencies,
       [](const model::model& model) { return proportional_over(model, 128); }},
      {"a linear factor on the wrong kind of layer", "llama.cpp#14367, mlx-vlm#1709, mlxcel#1340, ferrox#39",
       "other-layer-rule", frequencies, factor_of_other_layers},
      {"two bases mixed", "transformers#45910", "other-layer-base", frequencies, base_of_other_layers},
      {"the sine not negated for negative distances", "speechbrain#3070, espnet#2816", "positions-absolute",
       rows, sine_kept_below_zero},
      {"position ids through bfloat16", "UNI-D2#6, modded-nanogpt#39", "positions-bf16", rows,
       bfloat16_positions},
      {"inverse frequencies in bfloat16", "transformers#29496", "frequencies-bf16", wide_frequencies,
       bfloat16_frequencies},
  };
  return all;
}

}  // namespace ropewalk::table_faults
