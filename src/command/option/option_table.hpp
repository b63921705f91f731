#pragma once
// The one table of options. Parsing, refusals, --help, completions and manual pages are made from its rows.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "command/option/option_row.hpp"
#include "input/bad_input.hpp"

namespace ropewalk::command {

/// All rows. A command has at most one row of a name.
const std::vector<option_row>& option_table();

/// The row of a command's option or argument; null if the command does not take it.
const option_row* find_option(std::string_view command, std::string_view name);

/// The row of a command's option, or without a command the first row of that name.
///
/// domain  a name in the table
const option_row& option_named(std::string_view name, std::string_view command = {});

/// "rotary-dim" for --rotary-dim: how refusals call an option.
std::string_view field_name(std::string_view option);

/// Refusal of an option's value; the row's domain is what is allowed.
bad_input refusal(std::string_view option, std::string_view value, std::string_view command = {});

/// The whole number that was typed for an option.
///
/// throws  bad_input naming the option if it is not in the row's range
std::int64_t whole_number_of(std::string_view option, const std::string& text, std::string_view command = {});

/// The number of worker threads of --threads; without a text, the number that the machine runs at once.
///
/// throws  bad_input naming threads
int thread_count(const std::string& text);

}  // namespace ropewalk::command
