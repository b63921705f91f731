#pragma once
// A GGUF file as a configuration.

#include <map>
#include <string>
#include <vector>

#include "input/json_text.hpp"
#include "model/provenance.hpp"

namespace ropewalk::model {

/// Whether an object is a header in the form that gguf_text writes.
bool is_gguf(const input::json& root);

/// Whether a configuration was translated from a GGUF header.
bool is_of_gguf(const input::json& config);

/// The header translated to the keys of config.json, with the origin of each under `gguf_origins`. Values
/// that the file does not store come from the architecture.
///
/// throws  bad_input naming the key
input::json config_of_gguf(const input::json& metadata);

/// Refuses keys about the rotation that were not read, except those that the user left out.
///
/// throws  bad_input naming the key
void refuse_unread_of_gguf(const input::json& config, const std::map<std::string, std::string>& ignored);

/// Differences between llama.cpp's code and the file or the model, one line each.
std::vector<std::string> gguf_warnings_of(const input::json& config);

/// The pairs that llama.cpp turns by a fourth row of positions.
std::vector<int> fourth_row_of(const input::json& config);

/// A message about such a configuration, with each key of config.json replaced by its origin in the GGUF
/// file; unchanged for other configurations.
std::string in_words_of_gguf(const input::json& config, std::string text);

/// The same for a fact; the architecture replaces the model type.
fact in_words_of_gguf(const input::json& config, fact sources);

}  // namespace ropewalk::model
