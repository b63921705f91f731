#pragma once
// Model types whose positions are not read as a rotation, and wrappers of text models.

#include <string_view>

namespace ropewalk::model {

/// Whether a list of words, separated by spaces, contains a word.
bool has_word(std::string_view list, std::string_view word);

/// How the code of a type that is not a readable rotation encodes positions: "adds a learned row for each
/// position"; empty for every other type.
///
/// source  the types of Hugging Face transformers 5, each read in its own modelling code
std::string_view other_encoding_of(std::string_view model_type);

/// Whether a type keeps its text model's keys under text_config.
bool is_wrapper(std::string_view model_type);

}  // namespace ropewalk::model
