#include "diagnosis/known_causes.hpp"

#include <utility>

namespace ropewalk::diagnosis {
namespace {

ropewalk_kernel faultless(ropewalk_operation operation) {
  if (operation == ROPEWALK_ROTATE) return fault::faultless_rotation();
  return operation == ROPEWALK_ADD_BIAS ? fault::faultless_bias_addition() : fault::faultless_row_addition();
}

}  // namespace

template <class Kernel>
known_causes<Kernel>::known_causes(ropewalk_operation operation, hold_kernel hold)
    : hold_(std::move(hold)), faultless_(faultless(operation)), stand_in_(stand_in(operation)) {
  const bool rotates = operation == ROPEWALK_ROTATE;
  for (const fault::known_fault& one :
       rotates ? fault::known_rotation_faults() : fault::known_addition_faults())
    if (static_cast<ropewalk_operation>(one.kernel.operation) == operation) faults_.push_back(&one);
}

template class known_causes<held_rotation>;
template class known_causes<held_addition>;

}  // namespace ropewalk::diagnosis
