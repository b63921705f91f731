#pragma once
// The options of `ropewalk table` as typed, and the kinds of table that accept each.

#include <charconv>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "catalogue.hpp"
#include "command/position_options.hpp"
#include "command/which.hpp"
#include "export/array_layout.hpp"
#include "export/table_kind.hpp"
#include "input/bad_input.hpp"

namespace ropewalk::command {

/// The options as typed. Numbers stay text until they are read, so that a refusal can quote the value.
struct table_options {
  std::string kind;
  which_options which;
  position_options where;
  std::map<std::string_view, std::string> own;  // options that only some kinds accept -> text
  std::string dtype;
  std::string format;
  std::string output;
  std::string name;
  std::string digits;
  std::vector<std::string> compare;
  std::string promise;
  std::string threads;
  bool as_json = false;
};

/// The names of `texts`, separated by commas.
template <class Texts>
std::string listed_names(const Texts& texts) {
  std::string names;
  for (const auto& text : texts) names += (names.empty() ? "" : ", ") + std::string(text.name);
  return names;
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

/// The names of `choices`, for shell completion.
template <class... Choices>
std::vector<std::string> names_of(Choices... choices) {
  return {std::string(name_of(choices))...};
}

/// Adds the options that only some kinds accept, except the shared ones, and `left_out`.
void add_own_options(subcommand& command, table_options& options, std::string_view left_out = {});

/// The text of an option that only some kinds accept; empty if not given. The text of a flag is "given".
std::string typed(const table_options& options, std::string_view option);

/// The word that names BLOOM's form after the kernel that has it, too.
inline constexpr const char* flash_attention_form = "flash-attention";

/// The words that --form takes.
std::vector<std::string> alibi_form_words();

/// The form that a word of --form names.
///
/// throws  bad_input naming form
alibi_form alibi_form_named(const std::string& text);

/// Whether a table of a kind is of a rotating model, which --model may name.
bool takes_model(tables::table_kind kind);

/// Refuses options that none of these kinds of table accepts.
///
/// throws  bad_input naming the first of them
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
  throw bad_input(option.substr(2), text, allowed);
}

/// Reads one field of a configuration; the field keeps its default if the option was not given. Only the type
/// is checked here: `validate` checks the range.
///
/// throws  bad_input naming the option
template <class Config, class Number>
void read_field(const table_options& options, const field<Config, Number>& of, Config& config) {
  const std::string text = typed(options, of.option);
  if (text.empty()) return;
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size())
    throw bad_input(of.option.substr(2), text, of.allowed);
  config.*of.member = value;
}

/// The same for a field without a default.
template <class Config, class Number>
void read_required_field(const table_options& options, const field<Config, Number>& of, Config& config) {
  if (typed(options, of.option).empty()) throw bad_input(of.option.substr(2), "missing", of.allowed);
  read_field(options, of, config);
}

/// The whole number of a required option that is not a field of a configuration.
///
/// throws  bad_input naming the option
std::int64_t required_number(const table_options& options, std::string_view option, std::int64_t smallest,
                             std::int64_t largest);

/// Validates a configuration, or one with another that it belongs to. An error message that begins with a
/// field begins with the option's name instead: d-model for d_model.
template <class... Configs>
void validate_options(const Configs&... configs) {
  try {
    validate(configs...);
  } catch (const std::invalid_argument& error) {
    std::string text = error.what();
    const std::string::size_type end = text.find(' ');
    for (std::string::size_type at = 0; at < end && at < text.size(); ++at)
      if (text[at] == '_') text[at] = '-';
    throw std::invalid_argument(text);
  }
}

}  // namespace ropewalk::command
