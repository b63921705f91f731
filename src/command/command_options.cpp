#include "command/command_options.hpp"

#include <algorithm>

namespace ropewalk::command {

const option_row* command_options::option_in(const std::string& word) const {
  const std::string_view option = std::string_view(word).substr(0, word.find('='));
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const option_row* candidate) {
    return !candidate->is_argument() && (candidate->name == option || candidate->short_name == option);
  });
  return row == rows.end() ? nullptr : *row;
}

std::vector<const option_row*> command_options::arguments() const {
  std::vector<const option_row*> arguments;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(arguments),
               [](const option_row* row) { return row->is_argument(); });
  return arguments;
}

const command_options* program_options::find(const std::string& name) const {
  const auto command = std::find_if(commands.begin(), commands.end(),
                                    [&](const command_options& candidate) { return candidate.name == name; });
  return command == commands.end() ? nullptr : &*command;
}

std::vector<std::string> program_options::command_names() const {
  std::vector<std::string> names;
  for (const command_options& command : commands) names.push_back(command.name);
  return names;
}

std::vector<std::string> program_options::option_names(const command_options* command) const {
  std::vector<std::string> names;
  for (const command_options* options : {command, &own})
    for (const option_row* row : options == nullptr ? std::vector<const option_row*>{} : options->rows)
      if (!row->is_argument() && std::find(names.begin(), names.end(), row->name) == names.end())
        names.emplace_back(row->name);
  return names;
}

const option_row* program_options::option_in(const std::string& word, const command_options* command) const {
  const option_row* const row = command == nullptr ? nullptr : command->option_in(word);
  return row == nullptr ? own.option_in(word) : row;
}

bool is_option(std::string_view word) {
  return word.size() > 1 && word[0] == '-' && !(word[1] >= '0' && word[1] <= '9');
}

const option_row* line_place::value_row() const {
  if (open_ != nullptr || command_ == nullptr) return open_;
  const std::vector<const option_row*> known = command_->arguments();
  return arguments_.size() < known.size() ? known[arguments_.size()] : nullptr;
}

void line_place::read(const std::string& word) {
  const bool is_value = needs_value_ || (open_ != nullptr && !(may_be_option() && is_option(word)));
  if (is_value) {
    needs_value_ = false;
    if (open_->takes_one_word()) open_ = nullptr;
  } else if (may_be_option() && is_option(word)) {
    read_option(word);
  } else {
    arguments_.push_back(word);
  }
}

void line_place::read_option(const std::string& word) {
  is_after_mark_ = word == "--";
  open_ = program_.option_in(word, command_);
  if (open_ == nullptr) return;
  const bool has_value = word.find('=') != word.npos;
  needs_value_ = !open_->is_flag() && !has_value;
  if (open_->is_flag() || (has_value && open_->takes_one_word())) open_ = nullptr;
}

}  // namespace ropewalk::command
