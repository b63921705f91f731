// Refuses keys about positions that are not read, or warns of them.

#include <nlohmann/json.hpp>

#include "input/bad_input.hpp"
#include "model/config_reader.hpp"
#include "model/key_words.hpp"
#include "model/other_types.hpp"
#include "ropewalk/config/rope.hpp"

namespace ropewalk::model {

using namespace input;

void config_reader::warn_of_outer_values() {
  if (text_.path.empty()) return;
  sources_.add("keys", "nested", text_.path);
  if (!text_.defaults.empty())
    sources_.add("defaults", text_.defaults, "the wrapper's own, as " + text_.path + " lacks them");
  for (const auto& [key, outer] : root_.items()) {
    const bool is_block = key == "rope_scaling" || key == "rope_parameters";
    if (key == "model_type" || !is_about_positions(key) || says_nothing(outer)) continue;
    if (outer.is_object() && !is_block) continue;
    const json& inner = value_of(body_, key);
    if (inner != outer)
      sources_.warn(printable(key) + " is " + printable(shown(outer)) + " and " + text_.path + "." +
                    printable(key) + " is " + printable(shown(inner)) + ": " + text_.path + "'s is taken");
  }
}

bool config_reader::is_read(std::string_view key) const {
  const layer_rule& rule = type_->layers;
  for (const std::string_view known : {type_->base,           type_->bases_by_layer,
                                       type_->parts_by_layer, type_->interleaves,
                                       type_->rotary_dim,     type_->rotary_part,
                                       type_->positions,      type_->head_dim,
                                       type_->base_ratio,     type_->unrotated_dim,
                                       type_->sliding_base,   type_->sliding_head_dim,
                                       rule.kinds_key,        rule.flags_key,
                                       rule.zeros_key,        rule.ratios_key,
                                       rule.bases_key,        rule.indices_key,
                                       rule.period_key,       type_->needs.substr(0, type_->needs.find('='))})
    if (key == known) return true;
  if (type_->has_yarn_block && key == "yarn") return true;
  const query_scale_rule& scale = type_->query_scale;
  if (key == scale.flag || key == scale.block) return true;
  if (scale.block.empty() && !scale.is_in_scaling_block && (key == scale.strength || key == scale.length))
    return true;
  // Flags that confirm the code's only behaviour.
  if (key == "use_rotary_pos_emb" && value_of(body_, key) == true) return true;
  if (key == "use_3d_rope" && value_of(body_, key) == type_->axes.is_given) return true;
  if (key == "rope_is_neox_style" && value_of(body_, key) == (type_->layout == pairing::half_split))
    return true;
  const bool is_interleaved = type_->layout == pairing::interleaved;
  if (key == "rope_interleave" && value_of(body_, key) == is_interleaved) return true;
  if (key == type_->other_head_dim) return true;
  if (!type_->bases_by_layer.empty() && (key == "yarn_only_types" || key == "use_rope_layers")) return true;
  return is_read_of_every_type(key);
}

void config_reader::warn_of_unread(const std::string& key, const json& value, const std::string& why) {
  if (!value.is_null())
    sources_.warn(key + " is " + printable(shown(value)) + ": " + why + ", it is not used");
}

void config_reader::refuse_unread_keys() {
  const std::string no_key = "model_type " + result_.model_type + " has no such key";
  if (!is_block_base_read_) warn_of_unread(prefix_ + "rope_theta", value_of(block_, "rope_theta"), no_key);
  if (!is_block_part_read_ && !type_->other_turns_all)
    warn_of_unread(prefix_ + "partial_rotary_factor", value_of(block_, "partial_rotary_factor"), no_key);
  warn_of_unread(prefix_ + "max_position_embeddings", value_of(block_, "max_position_embeddings"),
                 "the top level's is read");
  for (const auto& [key, reason] : how_.ignored)
    if (body_.contains(key) && is_about_positions(key) && is_read(key) && key != type_->rotary_part)
      throw bad_input("ignore-key", key,
                      "a key that is not read: model_type " + result_.model_type + " reads this one");
  const rope_scaling& rule = result_.encoding.scaling;
  if (!rule.is<unscaled>() && original_length_of(rule) == 0)
    warn_of_unread("original_max_position_embeddings", value_of(body_, "original_max_position_embeddings"),
                   "rule " + std::string(name_of(rule)) + " does not depend on it");
  for (const auto& [key, value] : body_.items()) {
    if (!is_about_positions(key) || is_read(key) || says_nothing(value)) continue;
    if (key == "rope_theta" && value == result_.encoding.base)
      continue;                                                  // types with another key for the base
    if (key == "partial_rotary_factor" && value == 1) continue;  // every type's default
    if (key == "rotary_dim" && value == result_.encoding.rotary_dim) continue;  // older files of phi have it
    if (has_word(type_->unused, key)) {
      warn_of_unread(printable(key), value,
                     "the code of model_type " + result_.model_type + " turns without it");
      continue;
    }
    const auto reason = how_.ignored.find(key);
    if (reason == how_.ignored.end())
      throw bad_input(printable(key), printable(shown(value)),
                      "keys that model_type " +
                          (result_.model_type.empty() ? "missing" : result_.model_type) +
                          " has; --ignore-key " + printable(key) + "=REASON leaves it out");
    sources_.warn(printable(key) + " is " + printable(shown(value)) + ": left out by --ignore-key, \"" +
                  printable(reason->second) + "\"");
  }
}

}  // namespace ropewalk::model
