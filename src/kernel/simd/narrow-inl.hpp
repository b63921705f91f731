// Rows of sums of angles in 16-bit formats, for one target. Included once per target.

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

using narrow_tag = hn::Rebind<std::uint16_t, float_tag>;

/// A rounded vector, and a mask of the lanes that may round otherwise.
struct narrowed {
  hn::Vec<narrow_tag> bits;
  hn::Mask<narrow_tag> open;
};

/// Rounds to nearest. Ties may go either way: the ends of an interval that contains a tie round differently.
template <floating_format Narrow>
HWY_INLINE hn::Vec<narrow_tag> nearest(hn::Vec<float_tag> v) {
  const hn::RebindToUnsigned<float_tag> du;
  if constexpr (std::is_same_v<Narrow, binary16>)
    return f16_format::narrow(float_tag(), v);
  else
    return hn::TruncateTo(narrow_tag(), hn::ShiftRight<16>(hn::Add(hn::BitCast(du, v), hn::Set(du, 0x8000))));
}

/// Rounds sums in binary32, each within half an ulp and its reach of the exact one.
template <floating_format Narrow>
HWY_INLINE narrowed narrowed_sums(hn::Vec<float_tag> value, hn::Vec<float_tag> reach) {
  const float_tag d;
  const auto outwards = hn::CopySignToAbs(reach, value);  // away from 0, as the relative error is
  const auto below = hn::Set(d, 1.0f - quarter_turn::narrowed_error);
  const auto above = hn::Set(d, 1.0f + quarter_turn::narrowed_error);
  const auto inner = nearest<Narrow>(hn::MulSub(value, below, outwards));
  const auto outer = nearest<Narrow>(hn::MulAdd(value, above, outwards));
  return {outer, hn::Ne(inner, outer)};
}

/// Two vectors of binary64 in one of binary32.
HWY_INLINE hn::Vec<float_tag> joined(hn::Vec<row_tag> low, hn::Vec<row_tag> high) {
  const hn::Half<float_tag> half;
  return hn::Combine(float_tag(), hn::DemoteTo(half, high), hn::DemoteTo(half, low));
}

/// Fills the entries of two vectors of pairs. Returns whether any is undecided.
///
/// Rounds the sums from binary32. This leaves one vector in fifty undecided in binary16, which is then
/// rounded from binary64. Each entry is stored once: a streaming store must not meet another store to its
/// cache line.
template <floating_format Narrow, bool Streams>
HWY_INLINE bool store_narrow_sums(const angle_sum& angles, std::size_t step, std::size_t pair,
                                  std::uint16_t* cos, std::uint16_t* sin) {
  constexpr std::size_t lanes = hn::MaxLanes(row_tag());
  const float_tag d;
  const narrow_tag dn;
  const auto first = sum_at(angles, step, pair), second = sum_at(angles, step, pair + lanes);
  narrowed of_cos =
      narrowed_sums<Narrow>(joined(first.cos, second.cos), hn::LoadU(d, angles.cos_float_reach + pair));
  narrowed of_sin =
      narrowed_sums<Narrow>(joined(first.sin, second.sin), hn::LoadU(d, angles.sin_float_reach + pair));
  bool is_open = false;
  if (HWY_UNLIKELY(!hn::AllFalse(dn, hn::Or(of_cos.open, of_sin.open)))) {
    using rounding = narrow_rounding<row_tag, Narrow>;
    const typename rounding::bits_tag du;
    std::uint16_t cos_bits[2 * lanes], sin_bits[2 * lanes];
    const auto differs =
        hn::Or(store_rounded<rounding>(row_tag(), first, reach_at(angles, pair), 0, cos_bits, sin_bits),
               store_rounded<rounding>(row_tag(), second, reach_at(angles, pair + lanes), lanes, cos_bits,
                                       sin_bits));
    is_open = !hn::AllTrue(du, hn::Eq(differs, hn::Zero(du)));
    of_cos.bits = hn::LoadU(dn, cos_bits);
    of_sin.bits = hn::LoadU(dn, sin_bits);
  }
  put<Streams>(dn, of_cos.bits, cos + pair);
  put<Streams>(dn, of_sin.bits, sin + pair);
  return is_open;
}

/// Conversions saturate the two addition ports of a Zen 5: eight per sixteen pairs.
template <floating_format Narrow, bool Streams>
HWY_INLINE std::uint32_t narrow_sums_of(const angle_sum& sum, int rows, std::uint16_t* cos,
                                        std::uint16_t* sin) {
  const angle_sum angles = sum;  // in registers: stores cannot change it
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
