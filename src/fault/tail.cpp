// Tail left unrotated: a loop over 8 pairs and 4 heads at a time skips the remainder.

#include "fault/canonical_steps.hpp"
#include "fault/faults.hpp"

namespace ropewalk::fault {
namespace {

struct tail_steps : canonical_steps {
  bool leaves(std::int64_t head, std::int64_t heads, int pair, int pairs) const {
    return pair >= pairs / 8 * 8 || head >= heads / 4 * 4;
  }
};

}  // namespace

ropewalk_kernel tail() { return kernel_with<tail_steps>("fault-tail"); }

}  // namespace ropewalk::fault
