#include "model/layers.hpp"

#include <nlohmann/json.hpp>

#include "input/bad_input.hpp"
#include "input/json_text.hpp"

namespace ropewalk::model {
namespace {

using input::json;

constexpr std::int64_t most_layers = 100'000;

/// The part of a configuration that describes the layers.
json body_of(const model& of) {
  if (of.config.empty()) return json::object();  // a model by hand
  json whole = input::object_of(of.config);
  const auto nested = whole.find("text_config");
  return nested != whole.end() && nested->is_object() ? *nested : whole;
}

/// A positive integer of a configuration; 0 if there is none.
std::int64_t count_in(const json& body, const char* key) {
  const auto found = body.find(key);
  if (found == body.end() || !found->is_number_integer()) return 0;
  const auto count = found->get<std::int64_t>();
  if (count < 1 || count > most_layers)
    throw bad_input(key, input::shown(*found), "a whole number from 1 to " + std::to_string(most_layers));
  return count;
}

std::int64_t layers_in(const json& body) {
  const std::int64_t count = count_in(body, "num_hidden_layers");
  return count > 0 ? count : count_in(body, "n_layer");
}

}  // namespace

std::int64_t layer_count(const model& of) { return layers_in(body_of(of)); }

std::vector<std::string> layer_kinds(const model& of) {
  if (of.layer_type.empty()) return {};
  const json body = body_of(of);
  std::vector<std::string> r;
  if (const auto listed = body.find("layer_types"); listed != body.end() && listed->is_array()) {
    for (const json& one : *listed) {
      if (!one.is_string() || one.get_ref<const std::string&>().empty())
        throw bad_input("layer_types", input::shown(one), "names of kinds of layers");
      r.push_back(one.get<std::string>());
    }
    if (!r.empty()) return r;
  }
  const std::int64_t layers = layers_in(body), pattern = count_in(body, "sliding_window_pattern");
  if (layers == 0 || pattern == 0)
    throw bad_input("layer_types", "missing",
                    "the kind of each layer, or num_hidden_layers and sliding_window_pattern: " + of.name +
                        " has tables for two kinds");
  for (std::int64_t layer = 1; layer <= layers; ++layer)
    r.emplace_back(layer % pattern == 0 ? "full_attention" : "sliding_attention");
  return r;
}

}  // namespace ropewalk::model
