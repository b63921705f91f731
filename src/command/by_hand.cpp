#include "command/by_hand.hpp"

#include <tuple>
#include <utility>

#include "catalogue.hpp"
#include "input/number.hpp"
#include "model/axes_form.hpp"

namespace ropewalk::command {
namespace {

/// The fields of RoPE, the only encoding that options can give by hand.
constexpr auto rope_fields = std::get<0>(catalogue).fields;
constexpr auto base_field = std::get<0>(rope_fields);
constexpr auto rotary_dim_field = std::get<1>(rope_fields);
constexpr auto head_dim_field = std::get<2>(rope_fields);
constexpr auto rotary_begin_field = std::get<3>(rope_fields);

template <class Field>
std::string text_of(const which_options& options, const Field& field) {
  const auto number = options.numbers.find(field.option);
  return number == options.numbers.end() ? std::string() : number->second;
}

template <class Field>
bool is_typed(const which_options& options, const Field& field) {
  return !text_of(options, field).empty();
}

/// The number given for a field. Only the type is checked here: `validate` checks the range.
template <class Config, class Number>
Number number_of(const which_options& options, const field<Config, Number>& field) {
  const std::string text = text_of(options, field);
  if (text.empty()) throw refusal(field.option, "missing");
  const auto value = input::number_from<Number>(text);
  if (!value) throw refusal(field.option, text);
  return *value;
}

/// The number typed for a field; the one of the axes where none was typed.
template <class Config, class Number>
Number number_of(const which_options& options, const field<Config, Number>& field,
                 const given<Number>& axes_number) {
  return !is_typed(options, field) && axes_number ? axes_number.value : number_of(options, field);
}

/// Returns make(). An error message that begins with a field begins with the option's name instead:
/// rotary-dim for rotary_dim.
template <class Make>
auto in_words_of_options(const Make& make) {
  try {
    return make();
  } catch (const std::invalid_argument& error) {
    std::string text = error.what();
    const std::string_view field = std::string_view(text).substr(0, text.find(' '));
    if (field == "rotary_dim" || field == "head_dim" || field == "rotary_begin") text[text.find('_')] = '-';
    throw std::invalid_argument(text);
  }
}

/// A rotation whose axes were named: they have a base and channels, which numbers that were typed replace.
model::model on_axes_by_hand(const which_options& options) {
  const int channels = is_typed(options, rotary_dim_field) ? number_of(options, rotary_dim_field)
                       : is_typed(options, head_dim_field) ? number_of(options, head_dim_field)
                                                           : 0;
  const model::axes_choice chosen = model::axes_named(options.axes, channels);
  if (is_typed(options, base_field) && !uses_base(chosen))
    throw bad_input(
        "base", text_of(options, base_field),
        "none here: the frequencies of " + chosen.name + " have a first and a last one, or a list");
  const given<double> base = chosen.base;
  const int rotary_dim = is_typed(options, rotary_dim_field) ? channels : chosen.rotary_dim;
  const int head_dim =
      number_of(options, head_dim_field, chosen.head_dim ? chosen.head_dim : given<int>(rotary_dim));
  const int rotary_begin = is_typed(options, rotary_begin_field) ? number_of(options, rotary_begin_field) : 0;
  const pairing layout = chosen_pairing(options).value_or(chosen.layout.value_or(pairing::half_split));
  const std::string& scaling = options.scaling.empty() ? chosen.scaling_json : options.scaling;
  return in_words_of_options([&] {
    return with_axes(model::model_by_hand(number_of(options, base_field, base), head_dim, rotary_dim, layout,
                                          scaling, rotary_begin),
                     chosen);
  });
}

}  // namespace

const std::vector<std::string_view>& rope_field_options() {
  static const std::vector<std::string_view> options = std::apply(
      [](const auto&... field) { return std::vector<std::string_view>{field.option...}; }, rope_fields);
  return options;
}

bool is_by_hand(const which_options& options) {
  return options.configs.empty() && (is_typed(options, base_field) || is_typed(options, head_dim_field) ||
                                     (!options.axes.empty() && options.models.empty()));
}

given<pairing> chosen_pairing(const which_options& options) {
  if (options.pairing.empty()) return {};
  for (const pairing layout : every_pairing) {
    if (options.pairing != name_of(layout)) continue;
    if (layout == pairing::half_split_by_axis && options.axes.empty())
      throw bad_input("pairing", options.pairing, "only with --axes");
    return layout;
  }
  throw refusal("--pairing", options.pairing);
}

model::numbers_beside numbers_beside_config(const which_options& options) {
  model::numbers_beside numbers;
  if (options.configs.empty()) return numbers;
  if (is_typed(options, base_field)) numbers.base = number_of(options, base_field);
  if (is_typed(options, head_dim_field)) numbers.head_dim = number_of(options, head_dim_field);
  if (is_typed(options, rotary_dim_field)) numbers.rotary_dim = number_of(options, rotary_dim_field);
  return numbers;
}

void refuse_numbers_without_base(const which_options& options) {
  if (is_typed(options, rotary_dim_field) && options.configs.empty())
    throw bad_input("rotary-dim", text_of(options, rotary_dim_field), "only with --base and --head-dim");
  if (is_typed(options, rotary_begin_field))
    throw bad_input("rotary-begin", text_of(options, rotary_begin_field),
                    "none with --config or --model, whose type says it; only with --base and --head-dim");
  if (!options.scaling.empty())
    throw bad_input("scaling", options.scaling, "only by hand: with --base and --head-dim, without --config");
}

model::model model_by_hand(const which_options& options) {
  if (!options.layer.empty())
    throw bad_input("layer", options.layer, "only with --config or --model: by hand there is one table");
  if (!options.axes.empty()) return on_axes_by_hand(options);
  const double base = number_of(options, base_field);
  const int head_dim = number_of(options, head_dim_field);
  const int rotary_dim =
      is_typed(options, rotary_dim_field) ? number_of(options, rotary_dim_field) : head_dim;
  const int rotary_begin = is_typed(options, rotary_begin_field) ? number_of(options, rotary_begin_field) : 0;
  return in_words_of_options([&] {
    return model::model_by_hand(base, head_dim, rotary_dim,
                                chosen_pairing(options).value_or(pairing::half_split), options.scaling,
                                rotary_begin);
  });
}

}  // namespace ropewalk::command
