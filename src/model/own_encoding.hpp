#pragma once
// The encoding of a model that does not rotate, with its numbers from the configuration.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/provenance.hpp"

namespace ropewalk::model {

/// An encoding defined in this library, with the numbers of one model.
struct own_encoding {
  std::string name;                                 // the model's path as given
  std::string_view encoding;                        // "ALiBi"
  std::vector<std::string_view> kinds;              // kinds of its tables, as `ropewalk table` names them
  std::map<std::string_view, std::string> options;  // options of `ropewalk table` with its numbers
  std::int64_t first_row = 0;                       // learned rows: the row of position 0
  std::int64_t least_rows = 0;                      // learned rows: the number in its table
  std::vector<fact> facts;                          // numbers, each with its key
  std::vector<std::string> remarks;                 // other effects of its code
};

/// The encoding in a config.json; nullopt if the type is not in own_encoding.cpp.
///
/// domain  path: a file, a directory that holds a config.json, or -
/// throws  bad_input naming the key, its value and what is allowed
/// source  each type's modelling and configuration code in Hugging Face transformers 5
std::optional<own_encoding> read_own_encoding(const std::string& path);

}  // namespace ropewalk::model
