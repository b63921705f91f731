#pragma once
// Every table of the catalogue: both of a model that has two, at the lengths around a change of its rule.

#include <cstdint>
#include <string>
#include <vector>

#include "model/model.hpp"

namespace ropewalk::model {

struct table {
  std::string name;
  rope encoding;
};

/// Lengths around a change of the rule, and some far beyond; 0 if the rule does not depend on the length.
inline std::vector<std::int64_t> telling_lengths(const rope& encoding) {
  if (!depends_on_seq_len(encoding.scaling)) return {0};
  const auto switched = static_cast<std::int64_t>(changing_length(encoding.scaling));
  return {0, switched - 1, switched, switched + 1, 2 * switched, 1000003, largest_seq_len};
}

/// Every table of every model.
inline std::vector<table> tables() {
  std::vector<table> r;
  for (const std::string& name : catalogue_names()) {
    std::vector<model> of_layers = {catalogue_model(name)};
    if (!of_layers[0].layer_type.empty())
      of_layers.push_back(catalogue_model(name, {.layer = "sliding_attention"}));
    for (const model& one : of_layers)
      for (const std::int64_t seq_len : telling_lengths(one.encoding)) {
        rope encoding = one.encoding;
        encoding.seq_len = seq_len;
        r.push_back({name + " " + one.layer_type + " " + std::to_string(seq_len), encoding});
      }
  }
  return r;
}

}  // namespace ropewalk::model
