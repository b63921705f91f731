#include "command/option/option_table.hpp"

#include <algorithm>
#include <stdexcept>

#include "command/option/rows.hpp"
#include "input/number.hpp"

namespace ropewalk::command {
namespace {

std::vector<option_row> all_rows() {
  std::vector<option_row> rows;
  for (const auto& make : {program_rows, shared_rows, encoding_rows, table_rows, table_kind_rows, verify_rows,
                           measurement_rows, sweep_rows})
    for (option_row& row : make()) rows.push_back(std::move(row));
  return rows;
}

}  // namespace

std::string option_heading::text() const {
  return std::string(title) + (example.empty() ? "" : ", as in " + std::string(example));
}

const option_use* option_row::use_of(std::string_view command) const {
  const auto use = std::find_if(uses.begin(), uses.end(),
                                [&](const option_use& candidate) { return candidate.command == command; });
  return use == uses.end() ? nullptr : &*use;
}

std::string option_row::help_in(std::string_view command) const {
  const option_use* const use = use_of(command);
  const bool has_help = use != nullptr && !use->help.empty();
  const bool has_default = use != nullptr && !use->default_text.empty();
  const std::string& fallback = has_default ? use->default_text : default_text;
  return (has_help ? use->help : help) + (fallback.empty() ? "" : " (default: " + fallback + ")");
}

std::string kind_names(kind_set kinds) {
  std::string names;
  for (const tables::table_kind_text& text : tables::table_kinds)
    if (kinds.has(text.kind)) names += (names.empty() ? "" : ", ") + std::string(text.name);
  return names;
}

const std::vector<option_row>& option_table() {
  static const std::vector<option_row> rows = all_rows();
  return rows;
}

const option_row* find_option(std::string_view command, std::string_view name) {
  for (const option_row& row : option_table())
    if (row.name == name && row.use_of(command) != nullptr) return &row;
  return nullptr;
}

const option_row& option_named(std::string_view name, std::string_view command) {
  for (const option_row& row : option_table())
    if (row.name == name && (command.empty() || row.use_of(command) != nullptr)) return row;
  throw std::logic_error("the table of options has no " + std::string(name));
}

std::string_view field_name(std::string_view option) {
  option.remove_prefix(std::min(option.find_first_not_of('-'), option.size()));
  return option;
}

bad_input refusal(std::string_view option, std::string_view value, std::string_view command) {
  return {field_name(option), value, option_named(option, command).domain.text};
}

std::int64_t whole_number_of(std::string_view option, const std::string& text, std::string_view command) {
  const whole_range range = option_named(option, command).domain.range.value();
  const auto number = input::number_from<std::int64_t>(text);
  if (!number || *number < range.smallest || *number > range.largest) throw refusal(option, text, command);
  return *number;
}

int thread_count(const std::string& text) {
  return text.empty() ? input::usual_thread_count() : static_cast<int>(whole_number_of("--threads", text));
}

}  // namespace ropewalk::command
