// Small values flushed: a result below 256 times the smallest normal number becomes zero.

#include "fault/canonical_steps.hpp"
#include "fault/faults.hpp"

namespace ropewalk::fault {
namespace {

struct small_flushed_steps : canonical_steps {
  template <floating_format Float>
  static bits_of<Float> flush(bits_of<Float> bits) {
    constexpr auto limit = static_cast<bits_of<Float>>(bits_of<Float>{9} << (format<Float>::precision - 1));
    return magnitude<Float>(bits) < limit ? static_cast<bits_of<Float>>(bits & format<Float>::sign_bit)
                                          : bits;
  }

  template <floating_format Float>
  bits_pair<Float> turn(bits_pair<Float> x, bits_pair<rotation_format<Float>> cos_sin) const {
    const bits_pair<Float> y = rotate_pair<Float>(x, cos_sin);
    return {flush<Float>(y.first), flush<Float>(y.second)};
  }
};

}  // namespace

ropewalk_kernel small_flushed() { return kernel_with<small_flushed_steps>("fault-small-flushed"); }

}  // namespace ropewalk::fault
