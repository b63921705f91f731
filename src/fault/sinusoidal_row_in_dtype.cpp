// The row rounded to the data's format before it is added.

#include "fault/addition_steps.hpp"
#include "fault/faults.hpp"

namespace ropewalk::fault {
namespace {

struct sinusoidal_row_in_dtype_steps : addition_steps {
  template <floating_format Float>
  bits_of<Float> sum(bits_of<Float> x, bits_of<rotation_format<Float>> entry) const {
    using wide = rotation_format<Float>;
    return add_entry<Float>(x, convert<wide, Float>(convert<Float, wide>(entry)));
  }
};

}  // namespace

ropewalk_kernel sinusoidal_row_in_dtype() {
  return row_kernel_with<sinusoidal_row_in_dtype_steps>("fault-sinusoidal-row-in-dtype");
}

}  // namespace ropewalk::fault
