#pragma once
// A rope_scaling or rope_parameters block: the rule that it names, and the rule's numbers.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "input/json_text.hpp"
#include "model/provenance.hpp"
#include "ropewalk/config/rope_scaling.hpp"

namespace ropewalk::model {

/// Values that replace missing numbers of a block. L is original_max_position_embeddings.
struct lengths {
  given<std::int64_t> max_position_embeddings{};
  given<std::int64_t> original_max_position_embeddings{};  // at the top level; wins over the block's
  int head_dim = 0;                       // for `proportional`, whose part is of the whole head
  given<double> partial_rotary_factor{};  // for `proportional`
  std::string longest_name = "max_position_embeddings";  // name of max_position_embeddings in messages
  bool has_query_scale = false;                          // llama_4_scaling_beta belongs to the query scale
  bool has_alpha = false;                                // rule dynamic with `alpha` is ntk
  bool is_yarn_longrope = false;                         // rule yarn means longrope
  bool needs_mscales = false;                            // longrope must have mscales
  int pairs = 0;                                         // length of longrope's lists; 0: unknown
  // Keys left out by the user, with reasons; null if the command has no option for it.
  const std::map<std::string, std::string>* ignored = nullptr;
};

/// The rule that a block names; its numbers are not read. Aliases are resolved: `su` is longrope, `mrope` is
/// default. An empty block means default.
///
/// throws  bad_input if the block has numbers of a rule but no name, or an unknown name
rope_scaling rule_of(const input::json& block, const std::string& prefix);

/// The scaling rule of a block. `prefix` is the block's path in messages ("rope_scaling."). An empty or null
/// block means no rule. A longrope list is kept until the program ends.
///
/// throws  bad_input naming the field, its value and what is allowed
/// source  `rope_scaling`, `rope_parameters` in Hugging Face transformers
rope_scaling read_scaling(const input::json& block, const std::string& prefix, const lengths& known,
                          provenance& sources);

}  // namespace ropewalk::model
