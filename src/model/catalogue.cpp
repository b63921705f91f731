#include <algorithm>
#include <string>
#include <vector>

#include "model/bad_input.hpp"
#include "model/embedded_catalogue.hpp"
#include "model/json_text.hpp"
#include "model/model.hpp"

namespace ropewalk::model {

double original_length_of(const rope_scaling& scaling) {
  switch (scaling.rule) {
    case scaling_rule::none:
    case scaling_rule::linear: return 0;
    case scaling_rule::llama3: return scaling.as_llama3.original_max_position_embeddings;
    case scaling_rule::yarn: return scaling.as_yarn.original_max_position_embeddings;
  }
  return 0;
}

double factor_of(const rope_scaling& scaling) {
  switch (scaling.rule) {
    case scaling_rule::none: return 1;
    case scaling_rule::linear: return scaling.as_linear.factor;
    case scaling_rule::llama3: return scaling.as_llama3.factor;
    case scaling_rule::yarn: return scaling.as_yarn.factor;
  }
  return 1;
}

std::vector<std::string> catalogue_names() {
  std::vector<std::string> names;
  for (const embedded_file& file : embedded_catalogue()) names.emplace_back(file.name);
  std::sort(names.begin(), names.end());
  return names;
}

model catalogue_model(std::string_view name) {
  for (const embedded_file& file : embedded_catalogue())
    if (file.name == name) return parse_model(file.text, std::string(name));
  std::string names;
  for (const std::string& known : catalogue_names()) names += (names.empty() ? "" : ", ") + known;
  throw bad_input("model", name, names);
}

std::string summary(const model& of) {
  const rope_scaling& scaling = of.encoding.scaling;
  std::string line = "rotary_dim " + std::to_string(of.encoding.rotary_dim) + " of head_dim " +
                     std::to_string(of.layout.head_dim) + ", base " + shown(of.encoding.base) +
                     (of.base_is_default ? " (not given: the default of " + of.model_type + ")" : "") + ", " +
                     name_of(of.layout.pairing_in) + ", rule " + name_of(scaling.rule);
  if (scaling.rule != scaling_rule::none) line += ", factor " + shown(factor_of(scaling));
  if (original_length_of(scaling) != 0) line += ", L " + shown(original_length_of(scaling));
  return line;
}

}  // namespace ropewalk::model
