#pragma once
// A rope_scaling or rope_parameters block: which rule it names and the rule's numbers.

#include <cstdint>
#include <string>
#include <vector>

#include "model/json_text.hpp"
#include "ropewalk/config/rope_scaling.hpp"

namespace ropewalk::model {

/// What was taken and why, and what the user should know; one line each.
struct story {
  std::vector<std::string> notes;
  std::vector<std::string> warnings;
};

/// What a block's missing numbers may be formed from. L is original_max_position_embeddings.
struct lengths {
  given<std::int64_t> max_position_embeddings{};
  given<std::int64_t> original_max_position_embeddings{};  // the top-level one: it wins over the block's
};

/// The scaling rule of a block; `prefix` names the block in messages ("rope_scaling."). An empty or null
/// block is no rule.
///
/// throws  bad_input naming the field, its value and what is allowed
/// source  `rope_scaling`, `rope_parameters` in Hugging Face transformers
rope_scaling read_scaling(const json& block, const std::string& prefix, const lengths& known, story& story);

}  // namespace ropewalk::model
