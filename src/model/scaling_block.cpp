#include "model/scaling_block.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string_view>

#include "model/bad_input.hpp"

namespace ropewalk::model {
namespace {

constexpr const char* rules_allowed = "default, linear, llama3, yarn";
constexpr const char* length_key = "original_max_position_embeddings";

// These stand in a block beside its rule and are read elsewhere.
constexpr std::string_view neighbours[] = {"rope_type", "type", "rope_theta", "partial_rotary_factor"};

bool is_neighbour(std::string_view key) {
  return std::find(std::begin(neighbours), std::end(neighbours), key) != std::end(neighbours);
}

class block_reader {
 public:
  block_reader(const json& block, const std::string& prefix, const lengths& known, story& told)
      : block_(block), prefix_(prefix), known_(known), story_(told) {}

  rope_scaling read() {
    rule_ = rule_name();
    if (rule_ == "default") return finish({}, {});
    if (rule_ == "linear") return finish(linear{.factor = required("factor")}, {"factor"});
    if (rule_ == "llama3") return read_llama3();
    if (rule_ == "yarn") return read_yarn();
    throw bad_input(prefix_ + "rope_type", rule_, rules_allowed);
  }

 private:
  std::string rule_name() {
    const std::string rope_type = text_in(block_, "rope_type", prefix_);
    const std::string type = text_in(block_, "type", prefix_);
    if (!rope_type.empty() && !type.empty() && rope_type != type)
      story_.warnings.push_back(prefix_ + "rope_type is " + printable(rope_type) + " and " + prefix_ +
                                "type is " + printable(type) + ": rope_type is taken");
    if (!rope_type.empty()) return rope_type;
    if (!type.empty()) return type;
    for (const auto& [key, value] : block_.items())
      if (!is_neighbour(key) && !value.is_null())
        throw bad_input(prefix_ + "rope_type", "missing", rules_allowed);
    return "default";
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
    rule.factor = yarn_factor(rule.original_max_position_embeddings);
    rule.beta_fast = number("beta_fast").value_or(rule.beta_fast);
    rule.beta_slow = number("beta_slow").value_or(rule.beta_slow);
    rule.truncate = flag_in(block_, "truncate", prefix_).value_or(rule.truncate);
    rule.mscale = number("mscale");
    rule.mscale_all_dim = number("mscale_all_dim");
    rule.attention_factor = number("attention_factor");
    return finish(rule, {"factor", "beta_fast", "beta_slow", "truncate", "mscale", "mscale_all_dim",
                         "attention_factor", length_key});
  }

  /// L: the top level's, else the block's, else max_position_embeddings.
  double original_length() {
    const given<std::int64_t> inner = integer_in(block_, length_key, 1, prefix_);
    const given<std::int64_t> outer = known_.original_max_position_embeddings;
    if (outer && inner && outer.value != inner.value)
      story_.warnings.push_back(std::string(length_key) + " is " + std::to_string(outer.value) + " and " +
                                prefix_ + length_key + " is " + std::to_string(inner.value) +
                                ": the top level's is taken");
    if (outer) return length(outer.value, length_key);
    if (inner) return length(inner.value, prefix_ + length_key);
    if (!known_.max_position_embeddings)
      throw bad_input(prefix_ + length_key, "missing",
                      "a whole number, or max_position_embeddings to stand for it");
    length_is_given_ = false;
    return length(known_.max_position_embeddings.value, "max_position_embeddings, as none is given");
  }

  double length(std::int64_t value, const std::string& from) {
    story_.notes.push_back("L " + std::to_string(value) + " from " + from);
    return static_cast<double>(value);
  }

  double yarn_factor(double original) {
    const given<double> explicit_factor = number("factor");
    const given<std::int64_t> longest = known_.max_position_embeddings;
    const double implied = longest ? static_cast<double>(longest.value) / original : 0;
    if (explicit_factor) {
      if (longest && length_is_given_ && implied != explicit_factor.value)
        story_.warnings.push_back(prefix_ + "factor is " + shown(explicit_factor.value) +
                                  " and max_position_embeddings / L is " + shown(implied) +
                                  ": factor is taken");
      return explicit_factor.value;
    }
    if (!longest || !length_is_given_)
      throw bad_input(prefix_ + "factor", "missing",
                      "a finite number above 0, or max_position_embeddings and "
                      "original_max_position_embeddings to form it from");
    story_.notes.push_back("factor " + shown(implied) + " = max_position_embeddings " +
                           std::to_string(longest.value) + " / L " + shown(original) + ", as none is given");
    if (std::fma(implied, original, -static_cast<double>(longest.value)) != 0)
      story_.warnings.push_back(prefix_ +
                                "factor is missing and max_position_embeddings / L has no exact binary64: " +
                                shown(implied) + " is taken");
    return implied;
  }

  given<double> number(std::string_view key) { return number_in(block_, key, prefix_); }

  double required(std::string_view key) {
    const given<double> value = number(key);
    if (!value) throw bad_input(prefix_ + std::string(key), "missing", "a finite number above 0");
    return value.value;
  }

  rope_scaling finish(const rope_scaling& rule, std::initializer_list<std::string_view> used) {
    story_.notes.push_back("rule " + rule_ + " from " + (prefix_.empty() ? "the block" : block_name()));
    for (const auto& [key, value] : block_.items()) {
      if (value.is_null() || is_neighbour(key) || std::find(used.begin(), used.end(), key) != used.end())
        continue;
      story_.warnings.push_back(prefix_ + printable(key) + " is " + printable(shown(value)) + ": rule " +
                                rule_ + " does not use it");
    }
    validate(rule);
    return rule;
  }

  std::string block_name() const { return prefix_.substr(0, prefix_.size() - 1); }

  const json& block_;
  const std::string& prefix_;
  const lengths& known_;
  story& story_;
  std::string rule_;
  bool length_is_given_ = true;
};

}  // namespace

rope_scaling read_scaling(const json& block, const std::string& prefix, const lengths& known, story& story) {
  if (block.is_null() || (block.is_object() && block.empty())) return {};
  if (!block.is_object())
    throw bad_input(prefix.substr(0, prefix.size() - 1), shown(block), "a JSON object, or null for no rule");
  return block_reader(block, prefix, known, story).read();
}

}  // namespace ropewalk::model
