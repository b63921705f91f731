#pragma once
// Frequencies as an engine forms them: from the model's configuration, not from the numbers that it is
// handed.

#include <cstdint>
#include <optional>
#include <vector>

#include "ropewalk/config/rope.hpp"
#include "ropewalk/encoding/rope.hpp"
#include "ropewalk/function/constants.hpp"
#include "ropewalk/kernel/kernel.h"
#include "ropewalk/kernel/rotation_plan.hpp"
#include "ropewalk/table/rope_rows.hpp"

namespace ropewalk::fault {

using own_number = enclosure<rope_rows::limb_count>;
using own_shared = rope_shared<rope_rows::limb_count>;

/// What an engine reads in config_json.
struct own_configuration {
  rope encoding;
  int head_dim = 0;
  std::int64_t max_position_embeddings = 0;  // 0: not given
};

/// The configuration that an encoding carries. Nothing where it has none, or where its text alone does not
/// give the encoding's frequencies (options of the command line change them): an engine that reads only that
/// text would be wrong in more than one thing.
std::optional<own_configuration> own_configuration_of(const ropewalk_rotation& encoding);

/// The same, and nothing where the rule is another.
template <class Rule>
std::optional<rope> own_rope(const ropewalk_rotation& encoding) {
  const std::optional<own_configuration> own = own_configuration_of(encoding);
  if (!own || !own->encoding.scaling.is<Rule>()) return std::nullopt;
  return own->encoding;
}

/// Rows of other frequencies, inv_freq(pair) in radians per position; the plan's own attention factor.
template <class InvFreq>
rope_rows rows_of(const rotation_plan& plan, InvFreq inv_freq) {
  std::vector<own_number> turns;
  for (int pair = 0; pair < plan.layout.pairs(); ++pair)
    turns.push_back(inv_freq(pair) * inverse_two_pi<rope_rows::limb_count>());
  return {std::move(turns), plan.rows.attention_factor()};
}

/// Rows of the same frequencies and another attention factor.
rope_rows rows_with_factor(const rotation_plan& plan, const own_number& attention_factor);

}  // namespace ropewalk::fault
