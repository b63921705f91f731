// ALiBi's heads counted from 0 in place of 1: the first slope is 1.

#include "fault/addition_steps.hpp"
#include "fault/faults.hpp"

namespace ropewalk::fault {
namespace {

struct alibi_exponent_from_zero_steps : addition_steps {
  void form(bias_plan& plan) {
    plan.slopes.insert(plan.slopes.begin(), detail::resolved_number::of(1));
    plan.slopes.pop_back();
  }
};

}  // namespace

ropewalk_kernel alibi_exponent_from_zero() {
  return bias_kernel_with<alibi_exponent_from_zero_steps>("fault-alibi-exponent-from-zero");
}

}  // namespace ropewalk::fault
