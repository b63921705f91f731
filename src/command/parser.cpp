#include "command/parser.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <sstream>
#include <string_view>
#include <utility>

#include "command/option/command_table.hpp"
#include "command/option/option_table.hpp"
#include "command/option/typed_options.hpp"
#include "input/bad_input.hpp"
#include "input/unknown_name.hpp"
#include "output/terminal.hpp"
#include "ropewalk/version.hpp"

namespace ropewalk::command {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::string printable_field(std::string_view option) { return printable(field_name(option)); }

/// The error message for words that the parser did not accept. It names the first that looks like an option,
/// else an unknown command, else all of them.
std::string words_error(const CLI::App& app, const program_options& program, const std::string& place) {
  const std::vector<std::string> extra = app.remaining(true);
  const std::vector<CLI::App*> commands = app.get_subcommands();
  const std::string see = "`" + place + " --help`";
  const auto option = std::find_if(extra.begin(), extra.end(), is_option);
  if (option != extra.end()) {
    const std::string name = option->substr(0, option->find('='));
    if (name == "--layer-type") return "no option named '--layer-type'; it is called --layer, see " + see;
    const command_options* const command =
        commands.empty() ? nullptr : program.find(commands.front()->get_name());
    return input::unknown_name("option", name, program.option_names(command), see).what();
  }
  if (commands.empty() && !extra.empty())
    return input::unknown_name("command", extra.front(), program.command_names(), see).what();
  const std::string words = joined(extra);
  return bad_input("argument", words.empty() ? "empty" : words, "none here; see " + see).what();
}

/// A CLI11 error, worded like this program's other refusals.
std::string usage_error(const CLI::ParseError& error, const CLI::App& app, const program_options& program) {
  std::string place = "ropewalk";
  for (const CLI::App* command : app.get_subcommands()) place += " " + command->get_name();
  const std::string text = error.what();
  const std::string see = "; allowed: see " + place + " --help";
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) return words_error(app, program, place);
  const std::size_t colon = text.find(": ");
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) == nullptr || colon == std::string::npos)
    return "usage is wrong (" + printable(text) + ")" + see;
  const std::string field = printable_field(text.substr(0, colon));
  if (text.ends_with("missing")) return field + " is missing; allowed: --" + field + " followed by its value";
  const std::string received = "received ";
  const std::size_t count = text.rfind(received);
  const std::string times = count == std::string::npos ? "more than 1" : text.substr(count + received.size());
  return field + " is given " + printable(times) + " times; allowed: once";
}

/// Refuses empty values: commands would take an option with an empty value for one that was not given.
void refuse_empty_values(const CLI::App& app, const argument_meanings& meanings) {
  for (const CLI::App* command : app.get_subcommands())
    for (const CLI::Option* option : command->get_options()) {
      const std::vector<std::string>& values = option->results();
      if (std::find(values.begin(), values.end(), "") == values.end()) continue;
      const std::string name = option->get_name();
      const auto known = meanings.find(command->get_name() + " " + name);
      if (known != meanings.end()) {
        const argument_meaning meaning = known->second();
        throw bad_input(meaning.name, "empty", meaning.allowed);
      }
      const option_row* const row = find_option(command->get_name(), name);
      const bool has_domain = row != nullptr && !row->domain.text.empty();
      throw bad_input(
          printable_field(name), "empty",
          has_domain ? row->domain.text : "a value; see ropewalk " + command->get_name() + " --help");
    }
}

/// Refuses a value of a flag, of which CLI11 would make a number, and `--name=`, for which it would take the
/// next word as the value.
void refuse_wrong_value(const std::string& word, const option_row& row) {
  const std::size_t equals = word.find('=');
  if (equals == word.npos) return;
  const std::string value = word.substr(equals + 1);
  if (row.is_flag()) throw bad_input(field_name(row.name), value.empty() ? "empty" : value, "no value");
  if (value.empty()) throw bad_input(field_name(row.name), "empty", "a value; see ropewalk --help");
}

/// Refuses words that CLI11 would misread: values as above, and options after --, where it would still take
/// those of the program. `command` is null for the words before the command.
void refuse_misread_words(const std::vector<std::string>& words, const program_options& program,
                          const command_options* command) {
  line_place place(program, command);
  for (const std::string& word : words) {
    if (command == nullptr && word == "--") throw bad_input("argument", word, "only after a command");
    if (place.may_be_option() && is_option(word)) {
      if (const option_row* row = program.option_in(word, command)) refuse_wrong_value(word, *row);
    } else if (place.is_after_mark() && is_option(word)) {
      // CLI11 would take an option for the second of several words.
      const option_row* const argument = place.value_row();
      if (argument == nullptr || !argument->takes_one_word())
        throw bad_input("argument", word, "options before --");
    }
    place.read(word);
  }
}

/// Wraps `text` to lines of at most `columns` characters, or wider if the terminal is very narrow. Wrapped
/// lines continue below the description of their option.
std::string wrapped(const std::string& text, int columns) {
  constexpr std::size_t description = 30;  // column at which CLI11 begins an option's description
  std::istringstream lines(text);
  std::string result;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t words = line.find_first_not_of(' ');
    const std::size_t last_of_name = line.size() > description ? line.rfind("  ", description) : line.npos;
    const bool is_option_line = words == 2 && last_of_name != line.npos && last_of_name > words;
    const std::size_t indent = is_option_line ? std::max(description, last_of_name + 2) : words + 2;
    const std::size_t width = std::max<std::size_t>(static_cast<std::size_t>(columns), indent + 20);
    while (line.size() > width) {
      const std::size_t space = line.rfind(' ', width);
      if (space == line.npos || space <= indent) break;
      result += line.substr(0, space) + "\n";
      line = std::string(indent, ' ') + line.substr(space + 1);
    }
    result += line + "\n";
  }
  return result;
}

/// Places an option in --help, and has its values spelled as usual.
void finish(CLI::Option& option, const option_row& row, std::string_view command) {
  const option_heading& heading = row.use_of(command)->heading;
  if (!heading.title.empty()) option.group(heading.text());
  if (row.is_flag()) return;
  option.type_name(std::string(row.value));
  if (row.domain.usual)
    option.transform(CLI::Validator(
        [usual = row.domain.usual](std::string& words) {
          words = usual(words);
          return std::string();
        },
        ""));
}

/// "-h,--help", as CLI11 takes names.
std::string names_of_flag(const option_row& row) {
  return (row.short_name.empty() ? "" : std::string(row.short_name) + ",") + std::string(row.name);
}

/// "Exact tables." for "exact tables".
std::string as_sentence(std::string_view summary) {
  std::string text(summary);
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text + ".";
}

}  // namespace

const option_row* subcommand::listed(std::string_view name) {
  const option_row* const row = find_option(options_->name, name);
  if (row == nullptr)
    static_cast<void>(option_named(name));  // throws where no command has such an option
  else
    options_->rows.push_back(row);
  return row;
}

void subcommand::take(std::string_view name, std::string& value) {
  const option_row* const row = listed(name);
  if (row == nullptr) return;
  const std::string help = row->help_in(options_->name);
  CLI::Option& option = row->is_flag() ? *app_->add_flag_callback(
                                             std::string(name), [&value] { value = flag_is_given; }, help)
                                       : *app_->add_option(std::string(name), value, help);
  finish(option, *row, options_->name);
}

void subcommand::take(std::string_view name, std::vector<std::string>& values) {
  const option_row* const row = listed(name);
  if (row == nullptr) return;
  CLI::Option& option = *app_->add_option(std::string(name), values, row->help_in(options_->name));
  if (row->words == option_words::repeated)
    option.expected(1)->allow_extra_args(false)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  finish(option, *row, options_->name);
}

void subcommand::take(std::string_view name, bool& flag) {
  const option_row* const row = listed(name);
  if (row == nullptr) return;
  finish(*app_->add_flag(std::string(name), flag, row->help_in(options_->name)), *row, options_->name);
}

void subcommand::meaning(const std::string& name, std::function<argument_meaning()> meaning) {
  (*meanings_)[app_->get_name() + " " + name] = std::move(meaning);
}

void subcommand::run(std::function<exit_code()> action) {
  app_->callback([session = session_, action = std::move(action)] { session->run = action; });
}

parser::parser(session& session)
    : app_(std::make_unique<CLI::App>(as_sentence(program_row().summary))), session_(&session) {
  const option_row &help = option_named("--help", ""), &version_row = option_named("--version"),
                   &verbose = option_named("--verbose"), &quiet = option_named("--quiet");
  options_.own.rows = {&help, &version_row, &verbose, &quiet};
  app_->name("ropewalk");
  app_->fallthrough();
  app_->require_subcommand(0, 1);  // a second command name on the line is an ordinary value
  app_->set_help_flag(names_of_flag(help), help.help);
  app_->set_version_flag(names_of_flag(version_row), std::string("ropewalk ") + version, version_row.help);
  app_->add_flag(names_of_flag(verbose), session.verbose, verbose.help);
  app_->add_flag(names_of_flag(quiet), session.quiet, quiet.help);
  app_->footer(
      program_row().footer() +
      "\nExit codes: 0 holds, 1 a law or a comparison failed, 2 bad usage or input, 3 something required "
      "is missing");
}

parser::~parser() = default;

subcommand parser::add(const std::string& name) {
  const command_row& row = command_named(name);
  CLI::App& app = *app_->add_subcommand(name, std::string(row.summary));
  app.footer(row.footer());
  options_.commands.push_back({name, {find_option(name, "--help")}});
  return {app, *session_, options_.commands.back(), meanings_};
}

std::optional<std::string> parser::parse(int count, char** words) {
  // The program's flags may precede the command.
  const int command = static_cast<int>(
      std::find_if(words + 1, words + count, [](const char* word) { return word[0] != '-'; }) - words);
  const std::vector<std::string> flags(words + 1, words + command);
  const std::vector<std::string> arguments(words + std::min(command + 1, count), words + count);
  session_->arguments = flags;
  session_->arguments.insert(session_->arguments.end(), arguments.begin(), arguments.end());
  try {
    refuse_misread_words(flags, options_, nullptr);
    if (const command_options* named = command < count ? options_.find(words[command]) : nullptr)
      refuse_misread_words(arguments, options_, named);
    app_->parse(count, words);
    refuse_empty_values(*app_, meanings_);
    return std::nullopt;
  } catch (const CLI::Success& wanted) {
    std::ostringstream text;
    app_->exit(wanted, text, text);
    return wrapped(text.str(), output::columns(output::stream::out));
  } catch (const CLI::ParseError& error) {
    throw std::invalid_argument(usage_error(error, *app_, options_));
  }
}

std::string parser::help() const { return wrapped(app_->help(), output::columns(output::stream::error)); }

}  // namespace ropewalk::command
