#pragma once
// A rope_scaling or rope_parameters block: which rule it names and the rule's numbers.

#include <cstdint>
#include <string>
#include <vector>

#include "input/json_text.hpp"
#include "model/story.hpp"
#include "ropewalk/config/rope_scaling.hpp"

namespace ropewalk::model {

/// What a block's missing numbers may be formed from. L is original_max_position_embeddings.
struct lengths {
  given<std::int64_t> max_position_embeddings{};
  given<std::int64_t> original_max_position_embeddings{};  // the top-level one: it wins over the block's
  int head_dim = 0;                                        // `proportional` takes its part of the whole head
  given<double> partial_rotary_factor{};                   // likewise
  std::string longest_name = "max_position_embeddings";    // where a user would write it
  bool needs_mscales = false;                              // of longrope
  int pairs = 0;                                           // longrope has a number for each; 0: not known
};

/// The rule that a block names, aliases resolved: `su` is longrope, `mrope` is default. An empty block names default. Its
/// numbers are not read.
///
/// throws  bad_input when there are numbers of a rule and no name, or the name is not known
rope_scaling rule_of(const input::json& block, const std::string& prefix);

/// The scaling rule of a block; `prefix` names the block in messages ("rope_scaling."). An empty or null
/// block is no rule. A longrope list is kept for the life of the program.
///
/// throws  bad_input naming the field, its value and what is allowed
/// source  `rope_scaling`, `rope_parameters` in Hugging Face transformers
rope_scaling read_scaling(const input::json& block, const std::string& prefix, const lengths& known,
                          story& story);

}  // namespace ropewalk::model
