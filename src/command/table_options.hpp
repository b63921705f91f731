#pragma once
// The options of `ropewalk table` as typed, and the kinds of table that accept each.

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "catalogue.hpp"
#include "command/option/domains.hpp"
#include "command/position_options.hpp"
#include "command/which.hpp"
#include "export/array_layout.hpp"
#include "export/table_kind.hpp"
#include "input/bad_input.hpp"
#include "input/number.hpp"

namespace ropewalk::command {

/// The options as typed. Numbers stay text until they are read, so that a refusal can quote the value.
struct table_options {
  std::string kind;
  which_options which;
  position_options where;
  std::string dtype;
  std::string format;
  std::string output;
  std::string name;
  std::string digits;
  std::string threads;
  std::vector<std::string> compare;
  std::string promise;
  bool as_json = false;
  std::map<std::string_view, std::string> own;  // options that only some kinds accept -> text
};

/// The options that only some kinds accept, in the order of --help: the keys of table_options::own.
const std::vector<std::string_view>& kind_options();

/// Calls visit(name, text) for the options that only some kinds accept.
template <class Options, class Visit>
void visit_kind_options(Options& options, const Visit& visit) {
  if constexpr (std::is_const_v<Options>)
    for (const auto& [option, text] : options.own) visit(option, text);
  else
    for (const std::string_view option : kind_options()) visit(option, options.own[option]);
}

template <class Options, class Visit>
requires std::is_same_v<std::remove_const_t<Options>, table_options>
void visit_options(Options& options, const Visit& visit) {
  visit("kind", options.kind);
  visit_options(options.which, visit);
  visit_options(options.where, visit);
  visit("--dtype", options.dtype);
  visit("--format", options.format);
  visit("--output", options.output);
  visit("--name", options.name);
  visit("--digits", options.digits);
  visit("--threads", options.threads);
  visit("--compare", options.compare);
  visit("--promise", options.promise);
  visit("--json", options.as_json);
  visit_kind_options(options, visit);
}

/// The kind of table that an option or argument names.
///
/// throws  bad_input naming it
tables::table_kind kind_from(std::string_view option, const std::string& name);

/// The layout of a table of a kind: the named one where it holds both cosines and sines; a table of one of
/// them has copies in layout hf.
///
/// throws  bad_input naming layout
tables::array_layout layout_named(tables::table_kind kind, const std::string& name);

/// The text of an option; empty if not given. The text of a flag is "given".
std::string typed(const table_options& options, std::string_view option);

/// The form that a word of --form names.
///
/// throws  bad_input naming form
alibi_form alibi_form_named(const std::string& text);

/// Whether a table of a kind is of a rotating model, which --model may name.
bool takes_model(tables::table_kind kind);

/// Refuses options that none of these kinds of table accepts.
///
/// throws  bad_input naming the first of them in the order of --help
void refuse_foreign_options(const table_options& options, std::span<const tables::table_kind> kinds);

/// The choice whose name was given for an option; `fallback` if the option was not given.
///
/// throws  bad_input naming the option
template <class Choice, std::size_t Count>
Choice chosen_word(const table_options& options, std::string_view option, const Choice (&choices)[Count],
                   Choice fallback) {
  const std::string text = typed(options, option);
  if (text.empty()) return fallback;
  std::string allowed;
  for (const Choice choice : choices) {
    if (text == name_of(choice)) return choice;
    allowed += (allowed.empty() ? "" : ", ") + std::string(name_of(choice));
  }
  throw bad_input(field_name(option), text, allowed);
}

/// Reads one field of a configuration; the field keeps its default if the option was not given. Only the type
/// is checked here: `validate` checks the range.
///
/// throws  bad_input naming the option
template <class Config, class Number>
void read_field(const table_options& options, const field<Config, Number>& field, Config& config) {
  const std::string text = typed(options, field.option);
  if (text.empty()) return;
  const auto value = input::number_from<Number>(text);
  if (!value) throw bad_input(field_name(field.option), text, field.allowed);
  config.*field.member = *value;
}

/// The same for a field without a default.
template <class Config, class Number>
void read_required_field(const table_options& options, const field<Config, Number>& field, Config& config) {
  if (typed(options, field.option).empty())
    throw bad_input(field_name(field.option), "missing", field.allowed);
  read_field(options, field, config);
}

/// The whole number of a required option that is not a field of a configuration.
///
/// throws  bad_input naming the option
std::int64_t required_number(const table_options& options, std::string_view option);

/// The same with a range that depends on other options.
std::int64_t required_number(const table_options& options, std::string_view option, whole_range range);

/// Validates a configuration, or one with another that it belongs to. An error message that begins with a
/// field begins with the option's name instead: d-model for d_model.
template <class... Configs>
void validate_options(const Configs&... configs) {
  try {
    validate(configs...);
  } catch (const std::invalid_argument& error) {
    std::string text = error.what();
    const std::string::size_type end = text.find(' ');
    for (std::string::size_type i = 0; i < end && i < text.size(); ++i)
      if (text[i] == '_') text[i] = '-';
    throw std::invalid_argument(text);
  }
}

}  // namespace ropewalk::command
