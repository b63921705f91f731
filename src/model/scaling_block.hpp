#pragma once
// A rope_scaling or rope_parameters block: which rule it names and the rule's numbers.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "input/json_text.hpp"
#include "model/provenance.hpp"
#include "ropewalk/config/rope_scaling.hpp"

namespace ropewalk::model {

/// Values from which the missing numbers of a block are formed. L is original_max_position_embeddings.
struct lengths {
  given<std::int64_t> max_position_embeddings{};
  given<std::int64_t> original_max_position_embeddings{};  // of the top level: wins over the block's
  int head_dim = 0;                                        // `proportional` takes its part of the whole head
  given<double> partial_rotary_factor{};                   // for `proportional`
  std::string longest_name = "max_position_embeddings";    // name of max_position_embeddings in messages
  bool has_query_scale = false;                            // llama_4_scaling_beta is of the query's scale
  bool has_alpha = false;                                  // `alpha` of rule dynamic makes it ntk
  bool is_yarn_longrope = false;                           // the rule yarn is longrope's
  bool needs_mscales = false;                              // of longrope, which must then have them
  int pairs = 0;                                           // length of longrope's lists; 0: unknown
  // Keys that the user leaves out, and why; null where there is no option for it.
  const std::map<std::string, std::string>* ignored = nullptr;
};

/// The rule that a block names, its numbers not read. Aliases are resolved: `su` is longrope, `mrope` is
/// default. An empty block names default.
///
/// throws  bad_input if the block has numbers of a rule but no name, or an unknown name
rope_scaling rule_of(const input::json& block, const std::string& prefix);

/// The scaling rule of a block; `prefix` names the block in messages ("rope_scaling."). An empty or null
/// block is no rule. A longrope list is kept for the life of the program.
///
/// throws  bad_input naming the field, its value and what is allowed
/// source  `rope_scaling`, `rope_parameters` in Hugging Face transformers
rope_scaling read_scaling(const input::json& block, const std::string& prefix, const lengths& known,
                          provenance& sources);

}  // namespace ropewalk::model
