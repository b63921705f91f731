#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "input/bad_input.hpp"
#include "input/json_text.hpp"
#include "input/number.hpp"
#include "input/unknown_name.hpp"
#include "model/embedded_catalogue.hpp"
#include "model/model.hpp"

namespace ropewalk::model {

using namespace input;
namespace {

// One model of each kind: every rule and pairing, whole and partial rotation, several axes. A test fails if
// the catalogue has a kind that is missing here.
constexpr std::string_view spread[] = {
    "command-r-v01", "deepseek-coder-6.7b", "deepseek-v2-lite", "deepseek-v3",         "gemma-4",
    "gpt-j-6b",      "gpt-neox-20b",        "gpt-oss-20b",      "internlm2.5-7b-chat", "llama-2-7b",
    "llama-3.1-8b",  "phi-3.5-mini",        "qwen2-vl-7b",      "qwen2.5-7b-yarn4",
};

}  // namespace

namespace {

std::vector<std::string> names_in(std::span<const embedded_file> files) {
  std::vector<std::string> names;
  for (const embedded_file& file : files) names.emplace_back(file.name);
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

std::vector<std::string> catalogue_names() { return names_in(embedded_catalogue()); }
std::vector<std::string> image_catalogue_names() { return names_in(embedded_image_catalogue()); }

std::vector<std::string> map_catalogue_names() { return names_in(embedded_map_catalogue()); }

std::vector<std::string> all_catalogue_names() {
  std::vector<std::string> names = catalogue_names();
  for (std::string& name : image_catalogue_names()) names.push_back(std::move(name));
  for (std::string& name : map_catalogue_names()) names.push_back(std::move(name));
  std::sort(names.begin(), names.end());
  return names;
}

std::span<const std::string_view> catalogue_spread() { return spread; }

model catalogue_model(std::string_view name, const reading& how) {
  for (const auto& files : {embedded_catalogue(), embedded_image_catalogue(), embedded_map_catalogue()})
    for (const embedded_file& file : files)
      if (file.name == name) return parse_model(file.text, std::string(name), how);
  throw unknown_name("model", name, all_catalogue_names(), "`ropewalk models`");
}

std::string pairing_text(const head_layout& layout) {
  const std::string read = name_of(layout.pairing_in);
  return layout.pairing_in == layout.pairing_out
             ? read
             : read + " read, " + name_of(layout.pairing_out) + " written";
}

std::string pairing_text(const model& model) {
  if (model.map != position_map::skewed) return pairing_text(model.layout);
  return "angles " + std::string(name_of(model.doubled)) + ", partners " + pairing_text(model.layout);
}

std::string recorded_name(const model& model) {
  return model.source.empty() && model.model_type.empty() ? summary(model) : model.name;
}

std::string summary(const model& model) {
  const rope_scaling& scaling = model.encoding.scaling;
  std::string line = "rotary_dim " + std::to_string(model.encoding.rotary_dim) + " of head_dim " +
                     std::to_string(model.layout.head_dim) +
                     (model.layout.rotary_begin == 0
                          ? ""
                          : ", from channel " + std::to_string(model.layout.rotary_begin) + " on") +
                     ", base " + shown(model.encoding.base) +
                     (model.base_is_default ? " (not given: the default of " + model.model_type + ")" : "") +
                     ", " + pairing_text(model) + ", rule " + std::string(name_of(scaling));
  if (!scaling.is<unscaled>()) line += ", factor " + shown(factor_of(scaling));
  if (original_length_of(scaling) != 0) line += ", L " + shown(original_length_of(scaling));
  if (depends_on_seq_len(scaling)) line += ", seq_len " + std::to_string(model.encoding.seq_len);
  if (!model.layer_type.empty()) line += ", " + model.layer_type + " layers";
  return line;
}

model at_length(model model, const sequence_length& length) {
  if (!depends_on_seq_len(model.encoding.scaling)) return model;
  model.encoding.seq_len = length.value;
  validate(model.encoding);
  model.facts.push_back({"seq_len", std::to_string(length.value), length.origin});
  return model;
}

model at_seq_len(model model, const std::string& typed, const sequence_length& otherwise) {
  if (typed.empty()) return at_length(std::move(model), otherwise);
  const std::int64_t length = input::whole_number("seq-len", typed, 1, largest_seq_len);
  const rope_scaling& rule = model.encoding.scaling;
  if (!depends_on_seq_len(rule))
    model.warnings.push_back("seq-len is " + typed + ": rule " + std::string(name_of(rule)) +
                             " does not depend on it");
  return at_length(std::move(model), {length, "--seq-len"});
}

}  // namespace ropewalk::model
