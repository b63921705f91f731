// Offset in 32 bits: a token's offset in elements is kept in an int, which wraps past 2^31 - 1.

#include <cstdint>

#include "fault/canonical_steps.hpp"
#include "fault/faults.hpp"

namespace ropewalk::fault {
namespace {

struct offset_32_steps : canonical_steps {
  rotated_tensor at_token(rotated_tensor tensor, const token_place& place) const {
    if (!tensor.is_present) return tensor;
    for (tensor_view* view : {&tensor.in, &tensor.out}) {
      const std::int64_t size = size_of(view->dtype);
      const std::int64_t offset = (place.row * view->stride[0] + place.token * view->stride[1]) / size;
      view->data += (static_cast<std::int32_t>(offset) - offset) * size;
    }
    return tensor;
  }
};

}  // namespace

ropewalk_kernel offset_32() { return kernel_with<offset_32_steps>("fault-offset-32"); }

}  // namespace ropewalk::fault
