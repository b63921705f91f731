#pragma once
// Each scaling rule as a configuration gives it: its keys in a rope_scaling block, and what follows from them.

#include <string>
#include <vector>

#include "model/scaling_keys.hpp"
#include "model/story.hpp"
#include "ropewalk/config/rope.hpp"

namespace ropewalk::model {

/// The numbers of a rule from the keys of its block. `rule` says which one, its own numbers are not read.
///
/// throws  bad_input naming the field, its value and what is allowed
rope_scaling read_rule(const rope_scaling& rule, scaling_keys& keys);

/// What follows from the rule of a configuration and stands in no key: a ramp, bands, a base that has grown.
///
/// throws  undecided at the cap of working precision
std::vector<fact> rule_facts(const rope& config);

/// Where the attention factor of a configuration comes from.
std::string attention_origin(const rope& config);

}  // namespace ropewalk::model
