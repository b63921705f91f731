// ALiBi's symmetric form computed as the causal one: scores of keys ahead are raised.

#include "fault/addition_steps.hpp"
#include "fault/faults.hpp"

namespace ropewalk::fault {
namespace {

struct alibi_symmetric_as_causal_steps : addition_steps {
  void form(bias_plan& plan) { plan.is_symmetric = false; }
};

}  // namespace

ropewalk_kernel alibi_symmetric_as_causal() {
  return bias_kernel_with<alibi_symmetric_as_causal_steps>("fault-alibi-symmetric-as-causal");
}

}  // namespace ropewalk::fault
