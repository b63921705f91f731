// The attention factor replaced by a number derived from it.

#include <optional>

#include "fault/canonical_steps.hpp"
#include "fault/known_faults.hpp"
#include "fault/own_frequencies.hpp"
#include "ropewalk/encoding/yarn.hpp"

namespace ropewalk::fault {
namespace {

struct root_of_factor_steps : canonical_steps {
  void form(rotation_plan& plan, const ropewalk_rotation& /*encoding*/) {
    plan.rows = rows_with_factor(plan, square_root(plan.rows.attention_factor()));
  }
};

struct inverse_of_factor_steps : canonical_steps {
  void form(rotation_plan& plan, const ropewalk_rotation& /*encoding*/) {
    plan.rows = rows_with_factor(plan, own_number::of(1) / plan.rows.attention_factor());
  }
};

/// A function that multiplies its rotated output: unit rotations are multiplied, too.
struct factor_always_steps : canonical_steps {
  std::optional<rotation_plan> right{};

  void form(rotation_plan& plan, const ropewalk_rotation& encoding) {
    right.emplace(encoding);
    plan.rows = rows_with_factor(plan, plan.rows.attention_factor() * plan.rows.attention_factor());
  }

  template <floating_format Table>
  void fill(token_row<Table>& row, const rotation_plan& plan, const token_place& place, bool unit,
            bool backward) const {
    row.fill(unit ? *right : plan, place, false, backward);
  }
};

/// YaRN's own attention factor, if the configuration has another one.
struct factor_of_yarn_steps : canonical_steps {
  void form(rotation_plan& plan, const ropewalk_rotation& encoding) {
    const std::optional<own_configuration> own = own_configuration_of(encoding);
    const double factor = own ? factor_of(own->encoding.scaling) : 1;
    if (factor > 1)
      plan.rows = rows_with_factor(plan, detail::yarn_mscale<rope_rows::limb_count>({factor, 1}, 1));
  }
};

}  // namespace

std::vector<known_fault> changed_factors() {
  return {
      {kernel_with<root_of_factor_steps>("fault-attention-root"),
       "the square root of the attention factor is taken for the factor"},
      {kernel_with<inverse_of_factor_steps>("fault-attention-inverted"),
       "cosines and sines are divided by the attention factor"},
      {kernel_with<factor_of_yarn_steps>("fault-yarn-mscale"),
       "the attention factor is 0.1 ln(factor) + 1, whatever the model's is"},
      {kernel_with<factor_always_steps>("fault-attention-twice-always"),
       "the attention factor is applied twice"},
  };
}

}  // namespace ropewalk::fault
