#pragma once
// The options of `ropewalk table` as typed, and which of them a kind of table takes.

#include <charconv>
#include <map>
#include <string>
#include <string_view>

#include "catalogue.hpp"
#include "command/position_options.hpp"
#include "command/which.hpp"
#include "export/table_kind.hpp"
#include "input/bad_input.hpp"

namespace ropewalk::command {

/// Numbers stay text until they are read, so that a refusal can name option and value.
struct table_options {
  std::string kind;
  which_options which;
  position_options where;
  std::map<std::string_view, std::string> own;  // options of some kinds alone -> their text
  std::string dtype;
  std::string format;
  std::string output;
  std::string name;
  std::string digits;
  std::string compare;
  std::string threads;
  bool as_json = false;
};

/// The names of `texts`, as a refusal lists them.
template <class Texts>
std::string listed_names(const Texts& texts) {
  std::string names;
  for (const auto& text : texts) names += (names.empty() ? "" : ", ") + std::string(text.name);
  return names;
}

/// Adds the options that some kinds alone take.
void add_own_options(subcommand& command, table_options& options);

/// What was typed for an option that not every kind takes; empty when nothing was. A flag's text is "given".
std::string typed(const table_options& options, std::string_view option);

/// throws  bad_input naming the first option that was typed and that tables of this kind do not have
void refuse_foreign_options(const table_options& options, output::table_kind kind);

/// One word of a few: the value whose name_of was typed, or `fallback`.
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

/// Reads one field of a configuration, which keeps its default where the option was not typed. What is
/// allowed beyond the type, `validate` decides.
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

/// The same where there is no default.
template <class Config, class Number>
void read_required_field(const table_options& options, const field<Config, Number>& of, Config& config) {
  if (typed(options, of.option).empty()) throw bad_input(of.option.substr(2), "missing", of.allowed);
  read_field(options, of, config);
}

/// A whole number that is no field of a configuration.
///
/// throws  bad_input naming the option
std::int64_t required_number(const table_options& options, std::string_view option, std::int64_t smallest,
                             std::int64_t largest);

/// Validates; a refusal that begins with a field begins with its option instead: d-model for d_model.
template <class Config>
void validate_options(const Config& config) {
  try {
    validate(config);
  } catch (const std::invalid_argument& error) {
    std::string text = error.what();
    const std::string::size_type end = text.find(' ');
    for (std::string::size_type at = 0; at < end && at < text.size(); ++at)
      if (text[at] == '_') text[at] = '-';
    throw std::invalid_argument(text);
  }
}

}  // namespace ropewalk::command
