#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "input/bad_input.hpp"
#include "input/json_text.hpp"
#include "model/axes_block.hpp"
#include "model/model.hpp"
#include "model/scaling_block.hpp"

namespace ropewalk::model {

using namespace input;

model model_by_hand(double base, std::int64_t head_dim, std::int64_t rotary_dim, pairing layout,
                    std::string_view scaling_json, int rotary_begin) {
  if (head_dim < 1 || head_dim > largest_head_dim)
    throw bad_input("head_dim", std::to_string(head_dim), "a number from 1 to 65536");
  if (rotary_dim < 2 || rotary_dim % 2 != 0 || rotary_dim > head_dim)
    throw bad_input("rotary_dim", std::to_string(rotary_dim),
                    "an even number from 2 to head_dim " + std::to_string(head_dim));
  model result;
  result.name = "by hand";
  result.encoding.base = base;
  result.encoding.rotary_dim = static_cast<int>(rotary_dim);
  result.layout = {static_cast<int>(head_dim), layout, layout, rotary_begin};
  result.doubled = layout;
  result.facts = {{"head_dim", std::to_string(head_dim), "by hand"},
                  {"rotary_dim", std::to_string(rotary_dim), "by hand"},
                  {"pairing", name_of(layout), "by hand"},
                  {"base", shown(base), "by hand"}};
  json config = {
      {"base", base}, {"head_dim", head_dim}, {"rotary_dim", rotary_dim}, {"pairing", name_of(layout)}};
  if (rotary_begin != 0) {
    result.facts.push_back({"rotary_begin", std::to_string(rotary_begin), "by hand"});
    config["rotary_begin"] = rotary_begin;
  }
  if (!scaling_json.empty()) {
    const json block = parse_object(scaling_json, "scaling", std::string(scaling_json));
    config["rope_scaling"] = block;
    // Here, keys that a configuration has at its top level are read from the block.
    const lengths known{
        .max_position_embeddings = integer_in(block, "max_position_embeddings", 1, "scaling."),
        .head_dim = static_cast<int>(head_dim),
        .partial_rotary_factor = number_in(block, "partial_rotary_factor", "scaling."),
        .longest_name = "scaling.max_position_embeddings",
        .pairs = static_cast<int>(rotary_dim / 2)};
    provenance sources;
    result.encoding.scaling = read_scaling(block, "scaling.", known, sources);
    result.axes = read_axes(block, "scaling.", {.pairs = known.pairs});
    report_axes(result.axes, "scaling.mrope_section", sources);
    result.facts.insert(result.facts.end(), sources.facts.begin(), sources.facts.end());
    result.warnings = sources.warnings;
    if (const json& base_key = value_of(block, "rope_theta"); !base_key.is_null())
      result.warnings.push_back("scaling.rope_theta is " + printable(shown(base_key)) + ": --base is taken");
    if (known.partial_rotary_factor && !result.encoding.scaling.is<proportional>())
      result.warnings.push_back("scaling.partial_rotary_factor is " +
                                shown(known.partial_rotary_factor.value) + ": --rotary-dim is taken");
    result.max_position_embeddings = known.max_position_embeddings.value_or(0);
  }
  validate(result.layout, result.encoding);
  result.config = config.dump();
  return result;
}

}  // namespace ropewalk::model
