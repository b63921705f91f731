// The last channel of an odd width is written as zero, not copied.

#include <algorithm>

#include "fault/addition_steps.hpp"
#include "fault/faults.hpp"

namespace ropewalk::fault {
namespace {

struct sinusoidal_rest_zeroed_steps : addition_steps {
  template <floating_format Float>
  void after_head(const bits_of<Float>*, bits_of<Float>* after, std::int64_t added,
                  std::int64_t width) const {
    std::fill(after + added, after + width, bits_of<Float>{0});
  }
};

}  // namespace

ropewalk_kernel sinusoidal_rest_zeroed() {
  return row_kernel_with<sinusoidal_rest_zeroed_steps>("fault-sinusoidal-rest-zeroed");
}

}  // namespace ropewalk::fault
