// The attention factor replaced by a number that is formed from it.

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

}  // namespace

std::vector<known_fault> changed_factors() {
  return {
      {kernel_with<root_of_factor_steps>("fault-attention-root"),
       "the square root of the attention factor is taken for the factor"},
      {kernel_with<inverse_of_factor_steps>("fault-attention-inverted"),
       "cosines and sines are divided by the attention factor"},
  };
}

}  // namespace ropewalk::fault
