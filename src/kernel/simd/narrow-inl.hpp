// Rows of sums of angles in 16-bit formats, for one target. Included once for each target.

#if defined(ROPEWALK_SIMD_NARROW) == defined(HWY_TARGET_TOGGLE)
#ifdef ROPEWALK_SIMD_NARROW
#undef ROPEWALK_SIMD_NARROW
#else
#define ROPEWALK_SIMD_NARROW
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "kernel/quarter_turn.hpp"
#include "kernel/simd/format-inl.hpp"
#include "kernel/simd/row-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace ropewalk::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR

template <floating_format Narrow, bool Streams>
HWY_INLINE std::uint32_t narrow_sums_of(const angle_sum& angles, int rows, std::uint16_t* cos,
                                        std::uint16_t* sin) {
  return sums_of<narrow_rounding<row_tag, Narrow>>(angles, rows, cos, sin);
}

#else

using float_tag = hn::Repartition<float, row_tag>;  // two vectors of binary64 become one of binary32

/// Rounds and stores a vector of sums that are known to binary32, each within half an ulp and its reach.
/// Returns the mask of lanes where the numbers near one round differently.
template <floating_format Narrow, bool Streams>
HWY_INLINE auto store_narrowed(hn::Vec<float_tag> value, hn::Vec<float_tag> reach, std::uint16_t* to) {
  using to_format = std::conditional_t<std::is_same_v<Narrow, binary16>, f16_format, bf16_format>;
  const float_tag d;
  const typename to_format::template memory<float_tag> dn;
  const auto below = hn::Set(d, 1.0f - quarter_turn::narrowed_error);
  const auto above = hn::Set(d, 1.0f + quarter_turn::narrowed_error);
  const auto low = to_format::narrow(d, hn::MulSub(value, below, reach));
  const auto high = to_format::narrow(d, hn::MulAdd(value, above, reach));
  put<Streams>(dn, high, to);
  return hn::Ne(low, high);
}

/// Fills the entries of two vectors of pairs. Returns whether any is undecided.
///
/// First by the sums in binary32, which leave one vector in fifty open in binary16, then by those in binary64.
template <floating_format Narrow, bool Streams>
HWY_INLINE bool store_narrow_sums(const angle_sum& angles, std::size_t step, std::size_t pair,
                                  std::uint16_t* cos, std::uint16_t* sin) {
  using rounding = narrow_rounding<row_tag, Narrow>;
  constexpr std::size_t lanes = hn::MaxLanes(row_tag());
  const row_tag d;
  const float_tag df;
  const hn::Half<float_tag> half;
  const auto first = sum_at(angles, step, pair), second = sum_at(angles, step, pair + lanes);
  const auto joined = [&](hn::Vec<row_tag> low, hn::Vec<row_tag> high) HWY_ATTR {
    return hn::Combine(df, hn::DemoteTo(half, high), hn::DemoteTo(half, low));
  };
  const auto open_cos = store_narrowed<Narrow, Streams>(
      joined(first.cos, second.cos), hn::LoadU(df, angles.cos_float_reach + pair), cos + pair);
  const auto open_sin = store_narrowed<Narrow, Streams>(
      joined(first.sin, second.sin), hn::LoadU(df, angles.sin_float_reach + pair), sin + pair);
  if (HWY_LIKELY(hn::AllFalse(hn::Rebind<std::uint16_t, float_tag>(), hn::Or(open_cos, open_sin))))
    return false;
  const typename rounding::bits_tag du;
  const auto differs =
      hn::Or(store_rounded<rounding>(d, first, reach_at(angles, pair), pair, cos, sin),
             store_rounded<rounding>(d, second, reach_at(angles, pair + lanes), pair + lanes, cos, sin));
  return !hn::AllTrue(du, hn::Eq(differs, hn::Zero(du)));
}

/// Conversions saturate the two ports for additions of a Zen 5: eight for sixteen pairs.
template <floating_format Narrow, bool Streams>
HWY_INLINE std::uint32_t narrow_sums_of(const angle_sum& given, int rows, std::uint16_t* cos,
                                        std::uint16_t* sin) {
  const angle_sum angles = given;  // in registers: stores cannot change it
  const std::size_t pairs = static_cast<std::size_t>(angles.pairs);
  std::size_t step = 0;
  std::uint32_t undecided = 0;
  for (int row = 0; row < rows; ++row, cos += pairs, sin += pairs) {
    bool is_open = false;
    for (std::size_t pair = 0; pair < pairs; pair += hn::MaxLanes(float_tag()))
      is_open |= store_narrow_sums<Narrow, Streams>(angles, step, pair, cos, sin);
    undecided |= std::uint32_t{is_open} << row;
    step += static_cast<std::size_t>(padded(angles.pairs));
  }
  return undecided;
}

#endif

}  // namespace ropewalk::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
