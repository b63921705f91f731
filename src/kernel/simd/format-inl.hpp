// Conversion of vectors of tensor elements: widened exactly to the rotation's format, and rounded once, to
// nearest even, back to the tensor's, for one target. Included once for each target.

#if defined(ROPEWALK_SIMD_FORMAT) == defined(HWY_TARGET_TOGGLE)
#ifdef ROPEWALK_SIMD_FORMAT
#undef ROPEWALK_SIMD_FORMAT
#else
#define ROPEWALK_SIMD_FORMAT
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ropewalk::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// binary64 and binary32, which need no conversion.
template <class Lane_>
struct own_format {
  using lane = Lane_;    // of the rotation
  using stored = Lane_;  // of memory
  template <class D>
  using memory = D;
  template <class D, class V>
  static HWY_INLINE hn::Vec<D> widen(D, V v) {
    return v;
  }
  template <class D>
  static HWY_INLINE hn::Vec<D> narrow(D, hn::Vec<D> v) {
    return v;
  }
};
using f64_format = own_format<double>;
using f32_format = own_format<float>;

/// bfloat16, the upper half of a binary32. A NaN computed from bfloat16 data has zero low bits, so rounding
/// keeps it a NaN.
struct bf16_format {
  using lane = float;
  using stored = std::uint16_t;
  template <class D>
  using memory = hn::Rebind<std::uint16_t, D>;

  template <class D, class V>
  static HWY_INLINE hn::Vec<D> widen(D d, V v) {
    const hn::RebindToUnsigned<D> du;
    return hn::BitCast(d, hn::ShiftLeft<16>(hn::PromoteTo(du, v)));
  }
  template <class D>
  static HWY_INLINE hn::Vec<memory<D>> narrow(D d, hn::Vec<D> v) {
    const hn::RebindToUnsigned<D> du;
    const hn::RebindToSigned<D> di;
    (void)d;
    const auto bits = hn::BitCast(du, v);
    const auto even = hn::And(hn::ShiftRight<16>(bits), hn::Set(du, 1));
    const auto rounded = hn::ShiftRight<16>(hn::Add(hn::Add(bits, hn::Set(du, 0x7fff)), even));
    return hn::DemoteTo(memory<D>(), hn::BitCast(di, rounded));
  }
};

/// IEEE binary16. Conversion instructions round to nearest, subnormals included; targets without them use
/// integer arithmetic.
struct f16_format {
  using lane = float;
  using stored = std::uint16_t;
  template <class D>
  using memory = hn::Rebind<std::uint16_t, D>;

#if HWY_TARGET == HWY_NEON || (HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2)
  template <class D, class V>
  static HWY_INLINE hn::Vec<D> widen(D d, V v) {
    return hn::PromoteTo(d, hn::BitCast(hn::Rebind<hwy::float16_t, D>(), v));
  }
  template <class D>
  static HWY_INLINE hn::Vec<memory<D>> narrow(D, hn::Vec<D> v) {
    return hn::BitCast(memory<D>(), hn::DemoteTo(hn::Rebind<hwy::float16_t, D>(), v));
  }
#else
  template <class D, class V>
  static HWY_INLINE hn::Vec<D> widen(D d, V v) {
    const hn::RebindToUnsigned<D> du;
    const auto bits = hn::PromoteTo(du, v);
    const auto sign = hn::ShiftLeft<16>(hn::And(bits, hn::Set(du, 0x8000)));
    const auto magnitude = hn::ShiftLeft<13>(hn::And(bits, hn::Set(du, 0x7fff)));
    const auto rebias = hn::Set(du, 112u << 23);  // 127 - 15
    const auto normal = hn::Add(magnitude, rebias);
    const auto special = hn::Add(normal, rebias);  // infinity and NaN keep the largest exponent
    // A subnormal becomes the fraction of a number 2^-14 (1 + ...); subtracting 2^-14 is exact.
    const auto smallest = hn::Set(du, 113u << 23);
    const auto subnormal =
        hn::BitCast(du, hn::Sub(hn::BitCast(d, hn::Add(magnitude, smallest)), hn::BitCast(d, smallest)));
    const hn::RebindToSigned<D> di;
    const auto order = hn::BitCast(di, magnitude);
    const auto is_small = hn::RebindMask(du, hn::Lt(order, hn::Set(di, 1 << 23)));
    const auto is_special = hn::RebindMask(du, hn::Gt(order, hn::Set(di, (31 << 23) - 1)));
    const auto value = hn::IfThenElse(is_small, subnormal, hn::IfThenElse(is_special, special, normal));
    return hn::BitCast(d, hn::Or(value, sign));
  }
  template <class D>
  static HWY_INLINE hn::Vec<memory<D>> narrow(D d, hn::Vec<D> v) {
    const hn::RebindToUnsigned<D> du;
    const hn::RebindToSigned<D> di;
    const auto bits = hn::BitCast(du, v);
    const auto sign = hn::And(hn::ShiftRight<16>(bits), hn::Set(du, 0x8000));
    const auto magnitude = hn::And(bits, hn::Set(du, 0x7fffffff));
    const auto rebiased = hn::Sub(magnitude, hn::Set(du, 112u << 23));
    const auto even = hn::And(hn::ShiftRight<13>(rebiased), hn::Set(du, 1));
    const auto normal = hn::ShiftRight<13>(hn::Add(hn::Add(rebiased, hn::Set(du, 0xfff)), even));
    // Below 2^-14, the sum with 1/2 has ulp 2^-24, as binary16 subnormals have: the addition rounds
    // correctly.
    const auto half = hn::Set(d, 0.5f);
    const auto subnormal =
        hn::Sub(hn::BitCast(du, hn::Add(hn::BitCast(d, magnitude), half)), hn::BitCast(du, half));
    const auto order = hn::BitCast(di, magnitude);
    const auto is_small = hn::RebindMask(du, hn::Lt(order, hn::Set(di, 113 << 23)));
    const auto overflows = hn::RebindMask(du, hn::Gt(order, hn::Set(di, 0x477fefff)));  // 65520 and above
    const auto is_nan = hn::RebindMask(du, hn::Gt(order, hn::Set(di, 0x7f800000)));
    const auto finite = hn::IfThenElse(is_small, subnormal, normal);
    const auto or_infinite = hn::IfThenElse(overflows, hn::Set(du, 0x7c00), finite);
    const auto value = hn::IfThenElse(is_nan, hn::Set(du, 0x7e00), or_infinite);
    return hn::DemoteTo(memory<D>(), hn::BitCast(di, hn::Or(value, sign)));
  }
#endif
};

}  // namespace ropewalk::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
