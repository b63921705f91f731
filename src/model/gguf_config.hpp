#pragma once
// A GGUF file as a configuration.

#include <map>
#include <string>
#include <vector>

#include "input/json_text.hpp"
#include "model/provenance.hpp"

namespace ropewalk::model {

/// Whether an object is the text of a header, as gguf_text writes it.
bool is_gguf(const input::json& root);

/// Whether a configuration was a header, and is in the words of config.json.
bool is_of_gguf(const input::json& config);

/// The same in the words of config.json, with the origin of each under `gguf_origins`. What the file does not
/// store is the architecture's.
///
/// throws  bad_input naming the key
input::json config_of_gguf(const input::json& metadata);

/// Refuses keys of such a configuration's file that are about the rotation and were not read, but for those
/// that are left out.
///
/// throws  bad_input naming the key
void refuse_unread_of_gguf(const input::json& config, const std::map<std::string, std::string>& ignored);

/// What llama.cpp's code does otherwise than the file, or the model, says: a line for each.
std::vector<std::string> gguf_warnings_of(const input::json& config);

/// The pairs that llama.cpp's code turns by a fourth row of positions.
std::vector<int> fourth_row_of(const input::json& config);

/// A text about such a configuration, with each key of config.json replaced by what it came from; unchanged
/// for any other configuration.
std::string in_words_of_gguf(const input::json& config, std::string text);

/// The same of a fact: its architecture stands for its model type.
fact in_words_of_gguf(const input::json& config, fact sources);

}  // namespace ropewalk::model
