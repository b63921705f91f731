// A NaN in one channel makes the next channel NaN.

#include "fault/addition_steps.hpp"
#include "fault/faults.hpp"

namespace ropewalk::fault {
namespace {

struct sinusoidal_nan_spreads_steps : addition_steps {
  template <floating_format Float>
  void after_head(const bits_of<Float>* before, bits_of<Float>* after, std::int64_t added,
                  std::int64_t) const {
    for (std::int64_t i = 0; i + 1 < added; ++i)
      if (is_nan<Float>(before[i])) after[i + 1] = format<Float>::quiet_nan;
  }
};

}  // namespace

ropewalk_kernel sinusoidal_nan_spreads() {
  return row_kernel_with<sinusoidal_nan_spreads_steps>("fault-sinusoidal-nan-spreads");
}

}  // namespace ropewalk::fault
