#pragma once
// The scaling rule, sections of axes and query scale of a GGUF file's model.

#include <map>
#include <string>
#include <vector>

#include "model/gguf_keys.hpp"

namespace ropewalk::model {

struct gguf_rule {
  input::json block;  // with the keys of config.json; an empty object: no rule
  std::map<std::string, std::string> origins;
  std::vector<int> fourth_row;  // pairs turned by llama.cpp's fourth row of positions
};

/// The rule in a file's keys and tensors; missing numbers come from the architecture.
///
/// throws  bad_input naming the key
gguf_rule rule_of_gguf(const gguf_keys& keys);

}  // namespace ropewalk::model
