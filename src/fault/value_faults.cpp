// Special numbers, small numbers, and the floating-point environment.

#include "fault/canonical_steps.hpp"
#include "fault/faults.hpp"
#include "ropewalk/kernel/floating_environment.hpp"

namespace ropewalk::fault {
namespace {

// NaN spreading to the next pair: a non-finite channel makes its neighbour NaN, as when a mask is applied by
// multiplying with 0.
struct nan_spreads_steps : canonical_steps {
  template <floating_format Float>
  void after_head(const bits_pair<Float>* before, bits_pair<Float>* after, int pairs) const {
    for (int pair = 0; pair + 1 < pairs; ++pair)
      if (!is_finite<Float>(before[pair].first) || !is_finite<Float>(before[pair].second))
        after[pair + 1] = {format<Float>::quiet_nan, format<Float>::quiet_nan};
  }
};

// Small values flushed: a result below 256 times the smallest normal number becomes zero.
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

// Flush to zero: hardware arithmetic in the caller's floating-point environment, whose flush-to-zero zeroes
// subnormals and whose rounding mode changes last bits.
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

ropewalk_kernel nan_spreads() { return kernel_with<nan_spreads_steps>("fault-nan-spreads"); }
ropewalk_kernel small_flushed() { return kernel_with<small_flushed_steps>("fault-small-flushed"); }

// Floating-point environment not restored: the bits are right, but the caller is left with upward rounding.
ropewalk_kernel environment_left() {
  ropewalk_kernel kernel = kernel_with<canonical_steps>("fault-environment-left");
  kernel.apply = [](const ropewalk_plan* plan, const ropewalk_head* call,
                    ropewalk_error* error) -> std::int32_t {
    const std::int32_t status = ropewalk::detail::answer_apply<plan_of_rotation>(plan, call, error);
    write_floating_registers(upward_floating_registers());
    return status;
  };
  return kernel;
}

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
