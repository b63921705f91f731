#include "model/axes_form.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "input/bad_input.hpp"
#include "input/input_file.hpp"
#include "input/number.hpp"
#include "model/factor_lists.hpp"
#include "model/provenance.hpp"
#include "model/record.hpp"
#include "model/scaling_block.hpp"
#include "ropewalk/config/axes_families.hpp"
#include "ropewalk/encoding/placed_rope.hpp"

namespace ropewalk::model {

using namespace input;
namespace {

constexpr const char* fraction_allowed = "a number, or a fraction of two in quotes, such as \"1/3\"";

/// Numerator and denominator of a number, or of a text "N/D".
template <class Number>
std::optional<std::pair<Number, Number>> fraction_of(const json& value) {
  if (!value.is_string()) {
    const auto number = number_from<Number>(value.dump());
    return number ? std::optional(std::pair(*number, Number{1})) : std::nullopt;
  }
  const std::string text = value.get<std::string>();
  const std::size_t slash = text.find('/');
  const auto above = number_from<Number>(text.substr(0, slash));
  const auto below = slash == text.npos ? Number{1} : number_from<Number>(text.substr(slash + 1));
  return above && below ? std::optional(std::pair(*above, *below)) : std::nullopt;
}

class axes_reader {
 public:
  explicit axes_reader(const json& form) : form_(form) {}

  axes_choice read() {
    refuse_other_keys(
        form_, "axes.",
        {"axes", "order", "frequencies", "rest", "still_pairs", "base", "scaling", "head_dim", "pairing"});
    const json& list = value_of(form_, "axes");
    if (!list.is_array() || list.empty() || list.size() > largest_axis_count)
      throw bad_input("axes.axes", shown(list), "a list of 1 to 4 axes, each with its pairs");
    choice_.axes.count = static_cast<int>(list.size());
    choice_.axes.order =
        word_in(form_, "order", "axes.",
                {axis_order::runs, axis_order::round_robin, axis_order::modulo, axis_order::alternating});
    choice_.axes.frequencies_of =
        word_in(form_, "frequencies", "axes.",
                {axis_frequencies::own, axis_frequencies::shared, axis_frequencies::even_odd});
    choice_.axes.rest = small_in(form_, "rest", "axes.");
    choice_.axes.still_pairs = small_in(form_, "still_pairs", "axes.");
    int pairs = choice_.axes.still_pairs;
    for (std::size_t i = 0; i < list.size(); ++i) {
      read_axis(list[i], i);
      pairs += choice_.axes.axis[i].pairs;
    }
    choice_.rotary_dim = 2 * pairs;
    read_rotation();
    return std::move(choice_);
  }

 private:
  static void refuse_other_keys(const json& object, const std::string& prefix,
                                std::initializer_list<std::string_view> known) {
    for (const auto& [key, value] : object.items())
      if (std::find(known.begin(), known.end(), key) == known.end()) {
        std::string allowed = "none of that name; there are";
        for (const std::string_view name : known)
          allowed += (name == *known.begin() ? " " : ", ") + std::string(name);
        throw bad_input(prefix + key, shown(value), allowed);
      }
  }

  /// The word's value; the default is the first word.
  template <class Word>
  static Word word_in(const json& object, std::string_view key, const std::string& prefix,
                      std::initializer_list<Word> words) {
    const std::string text = text_in(object, key, prefix);
    if (text.empty()) return *words.begin();
    std::string allowed;
    for (const Word word : words) {
      if (text == name_of(word)) return word;
      allowed += (allowed.empty() ? "" : ", ") + std::string(name_of(word));
    }
    throw bad_input(prefix + std::string(key), text, allowed);
  }

  static int small_in(const json& object, std::string_view key, const std::string& prefix) {
    const given<std::int64_t> value = integer_in(object, key, 0, prefix);
    if (value.value > largest_head_dim)
      throw bad_input(prefix + std::string(key), std::to_string(value.value), "a number up to 65536");
    return static_cast<int>(value.value);
  }

  static given<quotient> quotient_in(const json& object, std::string_view key, const std::string& prefix) {
    const json& value = value_of(object, key);
    if (value.is_null()) return {};
    const auto answer = fraction_of<double>(value);
    if (!answer) throw bad_input(prefix + std::string(key), shown(value), fraction_allowed);
    return quotient{answer->first, answer->second};
  }

  static ratio ratio_in(const json& object, std::string_view key, const std::string& prefix,
                        ratio otherwise) {
    const json& value = value_of(object, key);
    if (value.is_null()) return otherwise;
    const auto answer = fraction_of<std::int64_t>(value);
    if (!answer)
      throw bad_input(prefix + std::string(key), shown(value),
                      "a whole number, or a fraction of two in quotes, such as \"1/3\"");
    return {answer->first, answer->second};
  }

  static factor_list list_in(const json& object, const std::string& prefix) {
    const json& list = value_of(object, "list");
    if (!list.is_array()) throw bad_input(prefix + "list", shown(list), "a list of numbers");
    std::vector<double> numbers;
    for (const json& value : list) {
      if (!value.is_number()) throw bad_input(prefix + "list", shown(list), "a list of numbers");
      numbers.push_back(value.get<double>());
    }
    return kept(std::move(numbers));
  }

  void read_axis(const json& form, std::size_t index) {
    const std::string prefix = "axes.axes[" + std::to_string(index) + "].";
    if (!form.is_object())
      throw bad_input("axes.axes[" + std::to_string(index) + "]", shown(form),
                      "an object, such as {\"pairs\": 16}");
    refuse_other_keys(
        form, prefix,
        {"pairs", "spacing", "first", "last", "shift", "list", "unit", "scaling", "scale", "offset"});
    rotary_axis& axis = choice_.axes.axis[index];
    if (value_of(form, "pairs").is_null())
      throw bad_input(prefix + "pairs", "missing", "the number of pairs that the axis turns");
    axis.pairs = small_in(form, "pairs", prefix);
    axis.turn = frequencies_in(form, prefix);
    if (const json& block = value_of(form, "scaling"); !block.is_null()) {
      if (!block.is_object() || block.empty())
        throw bad_input(prefix + "scaling", shown(block), "a rule as in rope_scaling, with a rope_type");
      provenance sources;
      axis.scaling = read_scaling(block, prefix + "scaling.", {.pairs = axis.pairs}, sources);
    }
    coordinate& at = choice_.coordinates[index];
    at = {ratio_in(form, "scale", prefix, at.scale), ratio_in(form, "offset", prefix, at.offset)};
    validate(at);
  }

  static frequencies frequencies_in(const json& form, const std::string& prefix) {
    frequencies result{.first = quotient_in(form, "first", prefix).value_or({}),
                       .last = quotient_in(form, "last", prefix).value_or({}),
                       .shift = number_in(form, "shift", prefix).value_or(0),
                       .unit = word_in(form, "unit", prefix,
                                       {angle_unit::radian, angle_unit::quarter_turn, angle_unit::half_turn,
                                        angle_unit::turn})};
    const bool has_list = !value_of(form, "list").is_null(), has_last = !value_of(form, "last").is_null();
    const spacing usual = has_list ? spacing::listed : has_last ? spacing::geometric : spacing::of_base;
    result.rule = word_in(form, "spacing", prefix,
                          {usual, spacing::of_base, spacing::geometric, spacing::linear, spacing::listed});
    if (has_list != (result.rule == spacing::listed))
      throw bad_input(prefix + "list", shown(value_of(form, "list")),
                      "a list of frequencies where spacing is listed, and only there");
    const bool has_ends = result.rule == spacing::geometric || result.rule == spacing::linear;
    if (has_last != has_ends)
      throw bad_input(prefix + "last", shown(value_of(form, "last")),
                      "a frequency where spacing is geometric or linear, and only there");
    const auto refuse = [&](const char* key, const char* where) {
      if (!value_of(form, key).is_null())
        throw bad_input(prefix + key, shown(value_of(form, key)),
                        "none where spacing is " + std::string(name_of(result.rule)) + "; " + where);
    };
    if (!has_ends) refuse("first", "it goes with last");
    if (result.rule != spacing::geometric)
      refuse("shift", "it goes with a first and a last one, spaced geometrically");
    if (has_list) result.list = list_in(form, prefix);
    return result;
  }

  /// Reads the rotation's numbers that stand beside the axes.
  void read_rotation() {
    choice_.name = "by hand";
    choice_.base = number_in(form_, "base", "axes.");
    if (!choice_.base && !uses_base(choice_)) choice_.base = rope{}.base;  // no pair's frequency uses it
    if (const json& block = value_of(form_, "scaling"); !block.is_null()) choice_.scaling_json = block.dump();
    if (!value_of(form_, "head_dim").is_null()) choice_.head_dim = small_in(form_, "head_dim", "axes.");
    if (!value_of(form_, "pairing").is_null())
      choice_.layout = word_in(form_, "pairing", "axes.",
                               {pairing::interleaved, pairing::half_split, pairing::half_split_by_axis});
  }

  const json& form_;
  axes_choice choice_;
};

json form_of(const quotient& quotient) {
  if (quotient.denominator == 1) return quotient.numerator;
  return shown(quotient.numerator) + "/" + shown(quotient.denominator);
}
json form_of(const ratio& ratio) {
  if (ratio.denominator == 1) return ratio.numerator;
  return std::to_string(ratio.numerator) + "/" + std::to_string(ratio.denominator);
}

void put_frequencies(json& to, const frequencies& turn) {
  if (turn.rule == spacing::of_base) return;
  to["spacing"] = name_of(turn.rule);
  if (turn.rule == spacing::listed) {
    to["list"] = std::vector<double>(turn.list.first, turn.list.first + turn.list.count);
  } else {
    to["first"] = form_of(turn.first);
    to["last"] = form_of(turn.last);
  }
  if (turn.shift != 0) to["shift"] = turn.shift;
  to["unit"] = name_of(turn.unit);
}

axes_choice choice_of(const axes_family& family, int rotary_dim) {
  const int channels = rotary_dim == 0 ? family.encoding.rotary_dim : rotary_dim;
  axes_choice choice{.name = std::string(family.name),
                     .summary = std::string(family.summary),
                     .axes = family.axes_of(channels / 2),
                     .base = family.encoding.base,
                     .scaling_json = {},
                     .rotary_dim = channels,
                     .layout = family.layout};
  if (!family.encoding.scaling.is<unscaled>())
    choice.scaling_json = rule_record(family.encoding.scaling).dump();
  choice.head_dim = rotary_dim == 0 ? family.head_dim : rotary_dim;
  return choice;
}

}  // namespace

axes_choice axes_named(const std::string& text, int rotary_dim) {
  if (const axes_family* const family = family_named(text)) return choice_of(*family, rotary_dim);
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  const bool is_form = begin != text.npos && text[begin] == '{';
  if (!is_form && !std::filesystem::is_regular_file(text)) {
    std::string allowed = "a JSON object, a file that holds one, or";
    for (const axes_family& family : axes_families())
      allowed += (&family == axes_families().data() ? " " : ", ") + std::string(family.name);
    throw bad_input("axes", text, allowed);
  }
  const json form = parse_object(is_form ? text : read_text("axes", text, largest_config), "axes", text);
  return axes_reader(form).read();
}

bool uses_base(const axes_choice& choice) {
  if (choice.axes.frequencies_of != axis_frequencies::own) return true;
  return std::any_of(choice.axes.axis.begin(), choice.axes.axis.begin() + choice.axes.count,
                     [](const rotary_axis& axis) { return axis.turn.rule == spacing::of_base; });
}

std::vector<std::string> axes_family_names() {
  std::vector<std::string> names;
  for (const axes_family& family : axes_families()) names.emplace_back(family.name);
  return names;
}

model with_axes(model model, const axes_choice& chosen) {
  if (!is_text(model.axes))
    throw bad_input("axes", chosen.name, "none for a model that has " + std::string(name_of(model.axes)));
  if (chosen.rotary_dim != model.encoding.rotary_dim)
    throw bad_input("axes", chosen.name + " (" + std::to_string(chosen.rotary_dim / 2) + " pairs)",
                    "axes of rotary_dim / 2 = " + std::to_string(model.encoding.rotary_dim / 2) + " pairs");
  model.axes = chosen.axes;
  model.coordinates = chosen.coordinates;
  if (model.model_type.empty()) model.name = chosen.name;
  validate(placed(model));
  validate(model.layout, model.encoding, model.axes);
  const json form = axes_form(model);
  model.facts.push_back({"axes", form.dump(), chosen.name});
  if (!chosen.summary.empty()) model.facts.push_back({"rows of positions", chosen.summary, chosen.name});
  json config = parse_object(model.config, "config", model.name);
  config["axes"] = form;
  model.config = config.dump();
  return model;
}

placed_rope placed(const model& model) { return {model.encoding, model.axes, model.coordinates}; }

json axes_form(const model& model) {
  json form;
  form["axes"] = json::array();
  for (int i = 0; i < model.axes.count; ++i) {
    const auto at = static_cast<std::size_t>(i);
    json axis = {{"pairs", pairs_of_axis(i, model.axes, model.encoding)}};
    put_frequencies(axis, model.axes.axis[at].turn);
    if (!model.axes.axis[at].scaling.is<unscaled>())
      axis["scaling"] = rule_record(model.axes.axis[at].scaling);
    if (model.coordinates[at].scale != ratio{1, 1}) axis["scale"] = form_of(model.coordinates[at].scale);
    if (model.coordinates[at].offset != ratio{0, 1}) axis["offset"] = form_of(model.coordinates[at].offset);
    form["axes"].push_back(std::move(axis));
  }
  form["order"] = name_of(model.axes.order);
  form["frequencies"] = name_of(model.axes.frequencies_of);
  if (model.axes.rest != 0) form["rest"] = model.axes.rest;
  if (model.axes.still_pairs != 0) form["still_pairs"] = model.axes.still_pairs;
  return form;
}

}  // namespace ropewalk::model
