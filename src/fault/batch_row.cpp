// Batch rows above 0 ignored: only the first sequence of a batch is rotated.

#include "fault/canonical_steps.hpp"
#include "fault/faults.hpp"

namespace ropewalk::fault {
namespace {

struct batch_row_steps : canonical_steps {
  bool skips(const token_place& place) const { return place.row > 0; }
};

}  // namespace

ropewalk_kernel batch_row() { return kernel_with<batch_row_steps>("fault-batch-row"); }

}  // namespace ropewalk::fault
