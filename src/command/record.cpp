#include "command/record.hpp"

#include "ropewalk/version.hpp"

namespace ropewalk::command {
namespace {

using model::json;

void put(json& record, const char* key, const given<double>& value) {
  if (value) record[key] = value.value;
}

}  // namespace

json rule_record(const rope_scaling& scaling) {
  json record = {{"rope_type", name_of(scaling.rule)}};
  switch (scaling.rule) {
    case scaling_rule::none: break;
    case scaling_rule::linear: record["factor"] = scaling.as_linear.factor; break;
    case scaling_rule::llama3:
      record["factor"] = scaling.as_llama3.factor;
      record["low_freq_factor"] = scaling.as_llama3.low_freq_factor;
      record["high_freq_factor"] = scaling.as_llama3.high_freq_factor;
      record["original_max_position_embeddings"] = scaling.as_llama3.original_max_position_embeddings;
      break;
    case scaling_rule::yarn:
      record["factor"] = scaling.as_yarn.factor;
      record["original_max_position_embeddings"] = scaling.as_yarn.original_max_position_embeddings;
      record["beta_fast"] = scaling.as_yarn.beta_fast;
      record["beta_slow"] = scaling.as_yarn.beta_slow;
      record["truncate"] = scaling.as_yarn.truncate;
      put(record, "mscale", scaling.as_yarn.mscale);
      put(record, "mscale_all_dim", scaling.as_yarn.mscale_all_dim);
      put(record, "attention_factor", scaling.as_yarn.attention_factor);
      break;
  }
  return record;
}

json model_record(const model::model& model) {
  json record = {{"name", model.name}};
  if (!model.model_type.empty()) record["model_type"] = model.model_type;
  record["base"] = model.encoding.base;
  record["head_dim"] = model.layout.head_dim;
  record["rotary_dim"] = model.encoding.rotary_dim;
  record["pairing"] = name_of(model.layout.pairing_in);
  record["rope_scaling"] = rule_record(model.encoding.scaling);
  if (model.max_position_embeddings > 0) record["max_position_embeddings"] = model.max_position_embeddings;
  record["taken"] = model.notes;
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
