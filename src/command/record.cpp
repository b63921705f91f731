#include "command/record.hpp"

#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "ropewalk/version.hpp"

namespace ropewalk::command {
namespace {

using input::json;

json value_of(double value) { return value; }
json value_of(int value) { return value; }
json value_of(bool value) { return value; }
json value_of(const factor_list& list) { return std::vector<double>(list.first, list.first + list.count); }
json value_of(const given<double>& value) { return value ? json(value.value) : json(); }

}  // namespace

json rule_record(const rope_scaling& scaling) {
  json record = {{"rope_type", name_of(scaling)}};
  scaling.visit([&](const auto& rule) {
    for_each_number(rule, [&](const char* key, const auto& number) {
      if (json value = value_of(number); !value.is_null()) record[key] = std::move(value);
    });
  });
  return record;
}

json model_record(const model::model& model) {
  json record = {{"name", model.name}};
  if (!model.model_type.empty()) record["model_type"] = model.model_type;
  record["base"] = model.encoding.base;
  record["head_dim"] = model.layout.head_dim;
  record["rotary_dim"] = model.encoding.rotary_dim;
  record["pairing"] = name_of(model.layout.pairing_in);
  if (model.layout.pairing_out != model.layout.pairing_in)
    record["pairing_out"] = name_of(model.layout.pairing_out);
  record["rope_scaling"] = rule_record(model.encoding.scaling);
  if (model.max_position_embeddings > 0) record["max_position_embeddings"] = model.max_position_embeddings;
  if (depends_on_seq_len(model.encoding.scaling)) record["seq_len"] = model.encoding.seq_len;
  if (!model.layer_type.empty()) record["layer_type"] = model.layer_type;
  record["taken"] = json::array();
  for (const model::fact& one : model.facts) record["taken"].push_back(text_of(one));
  record["warnings"] = model.warnings;
  if (!model.source.empty()) record["source"] = model.source;
  return record;
}

json origin_record(const session& session) {
  return {{"written_by", std::string("ropewalk ") + version}, {"command", session.command_line}};
}

std::string pretty(const json& value) {
  return value.dump(1, ' ', true, json::error_handler_t::replace) + "\n";
}

std::string one_line(const json& value) { return value.dump(-1, ' ', true, json::error_handler_t::replace); }

}  // namespace ropewalk::command
