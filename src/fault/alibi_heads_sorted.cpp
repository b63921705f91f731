// ALiBi's slopes sorted in descending order, although the slopes of heads beyond a power of two come last.

#include <algorithm>

#include "fault/addition_steps.hpp"
#include "fault/faults.hpp"

namespace ropewalk::fault {
namespace {

struct alibi_heads_sorted_steps : addition_steps {
  void form(bias_plan& plan) {
    std::sort(plan.slopes.begin(), plan.slopes.end(),
              [](const auto& a, const auto& b) { return compare(a, b) == order::greater; });
  }
};

}  // namespace

ropewalk_kernel alibi_heads_sorted() {
  return bias_kernel_with<alibi_heads_sorted_steps>("fault-alibi-heads-sorted");
}

}  // namespace ropewalk::fault
