#pragma once
// A topic as the text of its JSON file. README.md describes the keys.

#include <string>

#include "vectors/pack.hpp"

namespace ropewalk::vectors {

inline constexpr const char* pack_schema = "urn:ropewalk:vectors:1";

/// The text of a topic's file, with one line per case. `command` is recorded as its origin.
std::string text_of(const topic& topic, const std::string& command);

/// A group's keys except its cases, as JSON text.
std::string header_text(const call_group& group);

/// The id of a case: its group's id and its number.
std::string case_id(const std::string& group, std::size_t number);

}  // namespace ropewalk::vectors
