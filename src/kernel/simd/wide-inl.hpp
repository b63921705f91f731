// Sums of two angles in pairs of binary64, for binary64 tables, for one target. Included once per target.

#if defined(ROPEWALK_SIMD_WIDE) == defined(HWY_TARGET_TOGGLE)
#ifdef ROPEWALK_SIMD_WIDE
#undef ROPEWALK_SIMD_WIDE
#else
#define ROPEWALK_SIMD_WIDE
#endif

#include <hwy/highway.h>

#include "kernel/simd/put-inl.hpp"
#include "kernel/simd/simd.hpp"

HWY_BEFORE_NAMESPACE();
namespace ropewalk::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Only for targets with fused multiply-add, which gives a product's rounding error in one operation.
#if (HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2) || HWY_TARGET == HWY_NEON

using wide_tag = hn::CappedTag<double, block_pairs>;
using wide_vector = hn::Vec<wide_tag>;

/// The unevaluated sum high + low; low is below a few ulp of high, except after cancellation.
struct wide_number {
  wide_vector high;
  wide_vector low;
};

struct wide_point {
  wide_number cos;
  wide_number sin;

  /// shape   row [wide_parts, width]
  static HWY_INLINE wide_point load(const double* row, std::size_t width, std::size_t pair) {
    const wide_tag d;
    return {{hn::LoadU(d, row + pair), hn::LoadU(d, row + width + pair)},
            {hn::LoadU(d, row + 2 * width + pair), hn::LoadU(d, row + 3 * width + pair)}};
  }
};

HWY_INLINE wide_number product(wide_number a, wide_number b) {
  const auto high = hn::Mul(a.high, b.high);
  const auto lost = hn::MulSub(a.high, b.high, high);  // exact
  return {high, hn::MulAdd(a.low, b.high, hn::MulAdd(a.high, b.low, lost))};
}

/// The nearest binary64 of a sum, and its rounding error.
HWY_INLINE wide_number exact_sum(wide_vector a, wide_vector b) {
  const auto high = hn::Add(a, b);
  const auto of_b = hn::Sub(high, a);
  return {high, hn::Add(hn::Sub(a, hn::Sub(high, of_b)), hn::Sub(b, of_b))};
}

HWY_INLINE wide_number sum_of(wide_number a, wide_number b) {
  const wide_number high = exact_sum(a.high, b.high);
  return {high.high, hn::Add(high.low, hn::Add(a.low, b.low))};
}

HWY_INLINE wide_number negative(wide_number a) { return {hn::Neg(a.high), hn::Neg(a.low)}; }

HWY_INLINE wide_point sum_of(wide_point a, wide_point b) {
  return {sum_of(product(a.cos, b.cos), negative(product(a.sin, b.sin))),
          sum_of(product(a.sin, b.cos), product(a.cos, b.sin))};
}

void wide_seed(const double* seed, const double* step, int pairs, double* to) {
  const wide_tag d;
  const std::size_t width = static_cast<std::size_t>(padded(pairs));
  for (std::size_t pair = 0; pair < static_cast<std::size_t>(pairs); pair += hn::MaxLanes(d)) {
    const wide_point sum = sum_of(wide_point::load(seed, width, pair), wide_point::load(step, width, pair));
    double* part = to + pair;
    for (const wide_number number : {sum.cos, sum.sin}) {
      const wide_number stored = exact_sum(number.high, number.low);  // half an ulp of high bounds low
      hn::StoreU(stored.high, d, part);
      hn::StoreU(stored.low, d, part + width);
      part += 2 * width;
    }
  }
}

/// Stores the binary64 numbers nearest to sums of angles. Returns the mask of lanes where the ends of an
/// error interval round differently.
template <bool Streams>
HWY_INLINE hn::Mask<wide_tag> store_wide_sum(const wide_angle_sum& angles, const double* step,
                                             std::size_t pair, double* cos, double* sin) {
  const wide_tag d;
  const std::size_t width = static_cast<std::size_t>(padded(angles.pairs));
  const wide_point sum =
      sum_of(wide_point::load(angles.seed, width, pair), wide_point::load(step, width, pair));
  const auto round_tested = [&](wide_number value, const double* reaches, double* to) HWY_ATTR {
    const auto reach = hn::LoadU(d, reaches + pair);
    const auto nearest = hn::Add(value.high, hn::Add(value.low, reach));
    put<Streams>(d, nearest, to + pair);
    return hn::Ne(nearest, hn::Add(value.high, hn::Sub(value.low, reach)));
  };
  const auto differs = round_tested(sum.cos, angles.cos_reach, cos);
  return hn::Or(differs, round_tested(sum.sin, angles.sin_reach, sin));
}

int wide_sum(const wide_angle_sum& angles, double* cos, double* sin, std::uint16_t* undecided) {
  const wide_tag d;
  constexpr std::size_t lanes = hn::MaxLanes(d);
  int listed = 0;
  for (std::size_t pair = 0; pair < static_cast<std::size_t>(angles.pairs); pair += lanes) {
    const auto differs = store_wide_sum<false>(angles, angles.steps, pair, cos, sin);
    double marked[lanes];
    hn::StoreU(hn::IfThenElseZero(differs, hn::Set(d, 1.0)), d, marked);
    for (std::size_t i = 0; i < lanes && pair + i < static_cast<std::size_t>(angles.pairs); ++i)
      if (marked[i] != 0) undecided[listed++] = static_cast<std::uint16_t>(pair + i);
  }
  return listed;
}

/// Additions saturate their two ports on a Zen 5: 24 of the 42 operations per eight pairs. In a long table,
/// the memory bandwidth is used up as well.
template <bool Streams>
std::uint32_t wide_sums(const wide_angle_sum& sum, int rows, double* cos, double* sin) {
  const wide_tag d;
  const wide_angle_sum angles = sum;  // in registers: stores cannot change it
  const std::size_t pairs = static_cast<std::size_t>(angles.pairs);
  const double* step = angles.steps;
  std::uint32_t undecided = 0;
  for (int row = 0; row < rows; ++row, cos += pairs, sin += pairs) {
    auto differs = hn::MaskFromVec(hn::Zero(d));
    for (std::size_t pair = 0; pair < pairs; pair += hn::MaxLanes(d))
      differs = hn::Or(differs, store_wide_sum<Streams>(angles, step, pair, cos, sin));
    if (HWY_UNLIKELY(!hn::AllFalse(d, differs))) undecided |= std::uint32_t{1} << row;
    step += wide_parts * static_cast<std::size_t>(padded(angles.pairs));
  }
  return undecided;
}

constexpr wide_functions wide_functions_here{wide_seed, {wide_sum, wide_sums<false>, wide_sums<true>}};

#else

constexpr wide_functions wide_functions_here{};

#endif

}  // namespace ropewalk::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
