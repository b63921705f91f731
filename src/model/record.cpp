#include "model/record.hpp"

#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "model/axes_form.hpp"

namespace ropewalk::model {
namespace {

using input::json;

json as_record(double value) { return value; }
json as_record(int value) { return value; }
json as_record(bool value) { return value; }
json as_record(const factor_list& list) { return std::vector<double>(list.first, list.first + list.count); }
json as_record(const given<double>& value) { return value ? json(value.value) : json(); }

}  // namespace

json rule_record(const rope_scaling& scaling) {
  json record = {{"rope_type", name_of(scaling)}};
  scaling.visit([&](const auto& rule) {
    for_each_number(rule, [&](const char* key, const auto& number) {
      if (json value = as_record(number); !value.is_null()) record[key] = std::move(value);
    });
  });
  return record;
}

json model_record(const model& model) {
  json record = {{"name", model.name}};
  if (!model.model_type.empty()) record["model_type"] = model.model_type;
  record["base"] = model.encoding.base;
  record["head_dim"] = model.layout.head_dim;
  record["rotary_dim"] = model.encoding.rotary_dim;
  if (model.layout.rotary_begin > 0) record["rotary_begin"] = model.layout.rotary_begin;
  record["pairing"] = name_of(model.layout.pairing_in);
  if (model.layout.pairing_out != model.layout.pairing_in)
    record["pairing_out"] = name_of(model.layout.pairing_out);
  if (model.map != position_map::rotation)
    record["map"] = model.map == position_map::skewed ? "skewed" : "pooled";
  if (model.map == position_map::skewed) record["angles"] = name_of(model.doubled);
  record["rope_scaling"] = rule_record(model.encoding.scaling);
  if (model.max_position_embeddings > 0) record["max_position_embeddings"] = model.max_position_embeddings;
  if (depends_on_seq_len(model.encoding.scaling)) record["seq_len"] = model.encoding.seq_len;
  if (model.queries)
    record["query_scale"] = {{"strength", model.queries->scale.strength},
                             {"length", model.queries->scale.length},
                             {"shift", model.queries->scale.shift},
                             {"layers", model.queries->is_of_still_layers ? "not rotating" : "all"}};
  if (!model.layer_type.empty()) record["layer_type"] = model.layer_type;
  if (model.grid != nullptr) record["grid"] = model.grid->name;
  if (!is_text(model.axes) && !is_mrope(model.axes)) record["axes"] = axes_form(model);
  record["taken"] = json::array();
  for (const fact& fact : model.facts) record["taken"].push_back(text_of(fact));
  record["warnings"] = model.warnings;
  if (!model.source.empty()) record["source"] = model.source;
  return record;
}

}  // namespace ropewalk::model
