// ALiBi: wrong slopes, and the wrong form of the bias.

#include <algorithm>

#include "fault/addition_steps.hpp"
#include "fault/faults.hpp"

namespace ropewalk::fault {
namespace {

// ALiBi's heads counted from 0 in place of 1: the first slope is 1.
struct alibi_exponent_from_zero_steps : addition_steps {
  void form(bias_plan& plan) {
    plan.slopes.insert(plan.slopes.begin(), detail::resolved_number::of(1));
    plan.slopes.pop_back();
  }
};

// ALiBi's slopes sorted in descending order, although the slopes of heads beyond a power of two come last.
struct alibi_heads_sorted_steps : addition_steps {
  void form(bias_plan& plan) {
    std::sort(plan.slopes.begin(), plan.slopes.end(),
              [](const auto& a, const auto& b) { return compare(a, b) == order::greater; });
  }
};

// ALiBi in one form, whatever the encoding's form.
template <bool Symmetric, ropewalk_bias_origin Origin>
struct one_form_steps : addition_steps {
  void form(bias_plan& plan) {
    plan.is_symmetric = Symmetric;
    plan.origin = Origin;
  }
};

}  // namespace

ropewalk_kernel alibi_exponent_from_zero() {
  return bias_kernel_with<alibi_exponent_from_zero_steps>("fault-alibi-exponent-from-zero");
}

ropewalk_kernel alibi_heads_sorted() {
  return bias_kernel_with<alibi_heads_sorted_steps>("fault-alibi-heads-sorted");
}

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
