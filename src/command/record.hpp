#pragma once
// What an output says of itself: command line, version, and the encoding it was made for.

#include "command/command.hpp"
#include "input/json_text.hpp"
#include "model/model.hpp"

namespace ropewalk::command {

/// The scaling rule as a rope_scaling block would spell it, every number resolved.
input::json rule_record(const rope_scaling& scaling);

/// A model: its numbers, what was taken and why, warnings, and the public source.
input::json model_record(const model::model& model);

/// The first entries of every output: the program with its version, and the command line.
input::json origin_record(const session& session);

/// JSON for people: indented, ASCII, one line feed at the end.
std::string pretty(const input::json& value);

/// JSON on one line, ASCII.
std::string one_line(const input::json& value);

}  // namespace ropewalk::command
