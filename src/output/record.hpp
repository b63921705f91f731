#pragma once
// The first entries of the record of every output, and conversion of records to text.

#include <string>

#include "input/json_text.hpp"

namespace ropewalk::output {

/// The first entries of every record: the program with its version, and the command line.
input::json origin_record(const std::string& command_line);

/// JSON for readers: indented, ASCII, with a line feed at the end.
std::string pretty(const input::json& value);

/// JSON on one line, ASCII.
std::string one_line(const input::json& value);

/// An entry of a record for formats whose entries are strings: a string as it is, any other value as JSON.
/// Bytes that are no UTF-8 are replaced.
std::string entry_text(const input::json& value);

}  // namespace ropewalk::output
