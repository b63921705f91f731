#include "model/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "input/json_text.hpp"
#include "model/derived.hpp"
#include "model/gguf_architectures.hpp"
#include "model/separation.hpp"
#include "ropewalk/table/frequency_divisors.hpp"

namespace ropewalk::model {

using input::shown;
namespace {

const fact no_rotation{"rotation", "none", "the layer does not rotate"};

/// One compared property of a layer: equal texts are equal numbers.
struct quantity {
  std::string name;
  fact sources;
};

std::string origin_of(const model& model, std::string_view name) {
  for (const fact& fact : model.facts)
    if (fact.name == name) return fact.origin;
  return {};
}

bool is_of_gguf(const model& model) { return model.model_type.starts_with(gguf_type_prefix); }

template <class Float>
std::vector<std::string> divisor_texts(const rope& config) {
  std::vector<std::string> names;
  for (const bits_of<Float> bits : frequency_divisors<Float>(config))
    names.push_back(shown(static_cast<double>(from_bits<Float>(bits))));
  return names;
}

std::string rounded(const std::string& decimal, bool in_binary32) {
  const double value = std::stod(decimal);
  return shown(in_binary32 ? static_cast<double>(static_cast<float>(value)) : value);
}

/// The quantities of one table, in the order of the report.
std::vector<quantity> quantities_of(const model& model, bool in_binary32) {
  std::vector<quantity> quantities;
  const auto add = [&](const char* name, std::string value, std::string_view label) {
    quantities.push_back({name, {name, std::move(value), origin_of(model, label)}});
  };
  add("pairing", pairing_text(model.layout), "pairing");
  add("head_dim", std::to_string(model.layout.head_dim), "head_dim");
  add("rotary_dim", std::to_string(model.encoding.rotary_dim), "rotary_dim");
  add("rotary_begin", std::to_string(model.layout.rotary_begin), "rotary_begin");
  if (model.latent_channels > 0)
    add("query channels", std::to_string(model.latent_channels), "query channels");
  const std::array<int, 3> sections = sections_of(model.axes);
  add("axes",
      is_mrope(model.axes)
          ? fmt::format("{} [{},{},{}]", name_of(model.axes), sections[0], sections[1], sections[2])
          : "one",
      "sections");
  add("pairs of a fourth row", model.fourth_row.empty() ? "none" : runs_of(model.fourth_row), "");
  quantities.back().sources.origin = model.fourth_row.empty() ? "rows of positions are as many as axes"
                                                              : "a row of positions that is 0 in text";
  add("base", shown(model.encoding.base), "base");
  for (const fact& fact : model.beside) quantities.push_back({fact.name, fact});
  for (const fact& fact : derived_facts(model))
    if (fact.name == "attention factor") {
      add("attention factor", rounded(fact.value, in_binary32), "rule");
      quantities.back().sources.origin = fact.origin;
    }
  return quantities;
}

/// The differing divisors of frequencies as one difference: one text per rule.
std::optional<std::pair<fact, fact>> differing_divisors(const model& first, const model& second,
                                                        bool in_binary32) {
  if (first.encoding.rotary_dim != second.encoding.rotary_dim) return std::nullopt;
  const auto texts = [&](const model& model) {
    return in_binary32 ? divisor_texts<float>(model.encoding) : divisor_texts<double>(model.encoding);
  };
  const std::vector<std::string> x = texts(first), y = texts(second);
  std::vector<int> pairs;
  for (std::size_t pair = 0; pair < x.size(); ++pair)
    if (x[pair] != y[pair]) pairs.push_back(static_cast<int>(pair));
  if (pairs.empty()) return std::nullopt;
  const auto at = static_cast<std::size_t>(pairs.front());
  const auto sources = [&](const model& model, const std::string& divisor) {
    return fact{"frequencies",
                fmt::format("rule {}, pair {} divided by {}", name_of(model.encoding.scaling), at, divisor),
                origin_of(model, "rule")};
  };
  std::pair facts{sources(first, x[at]), sources(second, y[at])};
  facts.first.name = facts.second.name = "pairs " + runs_of(pairs);
  return facts;
}

/// The differences of two layers; `layers` is left empty in each.
std::vector<difference> differences_of(const model* first, const model* second, bool in_binary32,
                                       std::size_t& compared) {
  std::vector<difference> differences;
  ++compared;
  if (first == nullptr && second == nullptr) return differences;
  if (first == nullptr || second == nullptr) {
    const auto sources = [](const model* model) {
      return model == nullptr ? no_rotation : fact{"rotation", "rotates", origin_of(*model, "base")};
    };
    differences.push_back({"", "rotation", sources(first), sources(second)});
    return differences;
  }
  const std::vector<quantity> x = quantities_of(*first, in_binary32), y = quantities_of(*second, in_binary32);
  for (const quantity& kind : x) {
    const auto same =
        std::find_if(y.begin(), y.end(), [&](const quantity& other) { return other.name == kind.name; });
    if (same == y.end()) continue;
    ++compared;
    if (same->sources.value != kind.sources.value)
      differences.push_back({"", kind.name, kind.sources, same->sources});
  }
  ++compared;
  if (const auto pairs = differing_divisors(*first, *second, in_binary32))
    differences.push_back({"", pairs->first.name, pairs->first, pairs->second});
  return differences;
}

/// The scale of queries, which layers without rotation may also have.
fact query_scale_fact(const model& model) {
  const std::string origin = origin_of(model, "query scale");
  return {"query scale", model.queries ? text_of(*model.queries) : "none",
          origin.empty() ? "no key of one" : origin};
}

/// Whether queries are scaled equally; GGUF files store the strength in binary32.
bool has_same_scale(const model& a, const model& b, bool in_binary32) {
  if (!a.queries || !b.queries) return a.queries.has_value() == b.queries.has_value();
  const auto number = [&](const model& model) {
    const double strength = model.queries->scale.strength;
    return in_binary32 ? static_cast<double>(static_cast<float>(strength)) : strength;
  };
  const query_scale &x = a.queries->scale, &y = b.queries->scale;
  return number(a) == number(b) && x.length == y.length && x.shift == y.shift &&
         a.queries->is_of_still_layers == b.queries->is_of_still_layers;
}

bool is_alike(const difference& a, const difference& b) {
  return a.name == b.name && a.first.value == b.first.value && a.second.value == b.second.value;
}

/// Adds a layer to the equal separation in the list, or its separation to the list.
void add_separation(std::vector<std::pair<separation, std::vector<int>>>& known,
                    const std::optional<separation>& value, int layer) {
  if (!value) return;
  const auto same = std::find_if(known.begin(), known.end(), [&](const auto& other) {
    return other.first.largest == value->largest && other.first.pair == value->pair &&
           other.first.position == value->position;
  });
  if (same != known.end())
    same->second.push_back(layer);
  else
    known.push_back({*value, {layer}});
}

const model* table_of(const layer_plan& plan, std::size_t layer) {
  if (plan.layers.empty()) return &plan.tables.front();
  const int table = plan.layers[layer].table;
  return table < 0 ? nullptr : &plan.tables[static_cast<std::size_t>(table)];
}

}  // namespace

comparison compared(const layer_plan& first, const layer_plan& second, std::int64_t positions) {
  comparison result;
  result.positions = positions;
  result.is_in_binary32 = is_of_gguf(first.tables.front()) || is_of_gguf(second.tables.front());
  const bool has_layers = !first.layers.empty() && !second.layers.empty();
  if (has_layers && first.layers.size() != second.layers.size())
    result.differences.push_back({"",
                                  "layers",
                                  {"layers", std::to_string(first.layers.size()), "number of layers"},
                                  {"layers", std::to_string(second.layers.size()), "number of layers"}});
  const auto length = [](const model& model) {
    return fact{"max_position_embeddings", std::to_string(model.max_position_embeddings),
                origin_of(model, "max_position_embeddings")};
  };
  const model &x = first.tables.front(), &y = second.tables.front();
  result.compared += 2;
  if (x.max_position_embeddings > 0 && y.max_position_embeddings > 0 &&
      x.max_position_embeddings != y.max_position_embeddings)
    result.differences.push_back({"", "max_position_embeddings", length(x), length(y)});
  if (x.queries || y.queries) {
    ++result.compared;
    if (!has_same_scale(x, y, result.is_in_binary32))
      result.differences.push_back({"", "query scale", query_scale_fact(x), query_scale_fact(y)});
  }
  // Each pair of tables is compared once.
  const std::size_t layers = has_layers ? std::min(first.layers.size(), second.layers.size()) : 1;
  std::vector<std::pair<difference, std::vector<int>>> by_layer;
  std::vector<std::pair<separation, std::vector<int>>> apart;
  std::map<std::pair<const model*, const model*>, std::optional<separation>> measured;
  for (std::size_t layer = 0; layer < layers; ++layer) {
    const std::pair tables(table_of(first, layer), table_of(second, layer));
    auto size = measured.find(tables);
    if (size == measured.end())
      size =
          measured
              .emplace(tables, separation_of(tables.first, tables.second, positions, result.is_in_binary32))
              .first;
    add_separation(apart, size->second, static_cast<int>(layer));
    for (difference& difference :
         differences_of(tables.first, tables.second, result.is_in_binary32, result.compared)) {
      auto known = std::find_if(by_layer.begin(), by_layer.end(),
                                [&](const auto& other) { return is_alike(other.first, difference); });
      if (known == by_layer.end()) known = by_layer.insert(by_layer.end(), {std::move(difference), {}});
      known->second.push_back(static_cast<int>(layer));
    }
  }
  for (auto& [difference, numbers] : by_layer) {
    if (has_layers) difference.layers = runs_of(numbers);
    result.differences.push_back(std::move(difference));
  }
  for (auto& [difference, numbers] : apart) {
    if (has_layers) difference.layers = runs_of(numbers);
    result.separations.push_back(std::move(difference));
  }
  return result;
}

}  // namespace ropewalk::model
