#pragma once
// The scaling rule of a GGUF file's model, its sections of axes and the scale of its queries.

#include <map>
#include <string>
#include <vector>

#include "model/gguf_keys.hpp"

namespace ropewalk::model {

struct gguf_rule {
  input::json block;  // in the words of config.json; an empty object for no rule
  std::map<std::string, std::string> origins;
  std::vector<int> fourth_row;  // pairs that llama.cpp turns by a fourth row of positions
};

/// The rule that a file's keys and tensors say, with the architecture's own numbers where they do not.
///
/// throws  bad_input naming the key
gguf_rule rule_of_gguf(const gguf_keys& keys);

}  // namespace ropewalk::model
