// NaN spreading to the next pair: a non-finite channel makes its neighbour NaN, as when a mask is applied by
// multiplying with 0.

#include "fault/canonical_steps.hpp"
#include "fault/faults.hpp"

namespace ropewalk::fault {
namespace {

struct nan_spreads_steps : canonical_steps {
  template <floating_format Float>
  void after_head(const bits_pair<Float>* before, bits_pair<Float>* after, int pairs) const {
    for (int pair = 0; pair + 1 < pairs; ++pair)
      if (!is_finite<Float>(before[pair].first) || !is_finite<Float>(before[pair].second))
        after[pair + 1] = {format<Float>::quiet_nan, format<Float>::quiet_nan};
  }
};

}  // namespace

ropewalk_kernel nan_spreads() { return kernel_with<nan_spreads_steps>("fault-nan-spreads"); }

}  // namespace ropewalk::fault
