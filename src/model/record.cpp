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

json model_record(const model& of) {
  json record = {{"name", of.name}};
  if (!of.model_type.empty()) record["model_type"] = of.model_type;
  record["base"] = of.encoding.base;
  record["head_dim"] = of.layout.head_dim;
  record["rotary_dim"] = of.encoding.rotary_dim;
  if (of.layout.rotary_begin > 0) record["rotary_begin"] = of.layout.rotary_begin;
  record["pairing"] = name_of(of.layout.pairing_in);
  if (of.layout.pairing_out != of.layout.pairing_in) record["pairing_out"] = name_of(of.layout.pairing_out);
  if (of.map != position_map::rotation) record["map"] = of.map == position_map::skewed ? "skewed" : "pooled";
  if (of.map == position_map::skewed) record["angles"] = name_of(of.doubled);
  record["rope_scaling"] = rule_record(of.encoding.scaling);
  if (of.max_position_embeddings > 0) record["max_position_embeddings"] = of.max_position_embeddings;
  if (depends_on_seq_len(of.encoding.scaling)) record["seq_len"] = of.encoding.seq_len;
  if (of.queries)
    record["query_scale"] = {{"strength", of.queries->scale.strength},
                             {"length", of.queries->scale.length},
                             {"shift", of.queries->scale.shift},
                             {"layers", of.queries->is_of_still_layers ? "not rotating" : "all"}};
  if (!of.layer_type.empty()) record["layer_type"] = of.layer_type;
  if (of.grid != nullptr) record["grid"] = of.grid->name;
  if (!is_text(of.axes) && !is_mrope(of.axes)) record["axes"] = axes_form(of);
  record["taken"] = json::array();
  for (const fact& one : of.facts) record["taken"].push_back(text_of(one));
  record["warnings"] = of.warnings;
  if (!of.source.empty()) record["source"] = of.source;
  return record;
}

}  // namespace ropewalk::model
