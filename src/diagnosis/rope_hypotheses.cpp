// Mistakes of engines that form a rotary table from a model's configuration. Mistakes that kernels make, too,
// have the names and sentences of the known faults.

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

#include "diagnosis/suspect_list.hpp"
#include "diagnosis/table_hypothesis.hpp"
#include "fault/changed_rope.hpp"
#include "fault/known_faults.hpp"
#include "input/json_text.hpp"
#include "model/fourth_row.hpp"
#include "model/layers.hpp"
#include "ropewalk/encoding/yarn.hpp"
#include "ropewalk/law/judge/upward.hpp"
#include "ropewalk/numeric/upper_binary64.hpp"

namespace ropewalk::diagnosis {
namespace {

using fault::rope_change;

constexpr int limbs = rope_rows::limb_count;

/// Rule of Llama 3.1; with its other factor, of Llama 3.2.
constexpr llama3 usual_llama3(double factor) { return {factor, 1, 4, 8192}; }

/// The encoding of the model's other kind of layers; nullopt if it has only one kind.
std::optional<model::model> other_layers(const model::model& read_model) {
  if (read_model.layer_type.empty() || read_model.config.empty()) return std::nullopt;
  try {
    for (model::model& table : model::plan_of(read_model).tables)
      if (table.layer_type != read_model.layer_type) {
        table.encoding.seq_len = read_model.encoding.seq_len;
        return std::move(table);
      }
    return std::nullopt;
  } catch (const std::invalid_argument&) {
    return std::nullopt;  // options changed the configuration
  }
}

class rope_hypotheses {
 public:
  explicit rope_hypotheses(const model::model& model)
      : model_(model),
        own_{model.encoding, model.layout.head_dim, model.max_position_embeddings, model.axes},
        list_(suspect_of(model.encoding), model.encoding),
        right_(list_.right()) {}

  std::vector<table_hypothesis> all() {
    add_rules();
    add_bases_and_exponents();
    add_ramps();
    add_lengths();
    add_other_layers();
    add_attention_factors();
    add_fourth_row();
    list_.add_entries();
    for (const pairing pairs : {pairing::half_split, pairing::interleaved})
      list_.add("other-copies", "the two copies of an entry stand as in the other pairing",
                list_.with_entries({.copies = pairs}));
    list_.add_units();
    list_.add_formats();
    list_.add_pairs();
    list_.add_positions(own_.max_position_embeddings);
    list_.add_rounded_positions();
    return list_.take();
  }

 private:
  /// The table of another configuration, if valid for these pairs.
  void add_rope(std::string name, std::string sentence, const rope& config) {
    try {
      list_.add(std::move(name), std::move(sentence), suspect_of(config));
    } catch (const std::invalid_argument&) {  // the rule is invalid for these pairs
    }
  }

  void add_rule(std::string name, std::string sentence, const rope_scaling& scaling) {
    rope config = own_.encoding;
    config.scaling = scaling;
    add_rope(std::move(name), std::move(sentence), config);
  }

  /// The frequencies of a changed configuration, with its attention factor or the model's.
  void add_changed(const std::string& name, rope_change change, bool keeps_factor) {
    const std::optional<rope> config = fault::changed(own_, change);
    if (!config) return;
    rotary_suspect suspect = suspect_of(*config);
    suspect.inv_freqs.resize(right_.inv_freqs.size());  // with exponents over more channels, the first pairs
    suspect.frequency_errors.resize(right_.inv_freqs.size());
    list_.add_known(name,
                    keeps_factor ? with_factor(std::move(suspect), right_.cos_factor) : std::move(suspect));
  }

  void add_rules() {
    add_changed("unscaled-without-factor", rope_change::unscaled, false);
    if (has_factor()) add_changed("unscaled", rope_change::unscaled, true);
    add_changed("all-divided", rope_change::all_divided, true);
    add_changed("longrope-other-list", rope_change::other_list, false);
    for (const double factor : {8.0, 32.0})
      add_rule("llama3-usual-" + input::shown(factor),
               "the rule is llama3 with factor " + input::shown(factor) +
                   ", low_freq_factor 1, high_freq_factor 4 and length 8192, whatever the model's is",
               usual_llama3(factor));
    add_rule_for_rule();
    const rope_scaling& own = own_.encoding.scaling;
    const double factor = factor_of(own);
    if (factor == 1) return;
    if (has_factor() || own.is<dynamic>() || own.is<ntk>())  // else as all-divided
      add_rule("linear-for-rule", "every frequency is divided by the factor, and there is no other rule",
               linear{factor});
    add_rule("ntk-for-rule", "the base grows by the factor alone, as NTK at a fixed factor has it",
             ntk{factor});
    add_with_inverse_factor(1 / factor);
  }

  /// Llama 3's rule with the model's own factor and length.
  void add_rule_for_rule() {
    const rope_scaling& own = own_.encoding.scaling;
    const double factor = factor_of(own), length = original_length_of(own);
    if (own.is<llama3>() || factor == 1) return;
    llama3 rule = usual_llama3(factor);
    if (length > 0) rule.original_max_position_embeddings = length;
    add_rule("llama3-for-rule", "the factor is applied by llama3's rule, whatever the model's rule is", rule);
  }

  void add_with_inverse_factor(double inverse) {
    rope config = own_.encoding;
    if (config.scaling.is<longrope>()) return;  // its lists divide already
    config.scaling.visit([&](auto& rule) {
      if constexpr (requires { rule.factor = inverse; }) rule.factor = inverse;
    });
    list_.add("factor-inverted", "frequencies are multiplied by the factor, where the rule divides",
              with_factor(suspect_of(config), right_.cos_factor));
  }

  void add_bases_and_exponents() {
    for (const double base : {10000.0, 500000.0, 1000000.0}) {
      rope config = own_.encoding;
      if (config.base == base) continue;
      config.base = base;
      const std::string text = input::shown(base);
      add_rope("base-" + text, "the base is " + text + ", whatever the model's is", config);
    }
    add_changed("exponent-halved", rope_change::exponent_halved, true);
    add_changed("exponent-over-head-dim", rope_change::exponent_over_head_dim, true);
    add_parts();
    add_proportional();
  }

  /// Whole and partial rotation confused: another number of pairs.
  void add_parts() {
    rope config = own_.encoding;
    if (config.rotary_dim == own_.head_dim) return;
    config.rotary_dim = own_.head_dim;
    add_rope("rotary-dim-dropped", "the table is that of the whole head: rotary_dim is not read", config);
    const std::int64_t twice = std::int64_t{own_.encoding.rotary_dim} * own_.encoding.rotary_dim;
    config.rotary_dim = static_cast<int>(twice / own_.head_dim);
    add_rope("partial-factor-twice", "the partial factor is applied twice", config);
  }

  void add_proportional() {
    if (!own_.encoding.scaling.is<proportional>()) return;
    const auto& rule = own_.encoding.scaling.as<proportional>();
    const int pairs = pair_count(own_.encoding);
    add_live("proportional-over-prefix", "the exponents are over the pairs that turn, not over the head",
             2 * rule.live_pairs);
    constexpr int usual_head = 128;
    add_live("proportional-over-128", "the exponents are over 128 channels, whatever the head has",
             usual_head);
    proportional whole = rule;
    whole.live_pairs = pairs;
    add_rule("proportional-not-still", "the pairs that stand still are turned, too", whole);
  }

  /// The proportional rule with exponents over `width` channels; pairs from live_pairs on do not turn.
  void add_live(std::string name, std::string sentence, int width) {
    const auto& rule = own_.encoding.scaling.as<proportional>();
    rope config = own_.encoding;
    config.rotary_dim = std::max(width, 2 * rule.live_pairs);
    config.scaling = proportional{std::min(rule.live_pairs, width / 2), rule.factor};
    rotary_suspect suspect = suspect_of(config);
    suspect.inv_freqs.resize(right_.inv_freqs.size(), own_number::of(0));
    suspect.frequency_errors.resize(right_.inv_freqs.size());
    list_.add(std::move(name), std::move(sentence), std::move(suspect));
  }

  void add_ramps() {
    add_changed("yarn-truncated", rope_change::truncated, true);
    add_changed("yarn-untruncated", rope_change::untruncated, true);
    for (const bool divides : {false, true})
      if (std::vector<own_number> stepped = fault::stepped_ramp(own_.encoding, divides); !stepped.empty())
        list_.add_known(divides ? "ramp-divided" : "ramp-kept", with_ramp(std::move(stepped)));
    if (own_.encoding.scaling.is<llama3>()) add_inverted_ramp(own_.encoding.scaling.as<llama3>());
    if (!own_.encoding.scaling.is<yarn>()) return;
    list_.add_known("yarn-ramp-reversed", with_ramp(fault::reversed_ramp(own_.encoding)));
    if (std::vector<own_number> clamped = fault::clamped_ramp(own_.encoding); !clamped.empty())
      list_.add_known("yarn-clamp-at-half", with_ramp(std::move(clamped)));
    yarn rule = own_.encoding.scaling.as<yarn>();
    rule.beta_fast = yarn{}.beta_fast, rule.beta_slow = yarn{}.beta_slow;
    add_rule("yarn-usual-betas", "beta_fast is 32 and beta_slow 1, whatever the model's are", rule);
    rule = own_.encoding.scaling.as<yarn>();
    const auto length = static_cast<double>(own_.max_position_embeddings);
    if (length <= rule.original_max_position_embeddings) return;
    rule.factor = factor_of(own_.encoding.scaling);
    rule.original_max_position_embeddings = length;
    rule.max_position_embeddings = 0;
    add_rule("yarn-over-whole-length",
             "the ramp is for max_position_embeddings in place of the original length", rule);
  }

  /// llama3's ramp with the quotient of the wrong term.
  /// source  ggml-org/llama.cpp#8676
  void add_inverted_ramp(const llama3& rule) {
    if (rule.low_freq_factor == rule.high_freq_factor) return;
    const auto number = [](double value) { return own_number::of(value); };
    const rope plain{.base = own_.encoding.base, .rotary_dim = own_.encoding.rotary_dim};
    std::vector<own_number> inv_freqs = suspect_of(plain).inv_freqs;
    for (own_number& inv_freq : inv_freqs) {
      const own_number turns =
          number(rule.original_max_position_embeddings) * inv_freq / (number(2) * pi<limbs>());
      const own_number smooth =
          (turns - number(rule.low_freq_factor)) / number(rule.high_freq_factor - rule.low_freq_factor);
      if (upper_binary64(turns) > rule.high_freq_factor) continue;
      const bool is_divided = upper_binary64(turns) < rule.low_freq_factor;
      inv_freq =
          inv_freq / (is_divided ? number(rule.factor) : number(rule.factor) / (number(1) - smooth) + smooth);
    }
    list_.add(
        "llama3-ramp-inverted",
        "between both wavelengths, frequencies are divided by factor / (1 - s) + s, where llama3 divides by "
        "1 / ((1 - s) / factor + s)",
        with_ramp(std::move(inv_freqs)));
  }

  /// Frequencies of another ramp. Each is a sum of terms with the errors of the unscaled frequency and of the
  /// model's; the engine rounds the factor's quotient and the sum.
  rotary_suspect with_ramp(std::vector<own_number> inv_freqs) const {
    const rope plain{.base = own_.encoding.base, .rotary_dim = own_.encoding.rotary_dim};
    const rotary_suspect unscaled = with_frequencies_times(suspect_of(plain), own_number::of(1));
    rotary_suspect suspect = right_;
    for (std::size_t pair = 0; pair < inv_freqs.size(); ++pair) {
      using ropewalk::detail::product_up, ropewalk::detail::sum_up;
      const double in_plain = upper_binary64(unscaled.inv_freqs[pair] / inv_freqs[pair]);
      const double in_own = upper_binary64(right_.inv_freqs[pair] / inv_freqs[pair]);
      suspect.frequency_errors[pair] = sum_up(product_up(2 * in_plain, unscaled.frequency_errors[pair]),
                                              product_up(in_own, right_.frequency_errors[pair]));
    }
    suspect.inv_freqs = std::move(inv_freqs);
    return suspect;
  }

  void add_lengths() {
    add_changed("dynamic-constant", rope_change::constant_length, true);
    if (!own_.encoding.scaling.is<dynamic>()) return;
    const auto& rule = own_.encoding.scaling.as<dynamic>();
    const auto longest = static_cast<std::int64_t>(rule.factor * rule.max_position_embeddings);
    rope config = own_.encoding;
    config.seq_len = longest;
    add_rope("dynamic-longest", "the base is that of the longest sequence, factor x max_position_embeddings",
             config);
  }

  void add_other_layers() {
    const std::optional<model::model> other = other_layers(model_);
    if (!other) return;
    const std::string of_other = " is that of " + other->layer_type + " layers";
    add_rope("other-layer-type", "the table" + of_other, other->encoding);
    rope config = own_.encoding;
    config.base = other->encoding.base;
    add_rope("other-layer-base", "the base" + of_other, config);
    add_rule("other-layer-rule", "the scaling rule" + of_other, other->encoding.scaling);
  }

  bool has_factor() const { return compare(right_.cos_factor, own_number::of(1)) != order::equal; }

  void add_attention_factors() {
    add_mscales();
    if (!has_factor()) return;
    const own_number number = own_number::of(1), factor = right_.cos_factor;
    list_.add_known("attention-dropped", with_factor(right_, number));
    list_.add_known("attention-twice", with_factor(right_, factor * factor));
    list_.add_known("attention-root", with_factor(right_, square_root(factor)));
    list_.add_known("attention-inverted", with_factor(right_, number / factor));
    rotary_suspect part = right_;
    part.sin_factor = number;
    list_.add_known("attention-cos-only", part);
    part = right_;
    part.cos_factor = number;
    list_.add_known("attention-sin-only", part);
  }

  /// Attention factors from YaRN's mscale where the configuration has another factor, or none.
  void add_mscales() {
    const rope_scaling& own = own_.encoding.scaling;
    const double factor = factor_of(own);
    if (factor <= 1) return;
    list_.add_known("yarn-mscale", with_factor(right_, ropewalk::detail::yarn_mscale<limbs>({factor, 1}, 1)));
    if (!own.is<yarn>()) return;
    const auto& rule = own.as<yarn>();
    add_mscale_alone("yarn-mscale-alone", "mscale", rule.mscale);
    add_mscale_alone("yarn-mscale-all-dim-alone", "mscale_all_dim", rule.mscale_all_dim);
  }

  void add_mscale_alone(std::string name, const std::string& key, const given<double>& mscale) {
    if (mscale.value_or(0) == 0) return;
    const quotient factor = scale_of(own_.encoding.scaling.as<yarn>());
    list_.add(std::move(name), "the attention factor is formed from " + key + " alone",
              with_factor(right_, ropewalk::detail::yarn_mscale<limbs>(factor, mscale.value)));
  }

  /// Pairs of interleaved axes that do not turn in text.
  void add_fourth_row() {
    if (!is_mrope_interleaved(model_.axes)) return;
    rotary_suspect still = right_;
    for (const int pair :
         model::pairs_of_fourth_row(sections_of(model_.axes), static_cast<int>(still.inv_freqs.size())))
      still.inv_freqs[static_cast<std::size_t>(pair)] = own_number::of(0);
    list_.add_known("fourth-row", std::move(still));
  }

  const model::model& model_;
  fault::own_configuration own_;
  suspect_list list_;
  const rotary_suspect& right_;
};

}  // namespace

std::shared_ptr<const suspected_table> right_table(const placed_rope& config) {
  return table_of(suspect_of(config), config.encoding);
}

std::vector<table_hypothesis> table_hypotheses(const model::model& model) {
  return rope_hypotheses(model).all();
}

}  // namespace ropewalk::diagnosis
