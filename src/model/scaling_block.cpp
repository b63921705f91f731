#include "model/scaling_block.hpp"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "input/bad_input.hpp"
#include "model/axes_block.hpp"
#include "model/scaling_keys.hpp"
#include "model/scaling_rules.hpp"

namespace ropewalk::model {

using namespace input;
namespace {

/// Another name of a rule.
struct alias {
  std::string_view name;
  std::string_view rule;
};

constexpr alias aliases[] = {{"su", longrope::name}, {"mrope", unscaled::name}};

// The keys of all rules, the keys of query scales, an older name of a key of axes, and `finetuned`, which the
// first files with YaRN contain.
constexpr std::string_view keys_of_rules[] = {"factor",
                                              "beta_fast",
                                              "beta_slow",
                                              "mscale",
                                              "mscale_all_dim",
                                              "truncate",
                                              "alpha",
                                              "short_factor",
                                              "attention_factor",
                                              "low_freq_factor",
                                              "long_factor",
                                              "finetuned",
                                              "short_mscale",
                                              "high_freq_factor",
                                              "original_max_position_embeddings",
                                              "long_mscale",
                                              "llama_4_scaling_beta",
                                              "interleaved"};

std::string rules_allowed() {
  std::string names;
  for_each_type(scaling_rules{}, [&]<class Rule>() {
    names += (names.empty() ? "" : ", ") + std::string(Rule::name);
    for (const alias& entry : aliases)
      if (entry.rule == Rule::name) names += " (" + std::string(entry.name) + ")";
  });
  return names;
}

std::string name_in(const json& block, const std::string& prefix) {
  const std::string rope_type = text_in(block, "rope_type", prefix);
  const std::string type = text_in(block, "type", prefix);
  if (!rope_type.empty()) return rope_type;
  if (!type.empty()) return type;
  for (const auto& [key, value] : block.items())
    if (!is_neighbour(key) && !value.is_null())
      throw bad_input(prefix + "rope_type", "missing", rules_allowed());
  return std::string(unscaled::name);
}

/// The rule with a name or alias, without the file's numbers; nullopt if no rule has it.
std::optional<rope_scaling> rule_named(std::string_view name) {
  for (const alias& entry : aliases)
    if (name == entry.name) name = entry.rule;
  std::optional<rope_scaling> scaling;
  for_each_type(scaling_rules{}, [&]<class Rule>() {
    if (name == Rule::name) scaling = Rule{};
  });
  return scaling;
}

class block_reader {
 public:
  block_reader(const json& block, const std::string& prefix, const lengths& known, provenance& sources)
      : block_(block),
        prefix_(prefix),
        known_(known),
        sources_(sources),
        keys_(block, prefix, known, sources) {}

  rope_scaling read() {
    const rope_scaling written_rule = rule_of(block_, prefix_);
    const rope_scaling effective_rule =
        known_.is_yarn_longrope && written_rule.is<yarn>() ? rope_scaling(longrope{}) : written_rule;
    name_ = name_of(effective_rule);
    report_name();
    return checked(read_rule(effective_rule, keys_));
  }

 private:
  void report_name() {
    const std::string rope_type = text_in(block_, "rope_type", prefix_);
    const std::string type = text_in(block_, "type", prefix_);
    if (!rope_type.empty() && !type.empty() && rope_type != type)
      sources_.warn(prefix_ + "rope_type is " + printable(rope_type) + " and " + prefix_ + "type is " +
                    printable(type) + ": rope_type is taken");
    const std::string as_written = name_in(block_, prefix_);
    const std::string key = prefix_ + (!rope_type.empty() ? "rope_type" : "type");
    if (rope_type.empty() && type.empty())
      sources_.add("rule", name_, block_name() + " names no rule");
    else
      sources_.add("rule", name_, key + (as_written == name_ ? "" : " " + printable(as_written)));
  }

  rope_scaling checked(const rope_scaling& rule) {
    for (const auto& [key, value] : block_.items())
      if (!value.is_null() && !is_neighbour(key) && !is_axes_key(key) && !keys_.is_used(key) &&
          !(known_.has_query_scale && key == "llama_4_scaling_beta"))
        report_unused(key, value);
    try {
      validate(rule);
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument(prefix_ + error.what());
    }
    return rule;
  }

  /// Warns of a key of another rule, which has no effect here. Refuses a key that no rule has.
  void report_unused(const std::string& key, const json& value) {
    const std::string key_and_value = prefix_ + printable(key) + " is " + printable(shown(value));
    if (key == "llama_4_scaling_beta")
      return sources_.warn(key_and_value + ": queries of this model type are not scaled by their position");
    if (std::find(std::begin(keys_of_rules), std::end(keys_of_rules), key) != std::end(keys_of_rules))
      return sources_.warn(key_and_value + ": rule " + name_ + " does not use it");
    const bool is_factor = key.find("factor") != key.npos;  // a factor of 1 changes nothing
    if (is_factor && value == 1) return sources_.warn(key_and_value + ": a factor of 1 changes nothing");
    const bool may_be_ignored = known_.ignored != nullptr;
    if (may_be_ignored && known_.ignored->contains(key))
      return sources_.warn(key_and_value + ": left out by --ignore-key, \"" +
                           printable(known_.ignored->at(key)) + "\"");
    throw bad_input(
        prefix_ + printable(key), printable(shown(value)),
        "keys that a scaling rule has: factor, beta_fast, attention_factor and others" +
            (may_be_ignored ? "; --ignore-key " + printable(key) + "=REASON leaves it out" : std::string()));
  }

  std::string block_name() const { return prefix_.substr(0, prefix_.size() - 1); }

  const json& block_;
  const std::string& prefix_;
  const lengths& known_;
  provenance& sources_;
  scaling_keys keys_;
  std::string name_;
};

}  // namespace

rope_scaling rule_of(const json& block, const std::string& prefix) {
  const std::string name = name_in(block, prefix);
  const std::optional<rope_scaling> rule = rule_named(name);
  if (!rule) throw bad_input(prefix + "rope_type", name, rules_allowed());
  return *rule;
}

rope_scaling read_scaling(const json& block, const std::string& prefix, const lengths& known,
                          provenance& sources) {
  if (block.is_null() || (block.is_object() && block.empty())) return {};
  if (!block.is_object())
    throw bad_input(prefix.substr(0, prefix.size() - 1), shown(block), "a JSON object, or null for no rule");
  return block_reader(block, prefix, known, sources).read();
}

}  // namespace ropewalk::model
