#pragma once
// Frequencies as an engine computes them: from the model's configuration, not from the encoding's inv_freq.

#include <cstdint>
#include <optional>
#include <vector>

#include "ropewalk/config/rope.hpp"
#include "ropewalk/config/rope_axes.hpp"
#include "ropewalk/encoding/rope.hpp"
#include "ropewalk/function/constants.hpp"
#include "ropewalk/kernel/kernel.h"
#include "ropewalk/kernel/rotation_plan.hpp"
#include "ropewalk/table/rope_rows.hpp"

namespace ropewalk::fault {

using own_number = enclosure<rope_rows::limb_count>;
using own_shared = rope_shared<rope_rows::limb_count>;

/// The part of config_json that an engine reads.
struct own_configuration {
  rope encoding;
  int head_dim = 0;
  std::int64_t max_position_embeddings = 0;  // 0: not given
  rope_axes axes{};
};

/// The configuration in an encoding's config_json. nullopt if there is none, or if it does not give the
/// encoding's frequencies, which command-line options may have changed: a fault derived from it would then
/// have two causes.
std::optional<own_configuration> own_configuration_of(const ropewalk_rotation& encoding);

/// The configuration's encoding; nullopt also if its scaling rule is not Rule.
template <class Rule>
std::optional<rope> own_rope(const ropewalk_rotation& encoding) {
  const std::optional<own_configuration> own = own_configuration_of(encoding);
  if (!own || !own->encoding.scaling.is<Rule>()) return std::nullopt;
  return own->encoding;
}

/// Rows with frequencies inv_freq(pair), in radians per position, and the plan's attention factor.
template <class InvFreq>
rope_rows rows_of(const rotation_plan& plan, InvFreq inv_freq) {
  std::vector<own_number> turns;
  for (int pair = 0; pair < plan.layout.pairs(); ++pair)
    turns.push_back(inv_freq(pair) * inverse_two_pi<rope_rows::limb_count>());
  return rope_rows(
      rope_rows::resolved{.turns = std::move(turns), .attention_factor = plan.rows.attention_factor()});
}

/// Rows with the plan's frequencies and another attention factor.
rope_rows rows_with_factor(const rotation_plan& plan, const own_number& attention_factor);

}  // namespace ropewalk::fault
