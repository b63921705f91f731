#pragma once
// The encoding of a model that does not rotate: its numbers, from its configuration.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/provenance.hpp"

namespace ropewalk::model {

/// An encoding that has a definition here, with the numbers of one model.
struct own_encoding {
  std::string name;                                 // of the model: its path as given
  std::string_view encoding;                        // "ALiBi"
  std::vector<std::string_view> kinds;              // of its tables, as `ropewalk table` names them
  std::map<std::string_view, std::string> options;  // of `ropewalk table` that give its numbers
  std::int64_t first_row = 0;                       // of learned rows: that of position 0
  std::int64_t least_rows = 0;                      // of learned rows: those that its table has
  std::vector<fact> facts;                          // the numbers, and the key each came from
  std::vector<std::string> remarks;                 // what its code does besides
};

/// The encoding that a config.json describes; nullopt if the type is none of those in own_encoding.cpp.
///
/// domain  path: a file, a directory that holds a config.json, or -
/// throws  bad_input naming the key, its value and what is allowed
/// source  each type's modelling and configuration code in Hugging Face transformers 5
std::optional<own_encoding> read_own_encoding(const std::string& path);

}  // namespace ropewalk::model
