#include "command/parser.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <sstream>
#include <string_view>
#include <utility>

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

std::string without_dashes(std::string_view option) {
  option.remove_prefix(std::min(option.find_first_not_of('-'), option.size()));
  return printable(option);
}

/// Whether a word is an option where options may stand; -5 is a number, and - is standard input.
bool is_option(std::string_view word) {
  return word.size() > 1 && word[0] == '-' && !(word[1] >= '0' && word[1] <= '9');
}

bool is_flag(const CLI::Option& option) { return option.get_items_expected_max() == 0; }

/// The long names of a command's options, if there is a command, and of the program's own options, each once.
std::vector<std::string> option_names(const CLI::App& app, const CLI::App* command) {
  std::vector<std::string> names;
  for (const CLI::App* of : {command, &app})
    for (const CLI::Option* option : of == nullptr ? std::vector<const CLI::Option*>{} : of->get_options())
      for (const std::string& name : option->get_lnames())
        if (std::find(names.begin(), names.end(), "--" + name) == names.end()) names.push_back("--" + name);
  return names;
}

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

const CLI::App* command_named(const std::string& name, const CLI::App& app) {
  for (const CLI::App* one : commands_of(app))
    if (one->get_name() == name) return one;
  return nullptr;
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* one : commands_of(app)) names.push_back(one->get_name());
  return names;
}

/// The command's or the program's option that a word names, without its value; null if there is none.
const CLI::Option* option_in(const std::string& word, const CLI::App& app, const CLI::App* command) {
  const std::string name = word.substr(0, word.find('='));
  for (const CLI::App* of : {command, &app})
    if (const CLI::Option* found = of == nullptr ? nullptr : of->get_option_no_throw(name)) return found;
  return nullptr;
}

std::vector<const CLI::Option*> arguments_of(const CLI::App& command) {
  std::vector<const CLI::Option*> arguments;
  for (const CLI::Option* option : command.get_options())
    if (option->get_positional()) arguments.push_back(option);
  return arguments;
}

/// Where the next word of a line stands, after the words that were read, as CLI11 reads them.
struct line_place {
  const CLI::App& app;
  const CLI::App* command;               // null before the command
  std::vector<std::string> arguments{};  // the words that are neither options nor their values
  const CLI::Option* open = nullptr;     // the option that takes the next word, unless that is an option
  bool needs_value = false;              // the next word is the first value of `open`, whatever it looks like
  bool is_after_mark = false;            // -- stood before, and nothing is an option any more

  bool may_be_option() const { return !needs_value && !is_after_mark; }

  /// The option or argument whose value the next word is, unless that is an option; null if there is none.
  const CLI::Option* value_of() const {
    if (open != nullptr || command == nullptr) return open;
    const std::vector<const CLI::Option*> known = arguments_of(*command);
    return arguments.size() < known.size() ? known[arguments.size()] : nullptr;
  }

  void read(const std::string& word) {
    const bool is_value = needs_value || (open != nullptr && !(may_be_option() && is_option(word)));
    if (is_value) {
      needs_value = false;
      if (open->get_items_expected_max() == 1) open = nullptr;
    } else if (may_be_option() && is_option(word)) {
      read_option(word);
    } else {
      arguments.push_back(word);
    }
  }

 private:
  void read_option(const std::string& word) {
    is_after_mark = word == "--";
    open = option_in(word, app, command);
    if (open == nullptr) return;
    const bool has_value = word.find('=') != word.npos;
    needs_value = !is_flag(*open) && !has_value;
    if (is_flag(*open) || (has_value && open->get_items_expected_max() == 1)) open = nullptr;
  }
};

/// The error message for words that the parser did not accept. It names the first that looks like an option,
/// else an unknown command, else all of them.
std::string words_error(const CLI::App& app, const std::string& place) {
  const std::vector<std::string> extra = app.remaining(true);
  const std::vector<CLI::App*> commands = app.get_subcommands();
  const std::string see = "`" + place + " --help`";
  const auto option = std::find_if(extra.begin(), extra.end(), is_option);
  if (option != extra.end()) {
    const std::string name = option->substr(0, option->find('='));
    if (name == "--layer-type") return "no option named '--layer-type'; it is called --layer, see " + see;
    return input::unknown_name("option", name,
                               option_names(app, commands.empty() ? nullptr : commands.front()), see)
        .what();
  }
  if (commands.empty() && !extra.empty())
    return input::unknown_name("command", extra.front(), command_names(app), see).what();
  const std::string words = joined(extra);
  return bad_input("argument", words.empty() ? "empty" : words, "none here; see " + see).what();
}

/// A CLI11 error, worded like this program's other refusals.
std::string usage_error(const CLI::ParseError& error, const CLI::App& app) {
  std::string place = "ropewalk";
  for (const CLI::App* sub : app.get_subcommands()) place += " " + sub->get_name();
  const std::string what = error.what();
  const std::string see = "; allowed: see " + place + " --help";
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) return words_error(app, place);
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

/// Refuses empty values: commands would take an option with an empty value for one that was not given.
void refuse_empty_values(const CLI::App& app, const argument_meanings& meanings) {
  for (const CLI::App* sub : app.get_subcommands())
    for (const CLI::Option* option : sub->get_options()) {
      const std::vector<std::string>& values = option->results();
      if (std::find(values.begin(), values.end(), "") == values.end()) continue;
      const std::string name = option->get_name();
      const auto known = meanings.find(sub->get_name() + " " + name);
      const argument_meaning meaning =
          known == meanings.end()
              ? argument_meaning{without_dashes(name), "a value; see ropewalk " + sub->get_name() + " --help"}
              : known->second();
      throw bad_input(meaning.name, "empty", meaning.allowed);
    }
}

/// Refuses a value of a flag, of which CLI11 would make a number, and `--name=`, for which it would take the
/// next word as the value.
void refuse_wrong_value(const std::string& word, const CLI::Option& option) {
  const std::size_t equals = word.find('=');
  if (equals == word.npos) return;
  const std::string value = word.substr(equals + 1), name = without_dashes(option.get_name());
  if (is_flag(option)) throw bad_input(name, value.empty() ? "empty" : value, "no value");
  if (value.empty()) throw bad_input(name, "empty", "a value; see ropewalk --help");
}

/// Whether there is an argument, and it takes one word: CLI11 would take an option for the second of several.
bool takes_one_word(const CLI::Option* argument) {
  return argument != nullptr && argument->get_items_expected_max() == 1;
}

/// Refuses words that CLI11 would misread: values as above, and options after --, where it would still take
/// those of the program. `command` is null for the words before the command.
void refuse_misread_words(const std::vector<std::string>& words, const CLI::App& app,
                          const CLI::App* command) {
  line_place place{app, command};
  for (const std::string& word : words) {
    if (command == nullptr && word == "--") throw bad_input("argument", word, "only after a command");
    if (place.may_be_option() && is_option(word)) {
      if (const CLI::Option* option = option_in(word, app, command)) refuse_wrong_value(word, *option);
    } else if (place.is_after_mark && is_option(word) && !takes_one_word(place.value_of())) {
      throw bad_input("argument", word, "options before --");
    }
    place.read(word);
  }
}

/// Other words for formats, as PyTorch, NumPy and papers have them.
constexpr std::pair<std::string_view, std::string_view> dtype_words[] = {
    {"float64", "f64"}, {"fp64", "f64"},    {"double", "f64"}, {"float32", "f32"}, {"fp32", "f32"},
    {"float", "f32"},   {"float16", "f16"}, {"fp16", "f16"},   {"half", "f16"},    {"bfloat16", "bf16"}};

/// The option, which takes those words too if it is --dtype.
CLI::Option* with_dtype_names(CLI::Option* option) {
  if (option->get_name() != "--dtype") return option;
  return option->transform(CLI::Validator(
      [](std::string& words) {
        std::string known;
        std::istringstream items(words);
        for (std::string item; std::getline(items, item, ',');) {
          for (const auto& [word, dtype] : dtype_words)
            if (item == word) item = dtype;
          known += (known.empty() ? "" : ",") + item;
        }
        if (!words.ends_with(',')) words = known;  // a comma at the end is left to be refused
        return std::string();
      },
      ""));
}

/// Wraps `text` to lines of at most `columns` characters, or wider if the terminal is very narrow. Wrapped
/// lines continue below the description of their option.
std::string wrapped(const std::string& text, int columns) {
  constexpr std::size_t description = 30;  // column at which CLI11 begins an option's description
  std::istringstream lines(text);
  std::string r;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t words = line.find_first_not_of(' ');
    const std::size_t last_of_name = line.size() > description ? line.rfind("  ", description) : line.npos;
    const bool is_option_line = words == 2 && last_of_name != line.npos && last_of_name > words;
    const std::size_t indent = is_option_line ? std::max(description, last_of_name + 2) : words + 2;
    const std::size_t width = std::max<std::size_t>(static_cast<std::size_t>(columns), indent + 20);
    while (line.size() > width) {
      const std::size_t space = line.rfind(' ', width);
      if (space == line.npos || space <= indent) break;
      r += line.substr(0, space) + "\n";
      line = std::string(indent, ' ') + line.substr(space + 1);
    }
    r += line + "\n";
  }
  return r;
}

/// Words that a shell offers for the word `begun`, with their meanings.
class candidate_list {
 public:
  explicit candidate_list(std::string begun) : begun_(std::move(begun)) {}

  void add(const std::string& word, const std::string& meaning = "") {
    const bool is_new =
        std::none_of(found_.begin(), found_.end(), [&](const auto& one) { return one.first == word; });
    const bool continues = word.starts_with(begun_) && !(word == begun_ && word.ends_with('='));
    if (is_new && continues) found_.emplace_back(word, meaning);
  }

  void add_options_of(const CLI::App& of) {
    for (const CLI::Option* option : of.get_options())
      for (const std::string& name : option->get_lnames()) add("--" + name, option->get_description());
  }

  /// Adds values that stand behind `stem`, the beginning of the word. NAME=WORD is offered in two steps, as
  /// shells do with folders.
  void add_values(const std::string& stem, const std::vector<std::string>& values) {
    const bool has_name = begun_.find('=', stem.size()) != begun_.npos;
    for (const std::string& value : values) {
      const std::size_t equals = has_name ? value.npos : value.find('=');
      add(stem + (equals == value.npos ? value : value.substr(0, equals + 1)));
    }
  }

  std::string text() const {
    std::string text;
    for (const auto& [word, meaning] : found_) text += word + (meaning.empty() ? "" : "\t" + meaning) + "\n";
    return text;
  }

 private:
  std::string begun_;
  std::vector<std::pair<std::string, std::string>> found_;
};

/// The parts that the list `given`, which ends in a comma, does not have yet.
std::vector<std::string> parts_left(std::vector<std::string> parts, const std::string& given) {
  std::erase_if(parts, [&](const std::string& part) {
    const std::size_t equals = part.find('=');
    const std::string name = equals == part.npos ? part + "," : part.substr(0, equals + 1);
    return ("," + given).find("," + name) != std::string::npos;
  });
  return parts;
}

void place_in_help(CLI::Option& option, const std::string& heading) {
  if (!heading.empty()) option.group(heading);
}

}  // namespace

void subcommand::heading(std::string text, const std::string& example) {
  heading_ = std::move(text);
  if (!example.empty()) heading_ += ", as in " + example;
}

void subcommand::values(const std::string& name, value_names names) {
  (*values_)[app_->get_name() + " " + name].names = std::move(names);
}

void subcommand::values(const std::string& name, std::vector<std::string> names) {
  values(name, [names = std::move(names)](const std::vector<std::string>&) { return names; });
}

void subcommand::parts(const std::string& name, std::vector<std::string> parts) {
  (*values_)[app_->get_name() + " " + name].parts = std::move(parts);
}

void subcommand::meaning(const std::string& name, std::function<argument_meaning()> what) {
  (*meanings_)[app_->get_name() + " " + name] = std::move(what);
}

void subcommand::option(const std::string& name, std::string& place, const std::string& value,
                        const std::string& text) {
  place_in_help(*with_dtype_names(app_->add_option(name, place, text))->type_name(value), heading_);
}

void subcommand::option(const std::string& name, std::vector<std::string>& place, const std::string& value,
                        const std::string& text) {
  place_in_help(*with_dtype_names(app_->add_option(name, place, text))->type_name(value), heading_);
}

void subcommand::repeated_option(const std::string& name, std::vector<std::string>& place,
                                 const std::string& value, const std::string& text) {
  CLI::Option& one = *app_->add_option(name, place, text)->type_name(value);
  one.expected(1)->allow_extra_args(false)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
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

parser::parser(session& of)
    : app_(std::make_unique<CLI::App>(
          "Exact transformer positional encodings, and a tool that holds kernels to their laws.")),
      session_(&of) {
  app_->name("ropewalk");
  app_->fallthrough();
  app_->require_subcommand(0, 1);  // a second command name on the line is an ordinary value
  app_->set_version_flag("-V,--version", std::string("ropewalk ") + version);
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
  return {*app_->add_subcommand(name, what_it_does), *session_, values_, meanings_};
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
    refuse_misread_words(flags, *app_, nullptr);
    if (const CLI::App* named = command < count ? command_named(words[command], *app_) : nullptr)
      refuse_misread_words(arguments, *app_, named);
    app_->parse(count, words);
    refuse_empty_values(*app_, meanings_);
    return std::nullopt;
  } catch (const CLI::Success& wanted) {
    std::ostringstream text;
    app_->exit(wanted, text, text);
    return wrapped(text.str(), output::columns(output::stream::out));
  } catch (const CLI::ParseError& error) {
    throw std::invalid_argument(usage_error(error, *app_));
  }
}

bool parser::has(const std::string& name) const { return command_named(name, *app_) != nullptr; }

std::string parser::help() const { return wrapped(app_->help(), output::columns(output::stream::error)); }

std::string parser::completions(const std::vector<std::string>& words) const {
  if (words.empty()) return {};
  const std::vector<std::string> before(words.begin(), words.end() - 1);
  const std::string& begun = words.back();
  const bool begins_option = begun.starts_with('-');
  candidate_list found(begun);
  const auto named =
      std::find_if(before.begin(), before.end(), [](const auto& word) { return !is_option(word); });
  if (named == before.end()) {
    if (std::find(before.begin(), before.end(), "--") != before.end()) return {};
    if (begins_option) found.add_options_of(*app_);
    for (const CLI::App* one : commands_of(*app_)) found.add(one->get_name(), one->get_description());
    return found.text();
  }
  const CLI::App* command = command_named(*named, *app_);
  if (command == nullptr) return {};
  line_place place{*app_, command};
  std::for_each(named + 1, before.end(), [&](const std::string& word) { place.read(word); });
  const bool is_option_begun = begins_option && place.may_be_option();
  const std::size_t equals = is_option_begun ? begun.find('=') : begun.npos;
  const CLI::Option* of = !is_option_begun       ? place.value_of()
                          : equals != begun.npos ? option_in(begun, *app_, command)
                                                 : nullptr;
  if (of != nullptr) {
    const auto known = values_.find(command->get_name() + " " + of->get_name());
    if (known == values_.end()) return {};
    const auto& [names, parts] = known->second;
    std::vector<std::string> line = place.arguments;
    line.insert(line.begin(), *named);
    const std::size_t value = equals == begun.npos ? 0 : equals + 1;
    const std::size_t comma = parts.empty() ? begun.npos : begun.find_last_of(',');
    if (comma != begun.npos && comma >= value) {
      found.add_values(begun.substr(0, comma + 1), parts_left(parts, begun.substr(value, comma + 1 - value)));
    } else {
      found.add_values(begun.substr(0, value), names(line));
      found.add_values(begun.substr(0, value), parts);
    }
  } else if (place.may_be_option() && equals == begun.npos) {
    found.add_options_of(*command);
    if (begins_option) found.add_options_of(*app_);
  }
  return found.text();
}

}  // namespace ropewalk::command
