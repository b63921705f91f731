#include "model/layers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "input/bad_input.hpp"
#include "input/number.hpp"
#include "model/other_types.hpp"
#include "model/text_body.hpp"

namespace ropewalk::model {

using namespace input;
namespace {

constexpr std::int64_t most_layers = 100'000;

/// A positive integer of a configuration; 0 if it is missing.
std::int64_t count_in(const json& body, std::string_view key) {
  const given<std::int64_t> count = integer_in(body, key, 1);
  if (count.value_or(0) > most_layers)
    throw bad_input(std::string(key), shown(value_of(body, key)),
                    "a whole number from 1 to " + std::to_string(most_layers));
  return count.value_or(0);
}

/// A list of a configuration; null if it is missing or empty.
const json* list_in(const json& body, std::string_view key) {
  if (key.empty()) return nullptr;
  const json& value = value_of(body, key);
  if (value.is_null()) return nullptr;
  if (!value.is_array() || value.size() > most_layers)
    throw bad_input(std::string(key), shown(value), "a list with an entry for each layer");
  return value.empty() ? nullptr : &value;
}

using kinds = std::vector<std::string>;

/// The names in a list with one entry per layer, or in a list that repeats: block_types of RecurrentGemma.
kinds named_kinds(const json& list, std::string_view key, std::int64_t layers) {
  kinds result;
  for (const json& value : list) {
    if (!value.is_string() || value.get_ref<const std::string&>().empty())
      throw bad_input(std::string(key), shown(value), "names of kinds of layers");
    result.push_back(value.get<std::string>());
  }
  const auto count = static_cast<std::int64_t>(result.size());
  if (layers > 0 && count != layers && key != "block_types")
    throw bad_input(std::string(key), fmt::format("a list of {}", count),
                    fmt::format("one of num_hidden_layers, {}", layers));
  for (std::size_t i = 0; static_cast<std::int64_t>(result.size()) < layers; ++i) result.push_back(result[i]);
  return result;
}

kinds flagged_kinds(const json& list, const layer_rule& rule, std::int64_t layers) {
  if (layers > 0 && static_cast<std::int64_t>(list.size()) != layers)
    throw bad_input(std::string(rule.flags_key), fmt::format("a list of {}", list.size()),
                    fmt::format("one of num_hidden_layers, {}", layers));
  kinds result;
  for (const json& value : list) {
    const bool is_flag = value.is_boolean() || (value.is_number_integer() && (value == 0 || value == 1));
    if (!is_flag) throw bad_input(std::string(rule.flags_key), shown(value), "0 or 1 for each layer");
    const bool is_set = value.is_boolean() ? value.get<bool>() : value == 1;
    result.emplace_back(is_set ? rule.usual : rule.special);
  }
  return result;
}

constexpr std::string_view base_prefix = "rope_theta=";  // prefix of kinds named after their base

/// A list of numbers, each 0 or above.
std::vector<double> numbers_of(const json& list, std::string_view key, std::int64_t layers) {
  std::vector<double> numbers;
  for (const json& value : list) {
    if (!value.is_number() || !(value.get<double>() >= 0))
      throw bad_input(std::string(key), shown(value), "numbers of 0 or above, one for each layer");
    numbers.push_back(value.get<double>());
  }
  if (layers > 0 && static_cast<std::int64_t>(numbers.size()) != layers)
    throw bad_input(std::string(key), fmt::format("a list of {}", numbers.size()),
                    fmt::format("one of num_hidden_layers, {}", layers));
  return numbers;
}

kinds kinds_by_base(const json& list, const layer_rule& rule, std::int64_t layers) {
  kinds result;
  for (const double base : numbers_of(list, rule.bases_key, layers))
    result.push_back(base == 0 ? std::string(rule.still) : std::string(base_prefix) + shown(base));
  return result;
}

kinds kinds_by_zeros(const json& list, const layer_rule& rule, std::int64_t layers) {
  kinds result;
  for (const double number : numbers_of(list, rule.zeros_key, layers))
    result.emplace_back(number == 0 ? rule.special : rule.usual);
  return result;
}

/// The newer name of a kind of layers, which transformers 5 writes when it saves a file.
/// source  _LEGACY_LAYER_TYPE_REMAP in transformers/configuration_utils.py
std::string_view newer_name(std::string_view kind) {
  if (kind == "mamba" || kind == "conv") return "linear_attention";
  return kind == "attention" ? "full_attention" : kind;
}

/// The kinds of entries that have other names.
kinds renamed_kinds(kinds entries, const layer_rule& rule) {
  for (std::string& entry : entries) {
    if (entry == rule.usual || entry == rule.special) continue;
    if (rule.usual_entry.empty()) {
      entry = kind_named(entry, rule);
      continue;
    }
    const bool is_usual = entry == rule.usual_entry;
    if (!is_usual && !has_word(rule.special_entries, entry))
      throw bad_input(std::string(rule.kinds_key), entry,
                      std::string(rule.usual_entry) + " " + std::string(rule.special_entries));
    entry = is_usual ? rule.usual : rule.special;
  }
  return entries;
}

kinds kinds_by_ratio(const json& list, const layer_rule& rule, std::int64_t layers) {
  kinds result;
  for (const json& value : list) {
    if (value != 0 && value != 4 && value != 128)
      throw bad_input(std::string(rule.ratios_key) + "[" + std::to_string(result.size()) + "]", shown(value),
                      "0, 4 or 128 for each layer");
    result.emplace_back(value == 0 ? rule.usual : rule.special);
  }
  if (static_cast<std::int64_t>(result.size()) < layers)
    throw bad_input(std::string(rule.ratios_key), fmt::format("a list of {}", result.size()),
                    fmt::format("one of num_hidden_layers, {}, or longer", layers));
  if (layers > 0) result.resize(static_cast<std::size_t>(layers));
  return result;
}

kinds indexed_kinds(const json& list, const layer_rule& rule, std::int64_t layers) {
  kinds result(static_cast<std::size_t>(layers), std::string(rule.usual));
  for (const json& value : list) {
    const bool is_number = value.is_number_integer();
    const std::int64_t number = is_number ? value.get<std::int64_t>() : -1;
    if (number < 0 || number >= most_layers || (layers > 0 && number >= layers))
      throw bad_input(std::string(rule.indices_key), shown(value),
                      fmt::format("numbers of layers, from 0 to {}", std::max<std::int64_t>(layers, 1) - 1));
    if (layers > 0) result[static_cast<std::size_t>(number)] = rule.special;
  }
  return result;
}

/// The kinds of a repeated pattern of letters, L for a usual layer and G for a special one.
kinds lettered_kinds(const std::string& letters, const layer_rule& rule, std::int64_t layers) {
  if (letters.empty() || letters.find_first_not_of("LG") != letters.npos)
    throw bad_input(std::string(rule.period_key), letters, "a whole number, or letters L and G");
  kinds result;
  for (std::int64_t i = 0; i < layers; ++i)
    result.emplace_back(letters[static_cast<std::size_t>(i) % letters.size()] == 'L' ? rule.usual
                                                                                     : rule.special);
  return result;
}

/// The kinds of a model that begins with dense layers, which follow a separate pattern.
/// source  Cohere2MoeConfig and Cohere2MoeAttention in Hugging Face transformers 5
kinds kinds_after_dense(const json& body, const layer_rule& rule, std::int64_t layers) {
  const std::int64_t period = integer_in(body, rule.period_key, 1).value_or(rule.period);
  const std::int64_t dense_period = integer_in(body, "prefix_dense_sliding_window_pattern", 1).value_or(1);
  const std::int64_t dense = integer_in(body, "first_k_dense_replace", 0).value_or(0);
  kinds result;
  if (const json* list = list_in(body, rule.kinds_key)) {
    result = named_kinds(*list, rule.kinds_key, layers);
  } else {
    for (std::int64_t i = 0; i < layers; ++i) {
      const bool is_dense = i < dense;
      const std::int64_t place = is_dense ? i + 1 : i - dense + 1;
      result.emplace_back(place % (is_dense ? dense_period : period) != 0 ? rule.usual : rule.special);
    }
  }
  const json* of_layers = list_in(body, "mlp_layer_types");
  for (std::size_t i = 0; i < result.size() && dense_period == 1; ++i) {
    const bool is_dense = of_layers == nullptr ? static_cast<std::int64_t>(i) < dense
                                               : i < of_layers->size() && (*of_layers)[i] == "dense";
    if (is_dense && result[i] == rule.special) result[i] = rule.dense;
  }
  return result;
}

kinds periodic_kinds(const json& body, const layer_rule& rule, std::int64_t layers) {
  const json& given_period = value_of(body, rule.period_key);
  if (given_period.is_string()) return lettered_kinds(given_period.get<std::string>(), rule, layers);
  const std::int64_t typed = rule.period_key.empty() ? 0 : count_in(body, rule.period_key);
  const std::int64_t period = typed > 0 ? typed : rule.period;
  if (period == 0) return {};
  kinds result;
  for (std::int64_t layer = 0; layer < layers; ++layer) {
    const std::int64_t i = rule.counts_from_end ? layers - 1 - layer : layer;
    const bool is_special = rule.begins_special ? i % period == 0 : (i + 1) % period == 0;
    const bool is_end = (rule.ends_special && i + 1 == layers) || (rule.starts_special && i == 0);
    result.emplace_back(is_special || is_end ? rule.special : rule.usual);
  }
  return result;
}

/// Whether a key of the configuration has the value null.
bool is_null_in(const json& body, std::string_view key) {
  const auto match = body.find(key);
  return match != body.end() && match->is_null();
}

}  // namespace

std::int64_t layers_in(const json& body) {
  for (const std::string_view key : {"num_hidden_layers", "n_layer", "n_layers", "num_layers"})
    if (const std::int64_t count = count_in(body, key)) return count;
  return 0;
}

bool does_rotate(const json& body, const model_type& type, std::string_view kind) {
  const bool all_rotate = !type.layers.alike_without.empty() && is_null_in(body, type.layers.alike_without);
  if (kind == type.layers.still && !all_rotate) return false;
  if (type.null_table_is_default) return true;
  for (const std::string_view block : {"rope_scaling", "rope_parameters"})
    if (const json& tables = value_of(body, block); tables.is_object()) {
      const auto table = tables.find(kind);
      if (table != tables.end() && table->is_null()) return false;
    }
  return true;
}

std::vector<std::string> kinds_in(const json& body, const model_type& type) {
  const layer_rule& rule = type.layers;
  const std::int64_t layers = layers_in(body);
  if (!rule.dense.empty()) return kinds_after_dense(body, rule, layers);
  if (const json* list = list_in(body, rule.kinds_key)) {
    // Lists by layer may continue with layers that predict further tokens and are not part of the model.
    const std::int64_t more =
        type.bases_by_layer.empty() ? 0 : integer_in(body, "num_nextn_predict_layers", 0).value_or(0);
    const bool is_longer = layers > 0 && static_cast<std::int64_t>(list->size()) == layers + more;
    kinds named = named_kinds(*list, rule.kinds_key, is_longer ? layers + more : layers);
    if (is_longer) named.resize(static_cast<std::size_t>(layers));
    return renamed_kinds(std::move(named), rule);
  }
  if (const json* list = list_in(body, rule.bases_key)) return kinds_by_base(*list, rule, layers);
  if (rule.special.empty()) return {};
  if (const json* list = list_in(body, rule.ratios_key)) return kinds_by_ratio(*list, rule, layers);
  if (const json* list = list_in(body, rule.zeros_key)) return kinds_by_zeros(*list, rule, layers);
  if (const json& flags = value_of(body, rule.flags_key); rule.needs_flags && flags == json::array())
    throw bad_input(std::string(rule.flags_key), shown(flags), "a flag for each layer, or null");
  if (const json* list = list_in(body, rule.flags_key)) return flagged_kinds(*list, rule, layers);
  if (const json* list = list_in(body, rule.indices_key)) return indexed_kinds(*list, rule, layers);
  if (!rule.alike_without.empty() && is_null_in(body, rule.alike_without))
    return kinds(static_cast<std::size_t>(layers), std::string(rule.special));
  return periodic_kinds(body, rule, layers);
}

std::string kind_named(std::string_view name, const layer_rule& rule) {
  for (const std::string_view kind : {rule.usual, rule.special})
    if (!kind.empty() && name != rule.usual && name != rule.special && newer_name(name) == newer_name(kind))
      return std::string(kind);
  return std::string(name);
}

given<double> base_of_kind(std::string_view kind) {
  if (!kind.starts_with(base_prefix)) return {};
  const auto number = number_from<double>(kind.substr(base_prefix.size()));
  return number ? given<double>{*number} : given<double>{};
}

layer_plan plan_of(const model& read_model) {
  layer_plan plan;
  plan.tables.push_back(read_model);
  const auto table_of = [&](const std::string& kind) {
    const auto same = std::find_if(plan.tables.begin(), plan.tables.end(),
                                   [&](const model& known) { return known.layer_type == kind; });
    if (same != plan.tables.end()) return static_cast<int>(same - plan.tables.begin());
    reading how = read_model.as_read;
    how.layer = kind;
    how.is_of_plan = true;
    plan.tables.push_back(parse_model(read_model.config, read_model.name, how));
    return static_cast<int>(plan.tables.size()) - 1;
  };
  if (read_model.layer_type.empty()) {
    // The text is empty for a model by hand.
    const json whole = read_model.config.empty() ? json::object() : object_of(read_model.config);
    const text_body text = text_body_of(whole);
    plan.layers.assign(static_cast<std::size_t>(layers_in(*text.keys)), layer{});
    return plan;
  }
  const json root = object_of(read_model.config);
  const text_body text = text_body_of(root);
  const json& body = *text.keys;
  const model_type* listed = find_model_type(read_model.model_type);
  const model_type& type = listed == nullptr ? unlisted_type : *listed;
  for (const std::string& kind : kinds_in(body, type))
    plan.layers.push_back({kind, does_rotate(body, type, kind) ? table_of(kind) : -1});
  if (!plan.layers.empty()) return plan;
  for (const std::string_view kind : {type.layers.special, type.layers.usual})
    if (!kind.empty() && does_rotate(body, type, kind)) table_of(std::string(kind));
  return plan;
}

std::string runs_of(const std::vector<int>& layers) {
  std::string runs;
  for (std::size_t i = 0; i < layers.size();) {
    std::size_t last = i;
    while (last + 1 < layers.size() && layers[last + 1] == layers[last] + 1) ++last;
    runs += (runs.empty() ? "" : ", ") + std::to_string(layers[i]);
    if (last > i) runs += "-" + std::to_string(layers[last]);
    i = last + 1;
  }
  return runs;
}

}  // namespace ropewalk::model
