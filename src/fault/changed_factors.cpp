// The attention factor replaced by a number that is formed from it.

#include <optional>

#include "fault/canonical_steps.hpp"
#include "fault/known_faults.hpp"
#include "fault/own_frequencies.hpp"

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

/// A function that multiplies what it has turned: unit rotations are multiplied, too.
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

}  // namespace

std::vector<known_fault> changed_factors() {
  return {
      {kernel_with<root_of_factor_steps>("fault-attention-root"),
       "the square root of the attention factor is taken for the factor"},
      {kernel_with<inverse_of_factor_steps>("fault-attention-inverted"),
       "cosines and sines are divided by the attention factor"},
      {kernel_with<factor_always_steps>("fault-attention-twice-always"),
       "the attention factor is applied twice"},
  };
}

}  // namespace ropewalk::fault
