// Attention factor applied twice: in the table, and again when the table is applied.

#include "fault/canonical_steps.hpp"
#include "fault/faults.hpp"
#include "fault/own_frequencies.hpp"

namespace ropewalk::fault {
namespace {

struct attention_twice_steps : canonical_steps {
  void form(rotation_plan& plan, const ropewalk_rotation& /*encoding*/) {
    plan.rows = rows_with_factor(plan, plan.rows.attention_factor() * plan.rows.attention_factor());
  }
};

}  // namespace

ropewalk_kernel attention_twice() { return kernel_with<attention_twice_steps>("fault-attention-twice"); }

}  // namespace ropewalk::fault
