#pragma once
// Reads each scaling rule's numbers from the keys of a rope_scaling block, and derives facts from them.

#include <string>
#include <vector>

#include "model/provenance.hpp"
#include "model/scaling_keys.hpp"
#include "ropewalk/config/rope.hpp"

namespace ropewalk::model {

/// Reads the numbers of a rule from the keys of its block. `rule` gives only its kind.
///
/// throws  bad_input naming the field, its value and what is allowed
rope_scaling read_rule(const rope_scaling& rule, scaling_keys& keys);

/// Facts derived from a configuration's rule that no key states: a ramp, bands, a grown base.
///
/// throws  undecided at the cap of working precision
std::vector<fact> rule_facts(const rope& config);

/// The origin of a configuration's attention factor.
std::string attention_origin(const rope& config);

}  // namespace ropewalk::model
