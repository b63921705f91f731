// Positions of the first batch row used for every batch row.

#include "fault/addition_steps.hpp"
#include "fault/faults.hpp"

namespace ropewalk::fault {
namespace {

struct sinusoidal_batch_row_steps : addition_steps {
  std::int64_t position(const checked_call& call, const token_place& place) const {
    return call.positions == nullptr ? place.position()
                                     : call.positions[place.token * call.position_stride[2]];
  }
  double real_position(const checked_call& call, const token_place& place) const {
    return call.real_positions[place.token * call.position_stride[2]];
  }
};

}  // namespace

ropewalk_kernel sinusoidal_batch_row() {
  return row_kernel_with<sinusoidal_batch_row_steps>("fault-sinusoidal-batch-row");
}

}  // namespace ropewalk::fault
