#include "model/chosen_block.hpp"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "input/bad_input.hpp"
#include "model/layers.hpp"
#include "model/other_types.hpp"
#include "model/scaling_block.hpp"

namespace ropewalk::model {

using namespace input;
namespace {

class block_choice {
 public:
  block_choice(const json& body, const model_type& type, const std::string& type_name, const reading& how,
               provenance& sources)
      : body_(body), type_(type), type_name_(type_name), how_(how), sources_(sources) {
    block_.block = json::object();
  }

  chosen_block made() {
    find_block();
    find_layers();
    return std::move(block_);
  }

 private:
  /// Chooses rope_scaling unless it is empty, else the newer rope_parameters, as Hugging Face transformers
  /// does.
  void find_block() {
    const bool has_older_key = !type_.reads_newer_block_alone;
    const json older = has_older_key ? value_of(body_, "rope_scaling") : json();
    const json& newer = value_of(body_, "rope_parameters");
    if (const json& unread = value_of(body_, "rope_scaling"); !has_older_key && !unread.is_null())
      sources_.warn("rope_scaling is " + printable(shown(unread)) + ": model_type " + type_name_ +
                    " has no such key, it is not used");
    // Only null and {} mean no rule; any other value that is not an object is refused below.
    const auto says_something = [](const json& block) {
      return !block.is_null() && block != false && !(block.is_object() && block.empty());
    };
    const bool has_older = says_something(older);
    const bool has_newer = says_something(newer);
    if (has_older && has_newer && older != newer)
      sources_.warn("rope_scaling is " + printable(shown(older)) + " and rope_parameters is " +
                    printable(shown(newer)) + ": rope_scaling is taken");
    block_.prefix = (has_older || !has_newer) && has_older_key ? "rope_scaling." : "rope_parameters.";
    const json& chosen = has_older ? older : newer;
    if (!chosen.is_null() && chosen != false && !chosen.is_object())
      throw bad_input(block_.prefix.substr(0, block_.prefix.size() - 1), shown(chosen),
                      "a JSON object, or null for no rule");
    if (chosen.is_object()) block_.block = chosen;
    refuse_tables_of_null();
    if (!type_.bases_by_layer.empty() && !has_newer) {
      require_rule_of_special_layers();
      make_tables(block_.block);
    }
    if (const json& own = value_of(body_, "yarn"); type_.has_yarn_block && !own.is_null())
      read_yarn_block(own);
  }

  /// Refuses a block whose tables are all null, for types in which null means no rotation.
  void refuse_tables_of_null() const {
    bool has_null = false;
    for (const auto& [key, value] : block_.block.items()) {
      if (!value.is_null()) return;
      has_null = has_null || key.ends_with("attention");
    }
    if (has_null && !type_.null_table_is_default)
      throw bad_input(block_.prefix.substr(0, block_.prefix.size() - 1), shown(block_.block),
                      "a table for a kind of layers: without one, no layer rotates");
  }

  /// Refuses a file whose rule applies to other layers than in its type's code, or whose layers do not
  /// rotate.
  void require_rule_of_special_layers() const {
    const json& object = value_of(body_, "yarn_only_types");
    if (!object.is_null() && object != json::array({std::string(type_.layers.special)}))
      throw bad_input("yarn_only_types", shown(object), "[\"" + std::string(type_.layers.special) + "\"]");
    const json& rotating = value_of(body_, "use_rope_layers");
    const bool all =
        rotating.is_array() && std::all_of(rotating.begin(), rotating.end(),
                                           [](const json& value) { return value == 1 || value == true; });
    if (!rotating.is_null() && !all)
      throw bad_input("use_rope_layers", shown(rotating),
                      "a list of 1 for each layer: the type's code rotates all");
  }

  /// Makes a table for each kind of layers from lists with one number per layer. The scaling rule applies to
  /// layers with full attention only.
  void make_tables(json rule) {
    std::vector<std::string> kinds = kinds_in(body_, type_);
    if (kinds.empty()) kinds.emplace_back(type_.layers.special);
    block_.block = json::object();
    block_.prefix = "rope_parameters.";
    for (const std::string& kind : kinds) {
      json table = kind == type_.layers.special ? rule : json::object();
      if (!table.contains("rope_type") && !table.contains("type")) table["rope_type"] = "default";
      block_.block[kind] = table;
    }
    take_list(type_.bases_by_layer, "rope_theta", kinds);
    take_list(type_.parts_by_layer, "partial_rotary_factor", kinds);
  }

  /// Writes a list's number for each layer into the table of the layer's kind.
  void take_list(std::string_view key, const char* name, const std::vector<std::string>& kinds) {
    const json& list = value_of(body_, key);
    if (list.is_null()) return;
    if (!list.is_array() && !list.is_number())
      throw bad_input(std::string(key), shown(list), "a number, or a list with one for each layer");
    if (list.is_array() && layers_in(body_) == 0)
      throw bad_input("num_hidden_layers", "missing",
                      "a whole number, as " + std::string(key) + " is a list");
    if (list.is_array() && list.size() < kinds.size())
      throw bad_input(std::string(key), "a list of " + std::to_string(list.size()),
                      "one of num_hidden_layers, " + std::to_string(kinds.size()) + ", or longer");
    for (std::size_t layer = 0; layer < kinds.size(); ++layer) {
      const json& number = list.is_array() ? list[layer] : list;
      if (!number.is_number())
        throw bad_input(std::string(key) + "[" + std::to_string(layer) + "]", shown(number), "a number");
      json& own = block_.block[kinds[layer]][name];
      if (!own.is_null() && own != number)
        throw bad_input(std::string(key) + "[" + std::to_string(layer) + "]", shown(number),
                        shown(own) + ", as in the other " + kinds[layer] + " layers");
      own = number;
    }
  }

  /// Reads the rule in Mistral's params.json: beta means beta_fast, alpha beta_slow; without apply_scale
  /// nothing is scaled.
  void read_yarn_block(const json& own) {
    block_.prefix = "yarn.";
    if (!own.is_object()) throw bad_input("yarn", shown(own), "a JSON object");
    constexpr std::pair<std::string_view, std::string_view> names[] = {
        {"factor", "factor"},
        {"original_max_position_embeddings", "original_max_position_embeddings"},
        {"beta", "beta_fast"},
        {"alpha", "beta_slow"}};
    block_.block = {{"rope_type", "yarn"}};
    for (const auto& [key, value] : own.items()) {
      const auto known = std::find_if(std::begin(names), std::end(names),
                                      [&name = key](const auto& item) { return item.first == name; });
      if (known == std::end(names) && key != "apply_scale")
        throw bad_input(block_.prefix + printable(key), printable(shown(value)),
                        "factor, original_max_position_embeddings, alpha, beta, apply_scale");
      if (known != std::end(names)) block_.block[std::string(known->second)] = value;
    }
    if (!flag_in(own, "apply_scale", block_.prefix).value_or(true)) block_.block["attention_factor"] = 1;
  }

  /// The requested kind of layers; empty if all are alike.
  std::string wanted_kind(const std::vector<std::string>& tables) const {
    const layer_rule& rule = type_.layers;
    const bool has_kinds = !rule.special.empty() || !tables.empty();
    const std::string& asked = how_.layer;
    if (!asked.empty() && asked.find_first_not_of("0123456789") == asked.npos) {
      const std::vector<std::string> all = kinds_in(body_, type_);
      const std::int64_t count = all.empty() ? layers_in(body_) : static_cast<std::int64_t>(all.size());
      if (has_kinds && all.empty())
        throw bad_input("layer_types", "missing",
                        "the kind of each layer, which a layer's number asks for, or num_hidden_layers");
      constexpr std::size_t most_digits = 9;
      const std::int64_t number = asked.size() > most_digits ? count : std::stoll(asked);
      if (asked.size() > most_digits || (count > 0 && number >= count))
        throw bad_input("layer", asked,
                        count > 0 ? "0 to " + std::to_string(count - 1) : "a number below 1000000000");
      return has_kinds ? all[static_cast<std::size_t>(number)] : "";
    }
    if (!has_kinds) {
      if (!asked.empty())
        throw bad_input("layer", asked, "a number: the configuration has one table for all layers");
      return "";
    }
    if (!asked.empty() && asked == rule.usual_entry) return std::string(rule.usual);
    if (!asked.empty() && has_word(rule.special_entries, asked)) return std::string(rule.special);
    if (!asked.empty()) return kind_named(asked, rule);
    if (!type_.bases_by_layer.empty() && !block_.block.contains(rule.special)) return std::string(rule.usual);
    std::string usual_choice = rule.special.empty() ? "full_attention" : std::string(rule.special);
    const bool is_null =
        block_.block.contains(usual_choice) && value_of(block_.block, usual_choice).is_null();
    if (rule.special.empty() && !tables.empty() && is_null) usual_choice = tables.front();
    if (!does_rotate(body_, type_, usual_choice)) usual_choice = std::string(rule.usual);
    return one_that_is_there(usual_choice);
  }

  static bool has_table(const std::vector<std::string>& tables, const std::string& kind) {
    return std::find(tables.begin(), tables.end(), kind) != tables.end();
  }

  /// The chosen kind or, if no layer is of that kind, the last kind that rotates.
  std::string one_that_is_there(const std::string& chosen) const {
    const std::vector<std::string> all = kinds_in(body_, type_);
    if (all.empty() || (has_table(all, chosen) && does_rotate(body_, type_, chosen))) return chosen;
    for (std::size_t i = all.size(); i-- > 0;)
      if (does_rotate(body_, type_, all[i])) return all[i];
    throw bad_input("layers", "0-" + std::to_string(all.size() - 1),
                    "one that rotates: by its configuration, no layer of this model does");
  }

  /// For a type with one base per layer: names kinds after their bases.
  void take_kind_by_base() {
    const std::vector<std::string> all = kinds_in(body_, type_);
    const std::string& asked = how_.layer;
    std::string kind = asked;
    if (asked.empty()) {
      for (std::size_t i = all.size(); i-- > 0;)
        if (all[i] != type_.layers.still) kind = all[i];
    } else if (asked.find_first_not_of("0123456789") == asked.npos) {
      kind = wanted_kind({std::string(type_.layers.still)});
    }
    std::vector<std::string> known;
    for (const std::string& name : all)
      if (std::find(known.begin(), known.end(), name) == known.end()) known.push_back(name);
    if (kind == type_.layers.still || std::find(known.begin(), known.end(), kind) == known.end())
      throw bad_input("layer", asked.empty() ? "missing" : asked,
                      "a layer that rotates, of kinds " + joined(known));
    block_.kind = kind;
    sources_.add("layers", kind, asked.empty() ? "the default" : "--layer " + asked);
    take_missing_block();
  }

  void find_layers() {
    if (!type_.layers.bases_key.empty() && value_of(body_, type_.layers.bases_key).is_array())
      return take_kind_by_base();
    std::vector<std::string> tables;
    for (const auto& [key, value] : block_.block.items())
      if (value.is_object()) tables.push_back(key);
    const std::string kind = wanted_kind(tables);
    if (kind.empty()) return take_missing_block();
    const layer_rule& rule = type_.layers;
    if (kind != rule.usual && kind != rule.special && kind != rule.dense && !has_table(tables, kind)) {
      std::string known = printable(joined(tables));
      for (const std::string_view name : {rule.usual, rule.special})
        if (!name.empty() && std::find(tables.begin(), tables.end(), name) == tables.end())
          known += (known.empty() ? "" : ", ") + std::string(name);
      if (rule.special.empty() && how_.layer.empty()) throw bad_input(block_.prefix + kind, "missing", known);
      throw bad_input("layer", kind, "a layer's number, " + known);
    }
    if (kind == rule.still && !does_rotate(body_, type_, kind))
      throw bad_input("layer", how_.layer,
                      "a layer that rotates: " + kind + " layers of model_type " + type_name_ + " do not");
    block_.kind = kind;
    block_.is_second = kind == rule.usual && type_.default_sliding_base > 0;
    sources_.add("layers", kind, how_.layer.empty() ? "the default" : "--layer " + how_.layer);
    if (!tables.empty())
      take_table(kind, joined(tables));
    else if (block_.is_second && !type_.has_rule_on_both)
      block_.block = json::object();  // the block belongs to the other layers
    else
      take_attention_factor();
    take_missing_block();
  }

  static std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
  }

  /// Takes the table of one kind from a block with one table per kind.
  void take_table(const std::string& kind, const std::string& known) {
    for (const auto& [key, value] : block_.block.items())
      if (!value.is_object() && !value.is_null())
        sources_.warn(block_.prefix + printable(key) + " is " + printable(shown(value)) +
                      ": not used, as each kind of layer has its own table");
    const json table = value_of(block_.block, kind);
    const bool is_there = block_.block.contains(kind) && !(table.is_null() && type_.null_table_is_default);
    block_.prefix += kind + ".";
    if (is_there && table.is_null())
      throw bad_input("layer", kind, "a layer that rotates: the table of these is null");
    const bool has_own = type_.default_sliding_base > 0 || type_.null_table_is_default;
    if (!table.is_object() && (is_there || !has_own))
      throw bad_input(block_.prefix.substr(0, block_.prefix.size() - 1), is_there ? shown(table) : "missing",
                      printable(known));
    block_.block = table.is_object() ? table : json::object();
    block_.is_nested = true;
    if (const json& truncate = value_of(block_.block, "truncate"); truncate == false)
      sources_.warn(block_.prefix +
                    "truncate is false: used; transformers 5 reads it only outside of the table, and rounds "
                    "the bounds of the ramp");
  }

  void take_attention_factor() {
    if (!type_.has_yarn_of_one || !value_of(block_.block, "attention_factor").is_null()) return;
    if (block_.block.empty() || !rule_of(block_.block, block_.prefix).is<yarn>()) return;
    block_.block["attention_factor"] = 1;
    sources_.add("attention_factor", "1", "none is given: model_type " + type_name_ + "'s own");
  }

  void take_missing_block() {
    if (!block_.block.empty() || block_.is_second || type_.missing_block.empty()) return;
    block_.block = object_of(type_.missing_block);
    block_.prefix = "rope_parameters.";
    sources_.add("rope_parameters", shown(block_.block),
                 "none is given: model_type " + type_name_ + "'s own");
  }

  const json& body_;
  const model_type& type_;
  const std::string& type_name_;
  const reading& how_;
  provenance& sources_;
  chosen_block block_;
};

}  // namespace

chosen_block choose_block(const json& body, const model_type& type, const std::string& type_name,
                          const reading& how, provenance& sources) {
  return block_choice(body, type, type_name, how, sources).made();
}

}  // namespace ropewalk::model
