// ALiBi in one form, whatever form the encoding asks for.

#include "fault/addition_steps.hpp"
#include "fault/faults.hpp"

namespace ropewalk::fault {
namespace {

template <bool Symmetric, ropewalk_bias_origin Origin>
struct one_form_steps : addition_steps {
  void form(bias_plan& plan) {
    plan.is_symmetric = Symmetric;
    plan.origin = Origin;
  }
};

}  // namespace

ropewalk_kernel alibi_causal() {
  return bias_kernel_of_every_form<one_form_steps<false, ROPEWALK_FROM_QUERY>>("fault-alibi-causal");
}
ropewalk_kernel alibi_symmetric() {
  return bias_kernel_of_every_form<one_form_steps<true, ROPEWALK_FROM_QUERY>>("fault-alibi-symmetric");
}
ropewalk_kernel alibi_key() {
  return bias_kernel_of_every_form<one_form_steps<false, ROPEWALK_FROM_FIRST_KEY>>("fault-alibi-key");
}
ropewalk_kernel alibi_last_key() {
  return bias_kernel_of_every_form<one_form_steps<false, ROPEWALK_FROM_LAST_KEY>>("fault-alibi-last-key");
}

}  // namespace ropewalk::fault
