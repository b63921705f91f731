// Computes ALiBi's bias for a run of keys, for one target. Included once per target.

#if defined(ROPEWALK_SIMD_BIAS) == defined(HWY_TARGET_TOGGLE)
#ifdef ROPEWALK_SIMD_BIAS
#undef ROPEWALK_SIMD_BIAS
#else
#define ROPEWALK_SIMD_BIAS
#endif

#include <hwy/highway.h>

#include "kernel/bias_budget.hpp"
#include "kernel/simd/simd.hpp"

HWY_BEFORE_NAMESPACE();
namespace ropewalk::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Bounds of the entries of a vector of reaches, rounded to binary32. If both bounds are equal, they are the
/// entries: proofs/kernel/bias_budget_proof.cpp.
template <class V>
struct entry_bounds {
  V low;
  V high;
};

/// Products in binary64, for every slope and reach.
struct long_products {
  using tag = hn::CappedTag<double, block_pairs>;
  using entry_tag = hn::Rebind<float, tag>;

  hn::Vec<tag> low, high;

  HWY_INLINE explicit long_products(const slope_bounds& bounds)
      : low(hn::Set(tag(), bounds.low)), high(hn::Set(tag(), bounds.high)) {}
  HWY_INLINE entry_bounds<hn::Vec<entry_tag>> times(hn::Vec<tag> reach) const {
    return {rounded(hn::Mul(reach, low)), rounded(hn::Mul(reach, high))};
  }

 private:
  /// Rounds to binary32. Highway's scalar conversions saturate at the largest finite number.
  static HWY_INLINE hn::Vec<entry_tag> rounded(hn::Vec<tag> v) {
    const auto result = hn::DemoteTo(entry_tag(), v);
#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
    const auto is_infinite = hn::Ge(hn::Abs(v), hn::Set(tag(), 0x1.ffffffp127));  // half an ulp above it
    const auto more = hn::IfThenElseZero(is_infinite, hn::CopySign(hn::Set(tag(), 0x1p127), v));
    return hn::Add(result, hn::DemoteTo(entry_tag(), more));
#else
    return result;
#endif
  }
};

#if (HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2) || HWY_TARGET == HWY_NEON

/// Fused products in binary32, with twice as many entries per vector: four products, which saturate the two
/// multiplication ports of a Zen 5.
///
/// domain  is_short of the slope, |reach| <= bias_budget::largest_short_reach
struct short_products {
  using tag = hn::CappedTag<float, row_multiple>;
  using entry_tag = tag;

  hn::Vec<tag> nearest, low_rest, high_rest;

  HWY_INLINE explicit short_products(const slope_bounds& bounds)
      : nearest(hn::Set(tag(), bounds.nearest)),
        low_rest(hn::Set(tag(), bounds.low_rest)),
        high_rest(hn::Set(tag(), bounds.high_rest)) {}
  HWY_INLINE entry_bounds<hn::Vec<tag>> times(hn::Vec<tag> reach) const {
    return {hn::MulAdd(reach, nearest, hn::Mul(reach, low_rest)),
            hn::MulAdd(reach, nearest, hn::Mul(reach, high_rest))};
  }
};

#endif

/// Visits the bounds of a run, vector by vector: visit(first entry, entry_bounds).
template <class Products, bool Symmetric, class Visit>
HWY_INLINE void for_each_bounds(const bias_source& source, std::size_t count, Visit visit) {
  using tag = typename Products::tag;
  using lane = hn::TFromD<tag>;
  const tag d;
  const Products products(source.slope);
  const auto step = hn::Set(d, static_cast<lane>(hn::MaxLanes(d)));
  auto reach = hn::Add(hn::Set(d, static_cast<lane>(source.first_reach)), hn::Iota(d, 0));
  for (std::size_t at = 0; at < count; at += hn::MaxLanes(d), reach = hn::Add(reach, step)) {
    if constexpr (Symmetric)
      visit(at, products.times(hn::Sub(hn::Zero(d), hn::Abs(reach))));
    else
      visit(at, products.times(reach));
  }
}

/// Stores the lower bounds, and checks once at the end whether any upper bound differs: nearly always, none
/// does.
template <class Products, bool Symmetric>
HWY_INLINE int bias_of(const bias_source& source, std::size_t count, float* to, std::uint16_t* undecided) {
  const typename Products::entry_tag d;
  using entries = hn::Vec<typename Products::entry_tag>;
  const hn::RebindToUnsigned<decltype(d)> du;
  auto differences = hn::Zero(du);
  for_each_bounds<Products, Symmetric>(
      source, count, [&](std::size_t at, entry_bounds<entries> bounds) HWY_ATTR {
        hn::StoreU(bounds.low, d, to + at);
        differences = hn::Or(differences, hn::Xor(hn::BitCast(du, bounds.low), hn::BitCast(du, bounds.high)));
      });
  if (HWY_LIKELY(hn::AllTrue(du, hn::Eq(differences, hn::Zero(du))))) return 0;
  int listed = 0;
  for_each_bounds<Products, Symmetric>(source, count,
                                       [&](std::size_t at, entry_bounds<entries> bounds) HWY_ATTR {
                                         float high[hn::MaxLanes(d)];
                                         hn::StoreU(bounds.high, d, high);
                                         for (std::size_t i = 0; i < hn::MaxLanes(d) && at + i < count; ++i)
                                           if (to[at + i] != high[i])
                                             undecided[listed++] = static_cast<std::uint16_t>(at + i);
                                       });
  return listed;
}

template <class Products>
HWY_INLINE int bias_of(const bias_source& source, std::size_t count, float* to, std::uint16_t* undecided) {
  return source.is_symmetric ? bias_of<Products, true>(source, count, to, undecided)
                             : bias_of<Products, false>(source, count, to, undecided);
}

/// The bias_function of a target.
int bias(const bias_source& source, std::size_t count, float* to, std::uint16_t* undecided) {
#if (HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2) || HWY_TARGET == HWY_NEON
  constexpr std::int64_t most = bias_budget::largest_short_reach;
  if (source.slope.is_short && source.first_reach >= -most &&
      source.first_reach <= most - static_cast<std::int64_t>(most_bias_entries))
    return bias_of<short_products>(source, count, to, undecided);
#endif
  return bias_of<long_products>(source, count, to, undecided);
}

}  // namespace ropewalk::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
