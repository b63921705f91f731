// The row of one position, for one target: phases by integer wraparound, polynomials in binary64, and the test that says
// whether an entry is correctly rounded. Included once for each target.

#if defined(ROPEWALK_SIMD_ROW) == defined(HWY_TARGET_TOGGLE)
#ifdef ROPEWALK_SIMD_ROW
#undef ROPEWALK_SIMD_ROW
#else
#define ROPEWALK_SIMD_ROW
#endif

#include <hwy/highway.h>

#include "kernel/quarter_turn.hpp"
#include "kernel/simd/simd.hpp"

HWY_BEFORE_NAMESPACE();
namespace ropewalk::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// The product of the low 32 bits of each lane.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V multiply_words(D d, V a, V b) {
#if HWY_TARGET == HWY_SCALAR
  return hn::Set(d, hn::GetLane(a) * hn::GetLane(b));  // one lane has no halves to view
#else
  const hn::Repartition<std::uint32_t, D> halves;
  (void)d;
  return hn::MulEven(hn::BitCast(halves, a), hn::BitCast(halves, b));
#endif
}

/// position x turns modulo 1, in units of 2^-64 turns, cut off: position = magnitude with `sign` all ones below 0.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V phase_of(D d, const turn_block& block, std::size_t lane, V magnitude, V sign) {
  const V low = hn::ShiftRight<32>(multiply_words(d, hn::LoadU(d, block.low + lane), magnitude));
  const V middle = multiply_words(d, hn::LoadU(d, block.middle + lane), magnitude);
  const V high = hn::ShiftLeft<32>(multiply_words(d, hn::LoadU(d, block.high + lane), magnitude));
  const V phase = hn::Add(hn::Add(low, middle), high);
  return hn::Sub(hn::Xor(phase, sign), sign);
}

template <class V>
struct cos_sin_vector {
  V cos;
  V sin;
};

/// Horner's rule, fused or not as the target has it: the budget holds for both.
template <class D, std::size_t Count, class V = hn::Vec<D>>
HWY_INLINE V evaluate(D d, const double (&coefficient)[Count], V u) {
  V sum = hn::Set(d, coefficient[Count - 1]);
  for (std::size_t i = Count - 1; i-- > 0;) sum = hn::MulAdd(u, sum, hn::Set(d, coefficient[i]));
  return sum;
}

/// factor x cosine and sine of a phase.
template <class D, class V = hn::Vec<D>, class DU = hn::RebindToUnsigned<D>>
HWY_INLINE cos_sin_vector<V> cos_sin_of_phase(D d, hn::Vec<DU> phase, V factor) {
  const DU du;
  const hn::RebindToSigned<D> di;
  const auto quarter = hn::ShiftRight<62>(hn::Add(phase, hn::Set(du, std::uint64_t{1} << 61)));
  const auto rest = hn::BitCast(di, hn::Sub(phase, hn::ShiftLeft<62>(quarter)));
  const V x = hn::Mul(hn::ConvertTo(d, rest), hn::Set(d, 0x1p-62));  // quarter turns, |x| <= 1/2
  const V u = hn::Mul(x, x);
  const V sin = hn::Mul(hn::Mul(x, evaluate(d, quarter_turn::sine, u)), factor);
  const V cos = hn::Mul(evaluate(d, quarter_turn::cosine, u), factor);
  const auto swapped =
      hn::MaskFromVec(hn::BitCast(d, hn::BroadcastSignBit(hn::BitCast(di, hn::ShiftLeft<63>(quarter)))));
  const auto two = hn::Set(du, 2);
  const auto cos_sign = hn::ShiftLeft<62>(hn::And(hn::Add(quarter, hn::Set(du, 1)), two));
  const auto sin_sign = hn::ShiftLeft<62>(hn::And(quarter, two));
  return {hn::Xor(hn::IfThenElse(swapped, sin, cos), hn::BitCast(d, cos_sign)),
          hn::Xor(hn::IfThenElse(swapped, cos, sin), hn::BitCast(d, sin_sign))};
}

/// Both ends of what a computed value may stand for, rounded to binary32.
template <class DF, class V>
struct rounded_ends {
  hn::Vec<DF> low;
  hn::Vec<DF> high;

  template <class D>
  HWY_INLINE rounded_ends(D d, DF to, V value, V phase_error)
      : low(hn::DemoteTo(to, hn::Sub(value, reach(d, value, phase_error)))),
        high(hn::DemoteTo(to, hn::Add(value, reach(d, value, phase_error)))) {}

  template <class D>
  static HWY_INLINE V reach(D d, V value, V phase_error) {
    return hn::MulAdd(hn::Abs(value), hn::Set(d, quarter_turn::relative_error), phase_error);
  }
};

HWY_INLINE int row_of(const row_source& source, std::int64_t position, float* HWY_RESTRICT cos,
                      float* HWY_RESTRICT sin, std::uint16_t* undecided) {
  const hn::CappedTag<double, block_pairs> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  const hn::Rebind<float, decltype(d)> df;
  const hn::RebindToUnsigned<decltype(df)> dfu;
  using V = hn::Vec<decltype(d)>;
  constexpr std::size_t lanes = hn::MaxLanes(d);
  const auto magnitude = hn::Set(du, static_cast<std::uint64_t>(position < 0 ? -position : position));
  const auto sign = hn::Set(du, position < 0 ? ~std::uint64_t{0} : 0);
  const V factor = hn::Set(d, source.factor);
  int listed = 0;
  for (std::size_t pair = 0; pair < static_cast<std::size_t>(source.pairs); pair += lanes) {
    const turn_block& block = source.blocks[pair / block_pairs];
    const std::size_t lane = pair % block_pairs;
    const auto [c, s] = cos_sin_of_phase(d, phase_of(du, block, lane, magnitude, sign), factor);
    const V phase_error = hn::Mul(hn::LoadU(d, block.phase_error + lane), factor);
    const rounded_ends<decltype(df), V> cos_ends(d, df, c, phase_error), sin_ends(d, df, s, phase_error);
    hn::StoreU(cos_ends.high, df, cos + pair);
    hn::StoreU(sin_ends.high, df, sin + pair);
    const auto differs = hn::Or(hn::Xor(hn::BitCast(dfu, cos_ends.low), hn::BitCast(dfu, cos_ends.high)),
                                hn::Xor(hn::BitCast(dfu, sin_ends.low), hn::BitCast(dfu, sin_ends.high)));
    if (HWY_LIKELY(hn::AllTrue(dfu, hn::Eq(differs, hn::Zero(dfu))))) continue;
    std::uint32_t bits[lanes];
    hn::StoreU(differs, dfu, bits);
    for (std::size_t i = 0; i < lanes && pair + i < static_cast<std::size_t>(source.pairs); ++i)
      if (bits[i] != 0) undecided[listed++] = static_cast<std::uint16_t>(pair + i);
  }
  return listed;
}

}  // namespace ropewalk::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
