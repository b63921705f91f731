#include "command/record.hpp"

#include <nlohmann/json.hpp>

#include "ropewalk/version.hpp"

namespace ropewalk::command {
namespace {

using input::json;

json list_of(const factor_list& list) { return std::vector<double>(list.first, list.first + list.count); }

void put(json& record, const char* key, const given<double>& value) {
  if (value) record[key] = value.value;
}

template <class Rule>
void put_lengths(json& record, const Rule& rule) {
  put(record, "factor", rule.factor);
  record["original_max_position_embeddings"] = rule.original_max_position_embeddings;
  if (!rule.factor && rule.max_position_embeddings > 0)
    record["max_position_embeddings"] = rule.max_position_embeddings;
}

void put(json& record, const llama3& rule) {
  record["factor"] = rule.factor;
  record["low_freq_factor"] = rule.low_freq_factor;
  record["high_freq_factor"] = rule.high_freq_factor;
  record["original_max_position_embeddings"] = rule.original_max_position_embeddings;
}

void put(json& record, const yarn& rule) {
  put_lengths(record, rule);
  record["beta_fast"] = rule.beta_fast;
  record["beta_slow"] = rule.beta_slow;
  record["truncate"] = rule.truncate;
  put(record, "mscale", rule.mscale);
  put(record, "mscale_all_dim", rule.mscale_all_dim);
  put(record, "attention_factor", rule.attention_factor);
}

void put(json& record, const longrope& rule) {
  put_lengths(record, rule);
  put(record, "attention_factor", rule.attention_factor);
  put(record, "short_mscale", rule.short_mscale);
  put(record, "long_mscale", rule.long_mscale);
  record["short_factor"] = list_of(rule.short_factor);
  record["long_factor"] = list_of(rule.long_factor);
}

}  // namespace

json rule_record(const rope_scaling& scaling) {
  json record = {{"rope_type", name_of(scaling.rule)}};
  switch (scaling.rule) {
    case scaling_rule::none: break;
    case scaling_rule::linear: record["factor"] = scaling.as_linear.factor; break;
    case scaling_rule::dynamic:
      record["factor"] = scaling.as_dynamic.factor;
      record["max_position_embeddings"] = scaling.as_dynamic.max_position_embeddings;
      break;
    case scaling_rule::ntk: record["factor"] = scaling.as_ntk.factor; break;
    case scaling_rule::llama3: put(record, scaling.as_llama3); break;
    case scaling_rule::yarn: put(record, scaling.as_yarn); break;
    case scaling_rule::longrope: put(record, scaling.as_longrope); break;
    case scaling_rule::proportional:
      record["live_pairs"] = scaling.as_proportional.live_pairs;
      record["factor"] = scaling.as_proportional.factor;
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
  if (model.layout.pairing_out != model.layout.pairing_in)
    record["pairing_out"] = name_of(model.layout.pairing_out);
  record["rope_scaling"] = rule_record(model.encoding.scaling);
  if (model.max_position_embeddings > 0) record["max_position_embeddings"] = model.max_position_embeddings;
  if (depends_on_seq_len(model.encoding.scaling.rule)) record["seq_len"] = model.encoding.seq_len;
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
