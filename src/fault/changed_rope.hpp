#pragma once
// Rotary configurations as engines misread them, for kernels and for tables with the same fault.

#include <optional>
#include <vector>

#include "fault/own_frequencies.hpp"
#include "ropewalk/config/rope.hpp"

namespace ropewalk::fault {

enum class rope_change {
  unscaled,                // the rule is dropped
  all_divided,             // a ramp divides every frequency
  other_list,              // longrope takes the list of the other length
  truncated,               // YaRN's ramp runs between whole pairs
  untruncated,             // YaRN's ramp runs between real numbers
  exponent_halved,         // pair / rotary_dim in place of 2 pair / rotary_dim
  exponent_over_head_dim,  // 2 pair / head_dim
  constant_length,         // dynamic NTK's base does not grow
  usual_base               // 10000
};

/// A model's configuration with a change applied; nullopt if the change does not apply.
std::optional<rope> changed(const own_configuration& own, rope_change change);

/// The same for an encoding's own configuration.
std::optional<rope> changed_rope(const ropewalk_rotation& encoding, rope_change change);

/// Frequencies of YaRN's ramp with the weights of the kept and of the divided frequency exchanged.
///
/// units   radians per position
/// domain  own: rule yarn
std::vector<own_number> reversed_ramp(const rope& own);

/// Frequencies of YaRN's ramp clamped to the last pair, rotary_dim / 2 - 1, instead of rotary_dim - 1; empty
/// if the clamp changes nothing.
///
/// units   radians per position
/// domain  own: rule yarn
std::vector<own_number> clamped_ramp(const rope& own);

/// Frequencies of a rule with a ramp whose blended pairs are all kept, or all divided by the factor; empty
/// for rules without a ramp, and if no pair is blended.
///
/// units   radians per position
std::vector<own_number> stepped_ramp(const rope& own, bool divides);

}  // namespace ropewalk::fault
