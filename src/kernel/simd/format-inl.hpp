// Conversion of vectors of tensor elements, for one target: widened exactly to the rotation's format, and
// rounded once, to nearest even, back to the tensor's. Included once per target.

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
  /// Rounds in place: the results are the upper halves of the words.
  template <class D>
  static HWY_INLINE hn::Vec<hn::RebindToUnsigned<D>> round(D, hn::Vec<D> v) {
    const hn::RebindToUnsigned<D> du;
    const auto bits = hn::BitCast(du, v);
    const auto even = hn::And(hn::ShiftRight<16>(bits), hn::Set(du, 1));
    return hn::Add(hn::Add(bits, hn::Set(du, 0x7fff)), even);
  }
  template <class D>
  static HWY_INLINE hn::Vec<memory<D>> narrow(D d, hn::Vec<D> v) {
    const hn::RebindToSigned<D> di;
    return hn::DemoteTo(memory<D>(), hn::BitCast(di, hn::ShiftRight<16>(round(d, v))));
  }

  template <class D>
  using halves = hn::Repartition<std::uint16_t, hn::RebindToUnsigned<D>>;

#if HWY_TARGET != HWY_SCALAR
  /// Two vectors rounded and interleaved, the first in even lanes. Adds the carry of low + 0x7fff + (1 if
  /// high is odd), which is the top bit of half that sum (AverageRound).
  template <class D, class V = hn::Vec<hn::RebindToUnsigned<D>>>
  static HWY_INLINE hn::Vec<halves<D>> pack(D, V even, V odd) {
    const hn::RebindToUnsigned<D> du;
    const halves<D> dh;
    const auto high = hn::BitCast(dh, hn::OrAnd(hn::ShiftRight<16>(even), odd, hn::Set(du, 0xffff0000)));
    const auto low = hn::BitCast(dh, hn::OrAnd(hn::ShiftLeft<16>(odd), even, hn::Set(du, 0xffff)));
    const auto below_half = hn::OrAnd(hn::Set(dh, 0x7ffe), high, hn::Set(dh, 1));
    return hn::Add(high, hn::ShiftRight<15>(hn::AverageRound(low, below_half)));
  }
#endif
};

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3

/// bfloat16 on processors that have AVX512_VNNI, which Highway's attributes of this target do not cover.
struct bf16_vnni_format : bf16_format {
  template <class D>
  static HWY_INLINE hn::Vec<hn::RebindToUnsigned<D>> round(D d, hn::Vec<D> v) {
    if constexpr (sizeof(v) == 64)
      return {rounded(hn::BitCast(hn::RebindToUnsigned<D>(), v).raw)};
    else
      return bf16_format::round(d, v);
  }
  /// Six operations per 32 elements; the general form takes nine.
  template <class D, class V = hn::Vec<hn::RebindToUnsigned<D>>>
  static HWY_INLINE hn::Vec<halves<D>> pack(D d, V even, V odd) {
    if constexpr (sizeof(V) == 64) {
      const __m512i low = _mm512_srli_epi32(rounded(even.raw), 16);
      return hn::Vec<halves<D>>{_mm512_mask_blend_epi16(0xaaaaaaaa, low, rounded(odd.raw))};
    } else {
      return bf16_format::pack(d, even, odd);
    }
  }

 private:
  /// bits + 0x7fff + (bit 16 of bits): the two halves of the addend, each times one, added by one
  /// instruction.
  static HWY_INLINE __m512i rounded(__m512i bits) {
    const __m512i addend = _mm512_ternarylogic_epi32(_mm512_set1_epi32(0x7fff), bits,
                                                     _mm512_set1_epi32(0x10000), 0xf8);  // a | (b & c)
    asm("vpdpwssd %2, %1, %0" : "+v"(bits) : "v"(addend), "v"(_mm512_set1_epi32(0x10001)));
    return bits;
  }
};

#endif

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
    auto half = hn::BitCast(memory<D>(), hn::DemoteTo(hn::Rebind<hwy::float16_t, D>(), v));
#if HWY_ARCH_X86
    // Keeps the conversion and the store apart: as one instruction they take two cycles of the store port
    // instead of one.
    asm("" : "+x"(half.raw));
#endif
    return half;
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
