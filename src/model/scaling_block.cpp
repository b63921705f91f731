#include "model/scaling_block.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "input/bad_input.hpp"
#include "model/axes_block.hpp"
#include "model/factor_lists.hpp"
#include "ropewalk/config/rope.hpp"

namespace ropewalk::model {

using namespace input;
namespace {

constexpr const char* rules_allowed =
    "default, linear, dynamic, ntk, llama3, yarn, longrope (su), proportional, mrope";
constexpr const char* length_key = "original_max_position_embeddings";
constexpr const char* longest_key = "max_position_embeddings";

// These stand in a block beside its rule and are read elsewhere.
constexpr std::string_view neighbours[] = {"rope_type", "type", "rope_theta", "partial_rotary_factor",
                                           longest_key};

bool is_neighbour(std::string_view key) {
  return std::find(std::begin(neighbours), std::end(neighbours), key) != std::end(neighbours);
}

std::string name_in(const json& block, const std::string& prefix) {
  const std::string rope_type = text_in(block, "rope_type", prefix);
  const std::string type = text_in(block, "type", prefix);
  if (!rope_type.empty()) return rope_type;
  if (!type.empty()) return type;
  for (const auto& [key, value] : block.items())
    if (!is_neighbour(key) && !value.is_null())
      throw bad_input(prefix + "rope_type", "missing", rules_allowed);
  return "default";
}

std::optional<scaling_rule> rule_named(const std::string& name) {
  if (name == "su") return scaling_rule::longrope;
  if (name == "mrope") return scaling_rule::none;
  for (const scaling_rule rule :
       {scaling_rule::none, scaling_rule::linear, scaling_rule::dynamic, scaling_rule::ntk,
        scaling_rule::llama3, scaling_rule::yarn, scaling_rule::longrope, scaling_rule::proportional})
    if (name == name_of(rule)) return rule;
  return std::nullopt;
}

class block_reader {
 public:
  block_reader(const json& block, const std::string& prefix, const lengths& known, story& told)
      : block_(block), prefix_(prefix), known_(known), story_(told) {}

  rope_scaling read() {
    const scaling_rule rule = rule_of(block_, prefix_);
    tell_name(rule);
    tell_axes();
    switch (rule) {
      case scaling_rule::none: return finish({}, {});
      case scaling_rule::linear: return finish(linear{.factor = required("factor")}, {"factor"});
      case scaling_rule::dynamic: return read_dynamic();
      case scaling_rule::ntk: return finish(ntk{.factor = required("factor")}, {"factor"});
      case scaling_rule::llama3: return read_llama3();
      case scaling_rule::yarn: return read_yarn();
      case scaling_rule::longrope: return read_longrope();
      case scaling_rule::proportional: return read_proportional();
    }
    return {};
  }

 private:
  void tell_name(scaling_rule rule) {
    const std::string rope_type = text_in(block_, "rope_type", prefix_);
    const std::string type = text_in(block_, "type", prefix_);
    if (!rope_type.empty() && !type.empty() && rope_type != type)
      story_.warn(prefix_ + "rope_type is " + printable(rope_type) + " and " + prefix_ + "type is " +
                  printable(type) + ": rope_type is taken");
    name_ = name_of(rule);
    const std::string as_written = name_in(block_, prefix_);
    const std::string key = prefix_ + (!rope_type.empty() ? "rope_type" : "type");
    if (rope_type.empty() && type.empty())
      story_.add("rule", name_, block_name() + " names none");
    else
      story_.add("rule", name_, key + (as_written == name_ ? "" : " " + printable(as_written)));
  }

  /// Sections of M-RoPE stand beside any rule: checked and told of here, kept by whoever asks read_axes.
  void tell_axes() {
    const rope_axes axes = read_axes(block_, prefix_, known_.pairs);
    if (axes.rule == axis_rule::text) return;
    const char* const order =
        axes.rule == axis_rule::mrope ? "in consecutive runs" : "interleaved, as mrope_interleaved says";
    story_.add("sections", shown(value_of(block_, "mrope_section")),
               prefix_ + "mrope_section: pairs of time, height and width, " + order +
                   "; text has one position for all");
  }

  rope_scaling read_dynamic() {
    // Hunyuan's `alpha` stands under the same name and is another rule: a fixed base.
    if (const given<double> alpha = number("alpha"))
      throw bad_input(prefix_ + "alpha", shown(alpha.value),
                      "none: dynamic grows by factor and seq_len alone");
    if (!known_.max_position_embeddings)
      throw bad_input(known_.longest_name, "missing", "a whole number: rule dynamic starts to grow there");
    const auto longest = static_cast<double>(known_.max_position_embeddings.value);
    return finish(dynamic{.factor = required("factor"), .max_position_embeddings = longest}, {"factor"});
  }

  rope_scaling read_llama3() {
    const llama3 rule{.factor = required("factor"),
                      .low_freq_factor = required("low_freq_factor"),
                      .high_freq_factor = required("high_freq_factor"),
                      .original_max_position_embeddings = original_length()};
    return finish(rule, {"factor", "low_freq_factor", "high_freq_factor", length_key});
  }

  rope_scaling read_yarn() {
    yarn rule;
    rule.original_max_position_embeddings = original_length();
    rule.max_position_embeddings = longest_length();
    rule.factor = stretch(rule.original_max_position_embeddings, true);
    rule.beta_fast = number("beta_fast").value_or(rule.beta_fast);
    rule.beta_slow = number("beta_slow").value_or(rule.beta_slow);
    rule.truncate = flag_in(block_, "truncate", prefix_).value_or(rule.truncate);
    rule.mscale = number("mscale");
    rule.mscale_all_dim = number("mscale_all_dim");
    rule.attention_factor = number("attention_factor");
    return finish(rule, {"factor", "beta_fast", "beta_slow", "truncate", "mscale", "mscale_all_dim",
                         "attention_factor", length_key});
  }

  rope_scaling read_longrope() {
    longrope rule;
    rule.short_factor = list("short_factor");
    rule.long_factor = list("long_factor");
    rule.original_max_position_embeddings = original_length();
    rule.max_position_embeddings = longest_length();
    rule.attention_factor = number("attention_factor");
    rule.short_mscale = number("short_mscale");
    rule.long_mscale = number("long_mscale");
    if (known_.needs_mscales && !rule.short_mscale)
      throw bad_input(prefix_ + "short_mscale", "missing",
                      "a finite number above 0: this model type takes no other factor");
    if (rule.attention_factor && rule.short_mscale)
      story_.warn(prefix_ + "attention_factor is " + shown(rule.attention_factor.value) + " and " + prefix_ +
                  "short_mscale is " + shown(rule.short_mscale.value) + ": attention_factor is taken");
    if (rule.short_mscale.is_given != rule.long_mscale.is_given)
      throw bad_input(prefix_ + (rule.short_mscale ? "long_mscale" : "short_mscale"), "missing",
                      "a finite number above 0, as its other is given");
    rule.factor =
        stretch(rule.original_max_position_embeddings, !rule.attention_factor && !rule.short_mscale);
    return finish(rule, {"short_factor", "long_factor", "factor", "attention_factor", "short_mscale",
                         "long_mscale", length_key});
  }

  rope_scaling read_proportional() {
    const double part = known_.partial_rotary_factor.value_or(1);
    if (!(part > 0 && part <= 1))
      throw bad_input(prefix_ + "partial_rotary_factor", shown(part), "a number above 0, at most 1");
    const double product = part * known_.head_dim;  // rounded, as rotary_dim is
    const proportional rule{.live_pairs = static_cast<int>(std::floor(product / 2)),
                            .factor = number("factor").value_or(1)};
    if (known_.pairs != 0 && rule.live_pairs > known_.pairs)
      throw bad_input(prefix_ + "partial_rotary_factor", shown(part),
                      "a number that leaves at most " + std::to_string(known_.pairs) + " of head_dim " +
                          std::to_string(known_.head_dim) + " / 2 pairs");
    if (rule.live_pairs == 0)
      throw bad_input(
          prefix_ + "partial_rotary_factor", shown(part),
          "a number that leaves one of head_dim " + std::to_string(known_.head_dim) + " / 2 pairs");
    story_.add("live pairs", std::to_string(rule.live_pairs),
               "floor(head_dim " + std::to_string(known_.head_dim) + " x " + shown(part) + " / 2)" +
                   (known_.partial_rotary_factor ? "" : ", as no partial_rotary_factor is given"));
    return finish(rule, {"factor"});
  }

  /// L: the top level's, else the block's, else max_position_embeddings.
  double original_length() {
    const given<std::int64_t> inner = integer_in(block_, length_key, 1, prefix_);
    const given<std::int64_t> outer = known_.original_max_position_embeddings;
    if (outer && inner && outer.value != inner.value)
      story_.warn(std::string(length_key) + " is " + std::to_string(outer.value) + " and " + prefix_ +
                  length_key + " is " + std::to_string(inner.value) + ": the top level's is taken");
    if (outer) return length(outer.value, length_key);
    if (inner) return length(inner.value, prefix_ + length_key);
    if (!known_.max_position_embeddings)
      throw bad_input(prefix_ + length_key, "missing",
                      "a whole number, or max_position_embeddings to stand for it");
    length_is_given_ = false;
    return length(known_.max_position_embeddings.value, std::string(longest_key) + ", as none is given");
  }

  double length(std::int64_t value, const std::string& from) {
    const given<std::int64_t> longest = known_.max_position_embeddings;
    if (longest && value > longest.value)
      throw bad_input(from, std::to_string(value),
                      "a number not above max_position_embeddings " + std::to_string(longest.value));
    story_.add("L", std::to_string(value), from);
    return static_cast<double>(value);
  }

  /// What a missing factor may be formed from: nothing where L itself was.
  double longest_length() const {
    return known_.max_position_embeddings && length_is_given_
               ? static_cast<double>(known_.max_position_embeddings.value)
               : 0;
  }

  /// The factor, where one is given; otherwise it is longest_length() / L, exactly.
  given<double> stretch(double original, bool is_needed) {
    const given<double> factor = number("factor");
    const double longest = longest_length(), implied = longest / original;
    if (factor) {
      if (longest > original && std::fma(factor.value, original, -longest) != 0)
        story_.warn(prefix_ + "factor is " + shown(factor.value) + " and max_position_embeddings / L is " +
                    shown(implied) + ": factor is taken");
      story_.add("factor", shown(factor.value), prefix_ + "factor");
      return factor;
    }
    if (!is_needed) return factor;
    if (longest == 0)
      throw bad_input(prefix_ + "factor", "missing",
                      "a finite number above 0, or max_position_embeddings and "
                      "original_max_position_embeddings to form it from");
    story_.add(
        "factor", shown(implied),
        "max_position_embeddings " + shown(longest) + " / L " + shown(original) + ", as none is given");
    return factor;
  }

  given<double> number(std::string_view key) { return number_in(block_, key, prefix_); }

  double required(std::string_view key) {
    const given<double> value = number(key);
    if (!value) throw bad_input(prefix_ + std::string(key), "missing", "a finite number above 0");
    story_.add(std::string(key), shown(value.value), prefix_ + std::string(key));
    return value.value;
  }

  factor_list list(const std::string& key) {
    const json& values = value_of(block_, key);
    if (values.is_null()) throw bad_input(prefix_ + key, "missing", "a list of rotary_dim / 2 numbers");
    if (!values.is_array()) throw bad_input(prefix_ + key, shown(values), "a list of rotary_dim / 2 numbers");
    std::vector<double> numbers;
    for (const json& value : values) {
      const std::string name = prefix_ + key + "[" + std::to_string(numbers.size()) + "]";
      if (!value.is_number()) throw bad_input(name, shown(value), "a finite number above 0");
      numbers.push_back(value.get<double>());
      if (!(numbers.back() > 0 && numbers.back() <= largest_number))
        throw bad_input(name, shown(value), "a finite number above 0");
    }
    const auto pairs = static_cast<std::size_t>(known_.pairs);
    if (pairs != 0 && numbers.size() != pairs)
      throw bad_input(prefix_ + key, std::to_string(numbers.size()) + " numbers",
                      std::to_string(pairs) + ", one for each of rotary_dim / 2 pairs");
    return kept(std::move(numbers));
  }

  rope_scaling finish(const rope_scaling& rule, std::initializer_list<std::string_view> used) {
    for (const auto& [key, value] : block_.items()) {
      if (value.is_null() || is_neighbour(key) || is_axes_key(key) ||
          std::find(used.begin(), used.end(), key) != used.end())
        continue;
      story_.warn(prefix_ + printable(key) + " is " + printable(shown(value)) + ": rule " + name_ +
                  " does not use it");
    }
    try {
      validate(rule);
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument(prefix_ + error.what());
    }
    return rule;
  }

  std::string block_name() const { return prefix_.substr(0, prefix_.size() - 1); }

  const json& block_;
  const std::string& prefix_;
  const lengths& known_;
  story& story_;
  std::string name_;
  bool length_is_given_ = true;
};

}  // namespace

scaling_rule rule_of(const json& block, const std::string& prefix) {
  const std::string name = name_in(block, prefix);
  const std::optional<scaling_rule> rule = rule_named(name);
  if (!rule) throw bad_input(prefix + "rope_type", name, rules_allowed);
  return *rule;
}

rope_scaling read_scaling(const json& block, const std::string& prefix, const lengths& known, story& story) {
  if (block.is_null() || (block.is_object() && block.empty())) return {};
  if (!block.is_object())
    throw bad_input(prefix.substr(0, prefix.size() - 1), shown(block), "a JSON object, or null for no rule");
  return block_reader(block, prefix, known, story).read();
}

}  // namespace ropewalk::model
