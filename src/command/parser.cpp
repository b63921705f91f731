#include "command/parser.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <sstream>
#include <string_view>

#include "input/bad_input.hpp"
#include "ropewalk/version.hpp"

namespace ropewalk::command {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::string without_dashes(std::string_view option) {
  option.remove_prefix(std::min(option.find_first_not_of('-'), option.size()));
  return printable(option);
}

/// What the library refused, in the words of every other refusal.
std::string usage_error(const CLI::ParseError& error, const CLI::App& app) {
  std::string place = "ropewalk";
  for (const CLI::App* sub : app.get_subcommands()) place += " " + sub->get_name();
  const std::string what = error.what();
  const std::string see = "; allowed: see " + place + " --help";
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr)
    return "argument is " + printable(joined(app.remaining(true))) + see;
  const std::size_t colon = what.find(": ");
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) == nullptr || colon == std::string::npos)
    return "usage is wrong (" + printable(what) + ")" + see;
  const std::string field = without_dashes(what.substr(0, colon));
  if (what.ends_with("missing")) return field + " is missing; allowed: --" + field + " followed by its value";
  const std::string received = "received ";
  const std::size_t count = what.rfind(received);
  const std::string times = count == std::string::npos ? "more than 1" : what.substr(count + received.size());
  return field + " is given " + printable(times) + " times; allowed: once";
}

/// An option that was given an empty value is not one that was left out.
void refuse_empty_values(const CLI::App& app) {
  for (const CLI::App* sub : app.get_subcommands())
    for (const CLI::Option* option : sub->get_options())
      for (const std::string& value : option->results())
        if (value.empty())
          throw bad_input(without_dashes(option->get_name()), "empty",
                          "a value; see ropewalk " + sub->get_name() + " --help");
}

/// `--name=` is an empty value; the library would take the next word for it.
void refuse_nothing_after_equals(const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (word == "--") return;
    if (word.starts_with("--") && word.find('=') + 1 == word.size())
      throw bad_input(without_dashes(word.substr(0, word.size() - 1)), "empty",
                      "a value; see ropewalk --help");
  }
}

void place_in_help(CLI::Option& option, const std::string& heading) {
  if (!heading.empty()) option.group(heading);
}

}  // namespace

void subcommand::option(const std::string& name, std::string& place, const std::string& value,
                        const std::string& text) {
  place_in_help(*app_->add_option(name, place, text)->type_name(value), heading_);
}

void subcommand::option(const std::string& name, std::vector<std::string>& place, const std::string& value,
                        const std::string& text) {
  place_in_help(*app_->add_option(name, place, text)->type_name(value), heading_);
}

void subcommand::repeated_option(const std::string& name, std::vector<std::string>& place,
                                 const std::string& value, const std::string& text) {
  CLI::Option& one = *app_->add_option(name, place, text)->type_name(value);
  one.expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  place_in_help(one, heading_);
}

void subcommand::flag(const std::string& name, bool& place, const std::string& text) {
  place_in_help(*app_->add_flag(name, place, text), heading_);
}

void subcommand::flag(const std::string& name, std::function<void()> when_given, const std::string& text) {
  place_in_help(*app_->add_flag_callback(name, std::move(when_given), text), heading_);
}

void subcommand::footer(const std::string& text) { app_->footer(text); }

void subcommand::run(std::function<exit_code()> what) {
  app_->callback([to = session_, what = std::move(what)] { to->run = what; });
}

void subcommand::run_with_arguments(std::function<exit_code(std::vector<std::string>)> what) {
  app_->fallthrough(false);
  forwarding_->emplace(app_->get_name(), std::move(what));
}

parser::parser(session& of)
    : app_(std::make_unique<CLI::App>(
          "Exact transformer positional encodings, and a tool that holds kernels to their laws.")),
      session_(&of) {
  app_->name("ropewalk");
  app_->fallthrough();
  app_->require_subcommand(0, 1);  // the name of another, later on the line, is a value like any other
  app_->set_version_flag("--version", std::string("ropewalk ") + version);
  app_->add_flag("--verbose", of.verbose, "say more on stderr: what was taken from a config, and why");
  app_->add_flag("--quiet", of.quiet, "say nothing on stderr but errors");
  app_->footer(
      "Examples:\n"
      "  ropewalk verify --config config.json\n"
      "  ropewalk table inv-freq --config config.json --dtype f32 --output inv_freq.npy\n"
      "  ropewalk table cos --model llama-3.1-8b --positions 4096 --dtype bf16 --output cos.npy\n"
      "  ropewalk models\n"
      "Exit codes: 0 holds, 1 a law or a comparison failed, 2 bad usage or input, 3 something required is "
      "missing");
}

parser::~parser() = default;

subcommand parser::add(const std::string& name, const std::string& what_it_does) {
  return {*app_->add_subcommand(name, what_it_does), *session_, forwarding_};
}

std::optional<std::string> parser::parse(int count, char** words) {
  // Flags of the program may stand before the command.
  const int command = static_cast<int>(
      std::find_if(words + 1, words + count, [](const char* word) { return word[0] != '-'; }) - words);
  const std::vector<std::string> arguments(words + std::min(command + 1, count), words + count);
  const auto forward = command < count ? forwarding_.find(words[command]) : forwarding_.end();
  const bool asks_for_help =
      arguments.size() == 1 && (arguments.front() == "--help" || arguments.front() == "-h");
  const bool is_forwarded = forward != forwarding_.end() && !asks_for_help;
  try {
    if (!is_forwarded) refuse_nothing_after_equals(arguments);
    app_->parse(is_forwarded ? command + 1 : count, words);
    if (is_forwarded) session_->run = [run = forward->second, arguments] { return run(arguments); };
    refuse_empty_values(*app_);
    return std::nullopt;
  } catch (const CLI::Success& wanted) {
    std::ostringstream text;
    app_->exit(wanted, text, text);
    return text.str();
  } catch (const CLI::ParseError& error) {
    throw std::invalid_argument(usage_error(error, *app_));
  }
}

}  // namespace ropewalk::command
