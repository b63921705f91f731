#include "model/unread_keys.hpp"

#include <nlohmann/json.hpp>

#include "input/bad_input.hpp"
#include "model/key_words.hpp"
#include "model/other_types.hpp"
#include "ropewalk/config/rope.hpp"

namespace ropewalk::model {

using namespace input;
namespace {

bool is_read(const open_config& config, std::string_view key) {
  const layer_rule& rule = config.type->layers;
  for (const std::string_view known : {config.type->base,
                                       config.type->bases_by_layer,
                                       config.type->parts_by_layer,
                                       config.type->interleaves,
                                       config.type->rotary_dim,
                                       config.type->rotary_part,
                                       config.type->positions,
                                       config.type->head_dim,
                                       config.type->base_ratio,
                                       config.type->unrotated_dim,
                                       config.type->sliding_base,
                                       config.type->sliding_head_dim,
                                       rule.kinds_key,
                                       rule.flags_key,
                                       rule.zeros_key,
                                       rule.ratios_key,
                                       rule.bases_key,
                                       rule.indices_key,
                                       rule.period_key,
                                       config.type->needs.substr(0, config.type->needs.find('='))})
    if (key == known) return true;
  if (config.type->has_yarn_block && key == "yarn") return true;
  const query_scale_rule& scale = config.type->query_scale;
  if (key == scale.flag || key == scale.block) return true;
  if (scale.block.empty() && !scale.is_in_scaling_block && (key == scale.strength || key == scale.length))
    return true;
  // Flags that confirm the code's only behaviour.
  if (key == "use_rotary_pos_emb" && value_of(config.body, key) == true) return true;
  if (key == "use_3d_rope" && value_of(config.body, key) == config.type->axes.is_given) return true;
  if (key == "rope_is_neox_style" &&
      value_of(config.body, key) == (config.type->layout == pairing::half_split))
    return true;
  const bool is_interleaved = config.type->layout == pairing::interleaved;
  if (key == "rope_interleave" && value_of(config.body, key) == is_interleaved) return true;
  if (key == config.type->other_head_dim) return true;
  if (!config.type->bases_by_layer.empty() && (key == "yarn_only_types" || key == "use_rope_layers"))
    return true;
  return is_read_of_every_type(key);
}

void warn_of_unread(open_config& config, const std::string& key, const json& value, const std::string& why) {
  if (!value.is_null())
    config.sources.warn(key + " is " + printable(shown(value)) + ": " + why + ", it is not used");
}

}  // namespace

void warn_of_outer_values(open_config& config) {
  if (config.text.path.empty()) return;
  config.sources.add("keys", "nested", config.text.path);
  if (!config.text.defaults.empty())
    config.sources.add("defaults", config.text.defaults,
                       "the wrapper's own, as " + config.text.path + " lacks them");
  for (const auto& [key, outer] : config.root.items()) {
    const bool is_block = key == "rope_scaling" || key == "rope_parameters";
    if (key == "model_type" || !is_about_positions(key) || says_nothing(outer)) continue;
    if (outer.is_object() && !is_block) continue;
    const json& inner = value_of(config.body, key);
    if (inner != outer)
      config.sources.warn(printable(key) + " is " + printable(shown(outer)) + " and " + config.text.path +
                          "." + printable(key) + " is " + printable(shown(inner)) + ": " + config.text.path +
                          "'s is taken");
  }
}

void refuse_unread_keys(open_config& config) {
  const std::string no_key = "model_type " + config.result.model_type + " has no such key";
  if (!config.is_block_base_read)
    warn_of_unread(config, config.prefix + "rope_theta", value_of(config.block, "rope_theta"), no_key);
  if (!config.is_block_part_read && !config.type->other_turns_all)
    warn_of_unread(config, config.prefix + "partial_rotary_factor",
                   value_of(config.block, "partial_rotary_factor"), no_key);
  warn_of_unread(config, config.prefix + "max_position_embeddings",
                 value_of(config.block, "max_position_embeddings"), "the top level's is read");
  for (const auto& [key, reason] : config.how.ignored)
    if (config.body.contains(key) && is_about_positions(key) && is_read(config, key) &&
        key != config.type->rotary_part)
      throw bad_input("ignore-key", key,
                      "a key that is not read: model_type " + config.result.model_type + " reads this one");
  const rope_scaling& rule = config.result.encoding.scaling;
  if (!rule.is<unscaled>() && original_length_of(rule) == 0)
    warn_of_unread(config, "original_max_position_embeddings",
                   value_of(config.body, "original_max_position_embeddings"),
                   "rule " + std::string(name_of(rule)) + " does not depend on it");
  for (const auto& [key, value] : config.body.items()) {
    if (!is_about_positions(key) || is_read(config, key) || says_nothing(value)) continue;
    if (key == "rope_theta" && value == config.result.encoding.base)
      continue;                                                  // types with another key for the base
    if (key == "partial_rotary_factor" && value == 1) continue;  // every type's default
    if (key == "rotary_dim" && value == config.result.encoding.rotary_dim)
      continue;  // older files of phi have it
    if (has_word(config.type->unused, key)) {
      warn_of_unread(config, printable(key), value,
                     "the code of model_type " + config.result.model_type + " turns without it");
      continue;
    }
    const auto reason = config.how.ignored.find(key);
    if (reason == config.how.ignored.end())
      throw bad_input(printable(key), printable(shown(value)),
                      "keys that model_type " +
                          (config.result.model_type.empty() ? "missing" : config.result.model_type) +
                          " has; --ignore-key " + printable(key) + "=REASON leaves it out");
    config.sources.warn(printable(key) + " is " + printable(shown(value)) + ": left out by --ignore-key, \"" +
                        printable(reason->second) + "\"");
  }
}

}  // namespace ropewalk::model
