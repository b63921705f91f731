// Attention factor applied to the cosine only.

#include "fault/canonical_steps.hpp"
#include "fault/faults.hpp"

namespace ropewalk::fault {
namespace {

struct attention_cos_only_steps : canonical_steps {
  template <floating_format Table>
  void fill(token_row<Table>& row, const rotation_plan& plan, const token_place& place, bool unit,
            bool backward) const {
    token_row<Table> without(plan.layout.pairs());
    without.fill(plan, place, true, backward);
    row.fill(plan, place, unit, backward);
    for (int pair = 0; pair < plan.layout.pairs(); ++pair)
      row.set(pair, {row.at(pair).first, without.at(pair).second});
  }
};

}  // namespace

ropewalk_kernel attention_cos_only() {
  return kernel_with<attention_cos_only_steps>("fault-attention-cos-only");
}

}  // namespace ropewalk::fault
