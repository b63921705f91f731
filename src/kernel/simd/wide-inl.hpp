// Sums of two angles in pairs of binary64, for binary64 tables, for one target. Included once for each
// target.

#if defined(ROPEWALK_SIMD_WIDE) == defined(HWY_TARGET_TOGGLE)
#ifdef ROPEWALK_SIMD_WIDE
#undef ROPEWALK_SIMD_WIDE
#else
#define ROPEWALK_SIMD_WIDE
#endif

#include <hwy/highway.h>

#include "kernel/quarter_turn.hpp"
#include "kernel/simd/simd.hpp"

HWY_BEFORE_NAMESPACE();
namespace ropewalk::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Only for targets with fused multiply-add, which gives a product's rounding error in one operation.
#if (HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2) || HWY_TARGET == HWY_NEON

using wide_tag = hn::CappedTag<double, block_pairs>;
using wide_vector = hn::Vec<wide_tag>;

/// The unevaluated sum high + low; low is below a few ulp of high unless a sum cancels.
struct wide_number {
  wide_vector high;
  wide_vector low;

  static HWY_INLINE wide_number load(const double* high, const double* low, std::size_t at) {
    return {hn::LoadU(wide_tag(), high + at), hn::LoadU(wide_tag(), low + at)};
  }
};

HWY_INLINE wide_number product(wide_number a, wide_number b) {
  const auto high = hn::Mul(a.high, b.high);
  const auto lost = hn::MulSub(a.high, b.high, high);  // exact
  return {high, hn::MulAdd(a.low, b.high, hn::MulAdd(a.high, b.low, lost))};
}

HWY_INLINE wide_number sum_of(wide_number a, wide_number b) {
  const auto high = hn::Add(a.high, b.high);
  const auto of_b = hn::Sub(high, a.high);
  const auto lost = hn::Add(hn::Sub(a.high, hn::Sub(high, of_b)), hn::Sub(b.high, of_b));  // exact
  return {high, hn::Add(lost, hn::Add(a.low, b.low))};
}

/// The nearest binary64 in lanes where both ends of the error interval round alike, and a mask of the other
/// lanes.
struct rounded_wide {
  wide_vector nearest;
  hn::Mask<wide_tag> undecided;

  HWY_INLINE rounded_wide(wide_number p, wide_number q, wide_vector least_error)
      : rounded_wide(sum_of(p, q),
                     hn::MulAdd(hn::Add(hn::Abs(p.high), hn::Abs(q.high)),
                                hn::Set(wide_tag(), quarter_turn::wide_sum_error), least_error)) {}
  HWY_INLINE rounded_wide(wide_number value, wide_vector error)
      : nearest(hn::Add(value.high, hn::Add(value.low, error))),
        undecided(hn::Ne(nearest, hn::Add(value.high, hn::Sub(value.low, error)))) {}
};

int wide_sum(const wide_angle_sum& angles, double* cos, double* sin, std::uint16_t* undecided) {
  const wide_tag d;
  constexpr std::size_t lanes = hn::MaxLanes(d);
  int listed = 0;
  for (std::size_t pair = 0; pair < static_cast<std::size_t>(angles.pairs); pair += lanes) {
    const auto c = wide_number::load(angles.seed.cos, angles.seed.cos_low, pair);
    const auto s = wide_number::load(angles.seed.sin, angles.seed.sin_low, pair);
    const auto step_c = wide_number::load(angles.step.cos, angles.step.cos_low, pair);
    const auto step_s = wide_number::load(angles.step.sin, angles.step.sin_low, pair);
    const auto least = hn::LoadU(d, angles.least_error + pair);
    const auto ss = product(s, step_s);
    const rounded_wide of_cos(product(c, step_c), {hn::Neg(ss.high), hn::Neg(ss.low)}, least);
    const rounded_wide of_sin(product(s, step_c), product(c, step_s), least);
    hn::StoreU(of_cos.nearest, d, cos + pair);
    hn::StoreU(of_sin.nearest, d, sin + pair);
    const auto either = hn::Or(of_cos.undecided, of_sin.undecided);
    if (HWY_LIKELY(hn::AllFalse(d, either))) continue;
    double marked[lanes];
    hn::StoreU(hn::IfThenElseZero(either, hn::Set(d, 1.0)), d, marked);
    for (std::size_t i = 0; i < lanes && pair + i < static_cast<std::size_t>(angles.pairs); ++i)
      if (marked[i] != 0) undecided[listed++] = static_cast<std::uint16_t>(pair + i);
  }
  return listed;
}

constexpr wide_sum_function wide_sum_here = wide_sum;

#else

constexpr wide_sum_function wide_sum_here = nullptr;

#endif

}  // namespace ropewalk::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
