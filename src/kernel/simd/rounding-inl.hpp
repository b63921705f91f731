// Roundings of binary64 values, each known to within a reach, to the format of a row's entries, for one
// target. Included once per target.

#if defined(ROPEWALK_SIMD_ROUNDING) == defined(HWY_TARGET_TOGGLE)
#ifdef ROPEWALK_SIMD_ROUNDING
#undef ROPEWALK_SIMD_ROUNDING
#else
#define ROPEWALK_SIMD_ROUNDING
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

#include "kernel/simd/put-inl.hpp"
#include "ropewalk/numeric/format.hpp"

HWY_BEFORE_NAMESPACE();
namespace ropewalk::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// A rounding has `stored`, the type of an entry in memory, `bits_tag` of a vector of bits, and
//   rounded(d, v)  the bits of the numbers nearest to a vector of binary64, ties to even: monotone in v
//   store(d, bits, to)

/// Rounds to binary32.
template <class D, bool Streams>
struct binary32_rounding {
  using stored = float;
  using bits_tag = hn::RebindToUnsigned<hn::Rebind<float, D>>;

  static HWY_INLINE hn::Vec<bits_tag> rounded(D, hn::Vec<D> v) {
    return hn::BitCast(bits_tag(), hn::DemoteTo(hn::Rebind<float, D>(), v));
  }
  static HWY_INLINE void store(hn::Vec<bits_tag> bits, float* to) {
    const hn::Rebind<float, D> df;
    put<Streams>(df, hn::BitCast(df, bits), to);
  }
};

/// Rounds to a 16-bit format directly from binary64: going through binary32 would round twice.
template <class D, floating_format Narrow>
struct narrow_rounding {
  using stored = std::uint16_t;
  using bits_tag = hn::RebindToUnsigned<D>;
  using to = format<Narrow>;

  static constexpr int cut = format<double>::precision - to::precision;  // bits of the significand
  static constexpr std::uint64_t rebias = static_cast<std::uint64_t>(format<double>::bias - to::bias)
                                          << (to::precision - 1);
  static constexpr std::uint64_t smallest_normal =
      static_cast<std::uint64_t>(to::smallest_exponent + format<double>::bias)
      << (format<double>::precision - 1);
  // The power of two whose binary64 ulp is the smallest subnormal.
  static constexpr std::uint64_t subnormal_shift =
      static_cast<std::uint64_t>(to::smallest_ulp_exponent + format<double>::precision - 1 +
                                 format<double>::bias)
      << (format<double>::precision - 1);

  static HWY_INLINE hn::Vec<bits_tag> rounded(D d, hn::Vec<D> v) {
    const bits_tag du;
    const auto sign = hn::And(hn::ShiftRight<64 - to::total_bits>(hn::BitCast(du, v)),
                              hn::Set(du, std::uint64_t{to::sign_bit}));
    const auto size = hn::Abs(v);
    const auto bits = hn::BitCast(du, size);
    const auto below_half = hn::Set(du, (std::uint64_t{1} << (cut - 1)) - 1);
    const auto even = hn::And(hn::ShiftRight<cut>(bits), hn::Set(du, 1));
    const auto normal =
        hn::Sub(hn::ShiftRight<cut>(hn::Add(hn::Add(bits, below_half), even)), hn::Set(du, rebias));
    // The addition rounds to a multiple of the smallest subnormal, which the sum's last bits then count.
    const auto shift = hn::Set(du, subnormal_shift);
    const auto subnormal = hn::Sub(hn::BitCast(du, hn::Add(size, hn::BitCast(d, shift))), shift);
    const auto is_small = hn::RebindMask(du, hn::Lt(size, hn::BitCast(d, hn::Set(du, smallest_normal))));
    const auto finite = hn::IfThenElse(is_small, subnormal, normal);
    return hn::Or(sign, hn::Min(finite, hn::Set(du, std::uint64_t{to::infinity})));
  }
  static HWY_INLINE void store(hn::Vec<bits_tag> bits, std::uint16_t* at) {
    const hn::Rebind<std::uint16_t, D> dn;
    hn::StoreU(hn::TruncateTo(dn, bits), dn, at);
  }
};

template <class V>
struct cos_sin_vector {
  V cos;
  V sin;
};

/// Rounds and stores a vector of cosines and one of sines, for the pairs from `pair` on. Returns bits that
/// are not 0 if value - reach and value + reach round differently: the stored entry is undecided.
template <class Rounding, class D, class V = hn::Vec<D>>
HWY_INLINE hn::Vec<typename Rounding::bits_tag> store_rounded(D d, cos_sin_vector<V> value,
                                                              cos_sin_vector<V> reach, std::size_t pair,
                                                              typename Rounding::stored* cos,
                                                              typename Rounding::stored* sin) {
  const auto low_cos = Rounding::rounded(d, hn::Sub(value.cos, reach.cos));
  const auto low_sin = Rounding::rounded(d, hn::Sub(value.sin, reach.sin));
  const auto high_cos = Rounding::rounded(d, hn::Add(value.cos, reach.cos));
  const auto high_sin = Rounding::rounded(d, hn::Add(value.sin, reach.sin));
  Rounding::store(high_cos, cos + pair);
  Rounding::store(high_sin, sin + pair);
  return hn::Or(hn::Xor(low_cos, high_cos), hn::Xor(low_sin, high_sin));
}

/// As store_rounded, but lists the undecided pairs and returns their number.
template <class Rounding, class D, class V = hn::Vec<D>>
HWY_INLINE int round_tested(D d, cos_sin_vector<V> value, cos_sin_vector<V> reach, std::size_t pair,
                            int pairs, typename Rounding::stored* cos, typename Rounding::stored* sin,
                            std::uint16_t* undecided) {
  const typename Rounding::bits_tag du;
  const auto differs = store_rounded<Rounding>(d, value, reach, pair, cos, sin);
  if (HWY_LIKELY(hn::AllTrue(du, hn::Eq(differs, hn::Zero(du))))) return 0;
  hn::TFromD<typename Rounding::bits_tag> bits[hn::MaxLanes(D())];
  hn::StoreU(differs, du, bits);
  int listed = 0;
  for (std::size_t i = 0; i < hn::MaxLanes(D()) && pair + i < static_cast<std::size_t>(pairs); ++i)
    if (bits[i] != 0) undecided[listed++] = static_cast<std::uint16_t>(pair + i);
  return listed;
}

}  // namespace ropewalk::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
