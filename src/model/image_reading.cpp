#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>

#include "input/bad_input.hpp"
#include "input/unknown_name.hpp"
#include "model/axes_form.hpp"
#include "model/image_types.hpp"
#include "model/other_types.hpp"

namespace ropewalk::model {

using namespace input;
namespace {

constexpr std::string_view vision_keys[] = {"vision_config", "vision_encoder_config", "visual"},
                           audio_keys[] = {"audio_config", "audio_encoder_config"};

std::string_view type_of(const json& keys) {
  const json& name = value_of(keys, "_class_name");
  const json& type = name.is_null() ? value_of(keys, "model_type") : name;
  return type.is_string() ? std::string_view(type.get_ref<const std::string&>()) : std::string_view();
}

[[noreturn]] void refuse_class(const std::string& name) {
  if (const std::string_view text = other_encoding_of_class(name); !text.empty())
    throw bad_input("_class_name", name, "a class that rotates: this one " + std::string(text));
  const std::vector<std::string> names = image_type_names();
  const std::optional<std::string> nearest = nearest_name(name, names);
  throw bad_input("_class_name", name,
                  fmt::format("one of {} classes and vision encoders{}", names.size(),
                              nearest ? ", the nearest " + *nearest : ""));
}

/// The type of a part whose keys stand among those of the whole model; null if there is none.
const image_type* part_type_of(const json& root, const std::string& part) {
  return find_image_type(std::string(type_of(root)) + "/" + part);
}

/// The part of a composite configuration.
image_body part_of(const json& root, const std::string& part) {
  if (const image_type* const type = part_type_of(root, part)) return {&root, type, ""};
  const bool is_vision = part == "vision";
  if (!is_vision && part != "audio")
    throw bad_input("part", part, "text, vision, audio; of V-JEPA 2 also predictor");
  const auto keys = is_vision ? std::span<const std::string_view>(vision_keys)
                              : std::span<const std::string_view>(audio_keys);
  const json& outer = value_of(root, "thinker_config").is_object() ? value_of(root, "thinker_config") : root;
  for (const std::string_view key : keys) {
    const json& inner = value_of(outer, key);
    if (!inner.is_object()) continue;
    const std::string own(type_of(inner)), of_outer(type_of(outer));
    // Some files have the whole model's type here, or none.
    const std::string whole = (own.empty() ? of_outer : own) + "_" + part;
    image_body body{&inner, find_image_type(own), std::string(key)};
    if (body.type == nullptr) body.type = find_image_type(whole);
    if (body.type == nullptr) {
      const std::string type = own.empty() ? whole : own;
      const std::string_view name = other_encoding_of(type);
      throw bad_input(std::string(key) + ".model_type", type,
                      name.empty() ? "a type that is known here, or rotates by coordinates"
                                   : "a type that rotates: this one " + std::string(name));
    }
    return body;
  }
  throw bad_input("part", part, fmt::format("a part of the configuration: it has no {}", keys[0]));
}

/// Reads the numbers that all image types have.
class image_reader {
 public:
  image_reader(const image_body& body, model& result, const reading& how)
      : keys_(*body.keys),
        type_(*body.type),
        prefix_(body.path.empty() ? "" : body.path + "."),
        result_(result),
        how_(how) {}

  void read() {
    refuse_what_is_not_read();
    const bool is_class = !value_of(keys_, "_class_name").is_null();
    result_.model_type = std::string(type_.name);
    sources_.add(is_class ? "_class_name" : "model_type", result_.model_type,
                 prefix_ + (is_class ? "_class_name" : "model_type"));
    result_.layout.pairing_in = result_.layout.pairing_out = how_.layout.value_or(type_.layout);
    result_.map = type_.map;
    result_.doubled = type_.angles.value_or(result_.layout.pairing_out);
    sources_.add("pairing", pairing_text(result_), how_.layout ? "--pairing" : code());
    find_base();
    find_axes();
    result_.grid = type_.grid.empty() ? nullptr : grid::family_named(type_.grid);
    find_end();
    if (type_.finish != nullptr) type_.finish(keys_, result_, sources_);
    validate(placed(result_));
    validate(result_.layout, result_.encoding, result_.axes);
    report_axes();
    result_.facts = sources_.facts;
    result_.warnings = sources_.warnings;
  }

 private:
  std::string code() const { return "the code of " + result_.model_type + ", " + std::string(type_.source); }

  /// Refuses options that apply to other models' configurations only.
  void refuse_what_is_not_read() const {
    const std::string none = "none for " + std::string(type_.name);
    if (!how_.layer.empty() && !type_.has_layers)
      throw bad_input("layer", how_.layer, none + ", whose layers are alike");
    if (how_.layout && type_.map != position_map::rotation)
      throw bad_input("pairing", name_of(how_.layout.value), none + ": its code decides it");
    const numbers_beside& beside = how_.beside;
    if (beside.base) throw bad_input("base", shown(beside.base.value), none + ": its configuration has it");
    if (beside.head_dim)
      throw bad_input("head-dim", std::to_string(beside.head_dim.value), none + ": its configuration has it");
    if (beside.rotary_dim)
      throw bad_input("rotary-dim", std::to_string(beside.rotary_dim.value), none + ": its axes decide it");
    if (!how_.ignored.empty())
      throw bad_input("ignore-key", how_.ignored.begin()->first, none + ", of which few keys are read");
  }

  /// Finds the end of the tables of its class.
  void find_end() {
    grid::table_end& end = result_.grid_numbers.end;
    end = {type_.own_end, type_.ends_below_zero, "in " + code()};
    if (type_.end.empty()) return;
    const json& own = value_of(keys_, type_.end);
    const std::string key = prefix_ + std::string(type_.end);
    end.why = key + " " + (own.is_null() ? "of its class" : shown(own));
    if (own.is_null()) return;
    std::vector<std::int64_t> numbers;
    for (const json& value : own.is_array() ? own : json::array({own}))
      if (value.is_number_integer() && value >= 1 && value <= largest_position + std::int64_t{1})
        numbers.push_back(value.get<std::int64_t>());
    const bool is_for_each = type_.own_end[0] != type_.own_end[1];
    const auto axes = static_cast<std::size_t>(result_.axes.count);
    if (numbers.size() != (is_for_each ? axes : 1) || (own.is_array() && own.size() != numbers.size()))
      throw bad_input(key, shown(own),
                      is_for_each ? "a whole number above 0 for each axis" : "a whole number above 0");
    for (std::size_t axis = 0; axis < end.positions.size(); ++axis)
      end.positions[axis] = axis >= axes ? 0 : numbers[is_for_each ? axis : 0];
  }

  void report_axes() {
    if (result_.grid == nullptr) {
      sources_.add("positions", "counted", code());
      return;
    }
    sources_.add("axes", axes_form(result_).dump(), code());
    sources_.add("grid", std::string(result_.grid->sentence), code());
    const grid::numbers& numbers = result_.grid_numbers;
    if (const grid::table_end& end = numbers.end;
        std::count(end.positions.begin(), end.positions.end(), 0) < 4) {
      std::string text;
      for (int axis = 0; axis < result_.axes.count; ++axis) {
        const std::int64_t count = end.positions[static_cast<std::size_t>(axis)];
        text += (axis == 0 ? "" : ", ") + (count == 0 ? "any" : std::to_string(count));
      }
      sources_.add("table ends", text + (end.is_below_zero ? ", and as many below 0" : ""),
                   "positions of each axis: " + end.why);
    }
    if (!numbers.own.empty())
      sources_.add("own grid",
                   std::to_string(numbers.own[0].height) + "x" + std::to_string(numbers.own[0].width),
                   numbers.own_why + "; taken without --grid");
  }

  void find_base() {
    result_.encoding.base = type_.own_base;
    if (type_.base.empty()) {
      sources_.add("base", shown(type_.own_base), "stands in " + code());
      return;
    }
    const json& block = value_of(keys_, "rope_parameters");
    const given<double> of_block =
        block.is_object() ? number_in(block, type_.base, "rope_parameters.") : given<double>{};
    const given<double> base = of_block ? of_block : number_in(keys_, type_.base, prefix_);
    result_.encoding.base = base.value_or(type_.own_base);
    result_.base_is_default = !base;
    sources_.add("base", shown(result_.encoding.base),
                 of_block ? "rope_parameters." + std::string(type_.base)
                 : base   ? prefix_ + std::string(type_.base)
                          : "the class's own");
    if (const std::string rule = block.is_object() ? text_in(block, "rope_type") : "";
        !rule.empty() && rule != "default")
      throw bad_input(prefix_ + "rope_parameters.rope_type", rule,
                      "default: " + result_.model_type + " has no other");
  }

  /// The width of a head: from its own key, the class's default, or hidden_size / heads.
  int head_dim() {
    const std::string key(type_.head_dim);
    if (!key.empty())
      if (const given<std::int64_t> t = integer_in(keys_, key, 2, prefix_)) {
        sources_.add("head_dim", std::to_string(t.value), prefix_ + key);
        return width(key, t.value);
      }
    const std::string hidden(type_.hidden_size), heads(type_.heads);
    const given<std::int64_t> all = integer_in(keys_, hidden, 1, prefix_),
                              count = integer_in(keys_, heads, 1, prefix_);
    if (type_.own_head_dim == 0 || (key.empty() && (all || count))) {
      if (!all || !count)
        throw bad_input(prefix_ + (all ? heads : hidden), "missing", "a whole number above 0");
      sources_.add("head_dim", std::to_string(all.value / count.value), prefix_ + hidden + " / " + heads);
      return width(hidden + " / " + heads, all.value / count.value);
    }
    sources_.add("head_dim", std::to_string(type_.own_head_dim), "the class's own");
    return type_.own_head_dim;
  }

  int width(const std::string& key, std::int64_t value) const {
    if (value < 2 || value > largest_head_dim || value % 2 != 0)
      throw bad_input(prefix_ + key, std::to_string(value), "an even number from 2 to 65536");
    return static_cast<int>(value);
  }

  void find_axes() {
    if (const given<std::int64_t> count = integer_in(keys_, type_.heads, 1, prefix_);
        count && count.value <= largest_head_dim)
      result_.query_heads = static_cast<int>(count.value);
    if (type_.widths.empty()) {
      result_.layout.head_dim = result_.encoding.rotary_dim = head_dim();
      result_.axes = type_.axes_of(result_.encoding.rotary_dim / 2);
      return;
    }
    std::vector<int> widths;
    const json& list = value_of(keys_, type_.widths);
    if (list.is_null())
      for (const int own : type_.own_widths) {
        if (own > 0) widths.push_back(own);
      }
    for (const json& value : list.is_array() ? list : json::array())
      widths.push_back(value.is_number_integer() && value >= 0 && value <= largest_head_dim &&
                               value.get<int>() % 2 == 0
                           ? value.get<int>()
                           : -1);
    const std::string key = prefix_ + std::string(type_.widths);
    if ((!list.is_null() && !list.is_array()) || widths.empty() || widths.size() > largest_axis_count ||
        std::find(widths.begin(), widths.end(), -1) != widths.end() ||
        widths == std::vector<int>(widths.size(), 0))
      throw bad_input(key, shown(list), "a list of 1 to 4 even numbers: the channels of each axis");
    int sum = 0;
    result_.axes = {.count = static_cast<int>(widths.size()), .frequencies_of = axis_frequencies::own};
    for (std::size_t axis = 0; axis < widths.size(); ++axis) {
      result_.axes.axis[axis].pairs = widths[axis] / 2;
      sum += widths[axis];
    }
    sources_.add("rotary_dim", std::to_string(sum),
                 list.is_null() ? "the class's own axes" : "the sum of " + key);
    result_.encoding.rotary_dim = sum;
    const given<std::int64_t> head = integer_in(keys_, type_.head_dim, 2, prefix_);
    result_.layout.head_dim = head ? width(std::string(type_.head_dim), head.value) : sum;
    if (sum > result_.layout.head_dim)
      throw bad_input(key, std::to_string(sum) + " channels",
                      "at most the " + std::to_string(result_.layout.head_dim) + " of a head");
  }

  const json& keys_;
  const image_type& type_;
  const std::string prefix_;
  model& result_;
  const reading& how_;
  provenance sources_;
};

}  // namespace

image_body image_body_of(const json& root, const std::string& part) {
  if (!part.empty() && part != "text") return part_of(root, part);
  if (part == "text") {
    const image_type* const type = part_type_of(root, part);
    return {type == nullptr ? nullptr : &root, type, ""};
  }
  if (!value_of(root, "_class_name").is_null() && !keys_of_phi3(root)) {
    const std::string name = text_in(root, "_class_name");
    const image_type* const type = find_image_type(name);
    if (type == nullptr || name.find('/') != name.npos) refuse_class(name);
    return {&root, type, ""};
  }
  const image_type* const type = find_image_type(type_of(root));
  return {type == nullptr ? nullptr : &root, type, ""};
}

std::optional<json> keys_of_phi3(const json& root) {
  if (text_in(root, "_class_name") != "OmniGenTransformer2DModel") return std::nullopt;
  json object{{"model_type", "phi3"}};
  for (const char* const key : {"hidden_size", "num_attention_heads", "num_key_value_heads",
                                "max_position_embeddings", "original_max_position_embeddings", "_provenance"})
    if (const json& value = value_of(root, key); !value.is_null()) object[key] = value;
  for (const auto& [key, own] :
       {std::pair("hidden_size", 3072), std::pair("num_attention_heads", 32),
        std::pair("max_position_embeddings", 131072), std::pair("original_max_position_embeddings", 4096)})
    if (!object.contains(key)) object[key] = own;
  object["rope_theta"] = value_of(root, "rope_base").is_null() ? json(10000) : value_of(root, "rope_base");
  object["rope_scaling"] = value_of(root, "rope_scaling");
  if (object["rope_scaling"].is_object()) object["rope_scaling"]["type"] = "longrope";
  return object;
}

void read_image_type(const image_body& body, model& result, const reading& how) {
  image_reader(body, result, how).read();
  result.source = text_in(*body.keys, "_provenance");
}

}  // namespace ropewalk::model
