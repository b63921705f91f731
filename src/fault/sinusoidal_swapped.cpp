// Sines and cosines exchanged.

#include "fault/addition_steps.hpp"
#include "fault/faults.hpp"

namespace ropewalk::fault {
namespace {

struct sinusoidal_swapped_steps : addition_steps {
  void form(row_plan& plan) { plan.cosine_first = !plan.cosine_first; }
};

}  // namespace

ropewalk_kernel sinusoidal_swapped() {
  return row_kernel_with<sinusoidal_swapped_steps>("fault-sinusoidal-swapped");
}

}  // namespace ropewalk::fault
