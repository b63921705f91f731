#include "command/completion.hpp"

#include <algorithm>
#include <utility>

#include "command/option/command_table.hpp"

namespace ropewalk::command {
namespace {

/// Words that a shell offers for the word `begun`, with their meanings.
class candidate_list {
 public:
  explicit candidate_list(std::string begun) : begun_(std::move(begun)) {}

  void add(const std::string& word, const std::string& meaning = "") {
    const bool is_new = std::none_of(candidates_.begin(), candidates_.end(),
                                     [&](const auto& candidate) { return candidate.first == word; });
    const bool continues = word.starts_with(begun_) && !(word == begun_ && word.ends_with('='));
    if (is_new && continues) candidates_.emplace_back(word, meaning);
  }

  void add_options_of(const command_options& command) {
    for (const option_row* row : command.rows)
      if (!row->is_argument()) add(std::string(row->name), row->help_in(command.name));
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
    for (const auto& [word, meaning] : candidates_)
      text += word + (meaning.empty() ? "" : "\t" + meaning) + "\n";
    return text;
  }

 private:
  std::string begun_;
  std::vector<std::pair<std::string, std::string>> candidates_;
};

/// The parts that the list `typed`, which ends in a comma, does not have yet.
std::vector<std::string> parts_left(std::vector<std::string> parts, const std::string& typed) {
  std::erase_if(parts, [&](const std::string& part) {
    const std::size_t equals = part.find('=');
    const std::string name = equals == part.npos ? part + "," : part.substr(0, equals + 1);
    return ("," + typed).find("," + name) != std::string::npos;
  });
  return parts;
}

/// Adds the values of an option or argument. `before` is as in value_names.
void add_values_of(candidate_list& candidates, const option_row& row, const std::string& begun,
                   std::size_t value, const std::vector<std::string>& before) {
  const std::vector<std::string> parts = row.domain.parts ? row.domain.parts() : std::vector<std::string>();
  const std::size_t comma = parts.empty() ? begun.npos : begun.find_last_of(',');
  if (comma != begun.npos && comma >= value) {
    candidates.add_values(begun.substr(0, comma + 1),
                          parts_left(parts, begun.substr(value, comma + 1 - value)));
    return;
  }
  if (row.domain.names) candidates.add_values(begun.substr(0, value), row.domain.names(before));
  candidates.add_values(begun.substr(0, value), parts);
}

}  // namespace

std::string completions(const std::vector<std::string>& words, const program_options& program) {
  if (words.empty()) return {};
  const std::vector<std::string> before(words.begin(), words.end() - 1);
  const std::string& begun = words.back();
  const bool begins_option = begun.starts_with('-');
  candidate_list candidates(begun);
  const auto named =
      std::find_if(before.begin(), before.end(), [](const std::string& word) { return !is_option(word); });
  if (named == before.end()) {
    if (std::find(before.begin(), before.end(), "--") != before.end()) return {};
    if (begins_option) candidates.add_options_of(program.own);
    for (const command_options& command : program.commands)
      candidates.add(command.name, std::string(command_named(command.name).summary));
    return candidates.text();
  }
  const command_options* const command = program.find(*named);
  if (command == nullptr) return {};
  line_place place(program, command);
  std::for_each(named + 1, before.end(), [&](const std::string& word) { place.read(word); });
  const bool is_option_begun = begins_option && place.may_be_option();
  const std::size_t equals = is_option_begun ? begun.find('=') : begun.npos;
  const option_row* const row = !is_option_begun       ? place.value_row()
                                : equals != begun.npos ? program.option_in(begun, command)
                                                       : nullptr;
  if (row != nullptr) {
    std::vector<std::string> line{*named};
    line.insert(line.end(), place.arguments().begin(), place.arguments().end());
    add_values_of(candidates, *row, begun, equals == begun.npos ? 0 : equals + 1, line);
  } else if (place.may_be_option() && equals == begun.npos) {
    candidates.add_options_of(*command);
    if (begins_option) candidates.add_options_of(program.own);
  }
  return candidates.text();
}

}  // namespace ropewalk::command
