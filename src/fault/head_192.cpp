// Heads of 192 channels taken by the path for 128: the other 64 are left unrotated.

#include "fault/canonical_steps.hpp"
#include "fault/faults.hpp"

namespace ropewalk::fault {
namespace {

struct head_192_steps : canonical_steps {
  bool leaves(std::int64_t /*head*/, std::int64_t /*heads*/, int pair, int pairs) const {
    return pairs == 192 / 2 && pair >= 128 / 2;
  }
};

}  // namespace

ropewalk_kernel head_192() { return kernel_with<head_192_steps>("fault-head-192"); }

}  // namespace ropewalk::fault
