// Flush to zero: hardware arithmetic in the caller's floating-point environment, whose flush-to-zero zeroes
// subnormals and whose rounding mode changes last bits.

#include "fault/canonical_steps.hpp"
#include "fault/faults.hpp"

namespace ropewalk::fault {
namespace {

struct flush_to_zero_steps : canonical_steps {
  template <floating_format Float>
  bits_pair<Float> turn(bits_pair<Float> x, bits_pair<rotation_format<Float>> cos_sin) const {
    using wide = rotation_format<Float>;
    const wide x0 = from_bits<wide>(convert<wide, Float>(x.first));
    const wide x1 = from_bits<wide>(convert<wide, Float>(x.second));
    const wide c = from_bits<wide>(cos_sin.first), s = from_bits<wide>(cos_sin.second);
    return {convert<Float, wide>(to_bits<wide>(x0 * c - x1 * s)),
            convert<Float, wide>(to_bits<wide>(x0 * s + x1 * c))};
  }
};

}  // namespace

ropewalk_kernel flush_to_zero() {
  ropewalk_kernel kernel = kernel_with<flush_to_zero_steps>("fault-flush-to-zero");
  kernel.apply = [](const ropewalk_plan* plan, const ropewalk_head* call,
                    ropewalk_error* error) -> std::int32_t {
    return answer(
        error, [&] { ropewalk::detail::apply_plan(*reinterpret_cast<const plan_of_rotation*>(plan), call); });
  };
  return kernel;
}

}  // namespace ropewalk::fault
