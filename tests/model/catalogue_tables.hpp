#pragma once
// Every table of the catalogue: of each kind of layers that rotates, at the lengths around a change of its
// rule. Models that share their numbers count once.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "model/layers.hpp"
#include "model/model.hpp"
#include "model/record.hpp"

namespace ropewalk::model {

struct table {
  std::string name;
  rope encoding;
};

/// Lengths around a change of the rule, and some far beyond; 0 if the rule does not depend on the length.
inline std::vector<std::int64_t> decisive_lengths(const rope& encoding) {
  if (!depends_on_seq_len(encoding.scaling)) return {0};
  const auto switched = static_cast<std::int64_t>(changing_length(encoding.scaling));
  return {0, switched - 1, switched, switched + 1, 2 * switched, 1000003, largest_seq_len};
}

/// The numbers that decide a table, as text: equal for equal tables.
inline std::string numbers_of(const rope& encoding) {
  return rule_record(encoding.scaling).dump() + " " + nlohmann::json(encoding.base).dump() + " " +
         std::to_string(encoding.rotary_dim) + " " + std::to_string(encoding.seq_len);
}

/// What a kernel is told of a model, as text: the table's numbers, the head's layout and the axes.
inline std::string call_of(const model& model) {
  std::string text = numbers_of(model.encoding) + " " + std::to_string(model.layout.head_dim) + " " +
                     std::to_string(model.layout.rotary_begin) + " " + name_of(model.layout.pairing_in) +
                     " " + name_of(model.layout.pairing_out) + " " + std::string(name_of(model.axes));
  for (const int section : sections_of(model.axes)) text += " " + std::to_string(section);
  return text;
}

/// The first of all models, by name and kind of layers, that a kernel is told the same of.
inline std::vector<model> distinct_models() {
  std::vector<model> models;
  std::set<std::string> seen;
  for (const std::string& name : catalogue_names())
    for (model& table : plan_of(catalogue_model(name)).tables)
      if (seen.insert(call_of(table)).second) models.push_back(std::move(table));
  return models;
}

/// Every distinct table.
inline std::vector<table> tables() {
  std::vector<table> tables;
  std::set<std::string> seen;
  for (const model& model : distinct_models())
    for (const std::int64_t seq_len : decisive_lengths(model.encoding)) {
      rope encoding = model.encoding;
      encoding.seq_len = seq_len;
      if (seen.insert(numbers_of(encoding)).second)
        tables.push_back({model.name + " " + model.layer_type + " " + std::to_string(seq_len), encoding});
    }
  return tables;
}

}  // namespace ropewalk::model
