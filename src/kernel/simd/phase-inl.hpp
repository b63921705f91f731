// Rows of consecutive positions, each entry from its own phase, for one target: the check of rows from sums
// of angles. Included once per target.

#if defined(ROPEWALK_SIMD_PHASE) == defined(HWY_TARGET_TOGGLE)
#ifdef ROPEWALK_SIMD_PHASE
#undef ROPEWALK_SIMD_PHASE
#else
#define ROPEWALK_SIMD_PHASE
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

#include "kernel/simd/format-inl.hpp"
#include "kernel/simd/row-inl.hpp"
#include "kernel/simd/simd.hpp"

HWY_BEFORE_NAMESPACE();
namespace ropewalk::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Lanes whose binary32 number is a tie of a 16-bit format, or subnormal in binary16 but not 0: a number that
/// rounds to it may round otherwise in that format.
template <class DU>
HWY_INLINE hn::Mask<DU> is_near_tie(DU du, hn::Vec<DU> bits) {
  const auto half = [&](int cut) HWY_ATTR {
    const auto rest = hn::Set(du, (std::uint32_t{1} << cut) - 1);
    return hn::Eq(hn::And(bits, rest), hn::Set(du, std::uint32_t{1} << (cut - 1)));
  };
  constexpr int precision = format<float>::precision;
  constexpr auto smallest_normal =
      static_cast<std::uint32_t>(format<binary16>::smallest_exponent + format<float>::bias)
      << (precision - 1);
  // 0 wraps around to the largest number
  const auto size = hn::Sub(hn::And(bits, hn::Set(du, ~format<float>::sign_bit)), hn::Set(du, 1));
  const auto is_small = hn::Lt(size, hn::Set(du, smallest_normal - 1));
  return hn::Or(is_small, hn::Or(half(precision - format<binary16>::precision),
                                 half(precision - format<bfloat16>::precision)));
}

/// `Together` rows of one vector of pairs, so that their chains of operations overlap.
template <int Together>
HWY_INLINE std::uint32_t undecided_rows(
    const turn_words_vector<hn::Vec<hn::RebindToUnsigned<row_tag>>>& turns, hn::Vec<row_tag> relative,
    hn::Vec<row_tag> phase_error, hn::Vec<row_tag> factor, std::int64_t position, int row, std::size_t width,
    float* cos, float* sin) {
  using rounding = binary32_rounding<row_tag, false>;
  const row_tag d;
  const hn::RebindToUnsigned<row_tag> du;
  const rounding::bits_tag bits;
  hn::Vec<row_tag> cos_value[Together], sin_value[Together];
  for (int i = 0; i < Together; ++i) {
    const std::int64_t at = position + row + i;
    const auto magnitude = hn::Set(du, static_cast<std::uint64_t>(at < 0 ? -at : at));
    const auto sign = hn::Set(du, at < 0 ? ~std::uint64_t{0} : 0);
    const auto value = cos_sin_of_phase(d, phase_of(du, turns, magnitude, sign), factor);
    cos_value[i] = value.cos;
    sin_value[i] = value.sin;
  }
  std::uint32_t undecided = 0;
  for (int i = 0; i < Together; ++i) {
    const cos_sin_vector<hn::Vec<row_tag>> value{cos_value[i], sin_value[i]};
    const cos_sin_vector<hn::Vec<row_tag>> reach{hn::MulAdd(hn::Abs(value.cos), relative, phase_error),
                                                 hn::MulAdd(hn::Abs(value.sin), relative, phase_error)};
    const std::size_t first = static_cast<std::size_t>(row + i) * width;
    const auto differs = store_rounded<rounding>(d, value, reach, first, cos, sin);
    if (HWY_UNLIKELY(!hn::AllTrue(bits, hn::Eq(differs, hn::Zero(bits)))))
      undecided |= std::uint32_t{1} << (row + i);
  }
  return undecided;
}

HWY_INLINE std::uint32_t rows_by_phase_of(const row_source& source, double relative_reach,
                                          std::int64_t position, int rows, float* cos, float* sin) {
  constexpr int together = 4;
  const row_tag d;
  const hn::RebindToUnsigned<row_tag> du;
  const auto relative = hn::Set(d, relative_reach), factor = hn::Set(d, source.factor);
  const auto width = static_cast<std::size_t>(padded_to_blocks(source.pairs));
  std::uint32_t undecided = 0;
  for (std::size_t pair = 0; pair < static_cast<std::size_t>(source.pairs); pair += hn::MaxLanes(d)) {
    const turn_block& block = source.blocks[pair / block_pairs];
    const std::size_t lane = pair % block_pairs;
    const turn_words_vector<hn::Vec<decltype(du)>> turns{hn::LoadU(du, block.low + lane),
                                                         hn::LoadU(du, block.middle + lane),
                                                         hn::LoadU(du, block.high + lane)};
    const auto phase_error = hn::Mul(hn::LoadU(d, block.phase_error + lane), factor);
    int row = 0;
    for (; row + together <= rows; row += together)
      undecided |= undecided_rows<together>(turns, relative, phase_error, factor, position, row, width,
                                            cos + pair, sin + pair);
    for (; row < rows; ++row)
      undecided |= undecided_rows<1>(turns, relative, phase_error, factor, position, row, width, cos + pair,
                                     sin + pair);
  }
  return undecided;
}

/// Rows with an entry near a tie of a 16-bit format.
HWY_INLINE std::uint32_t near_ties_of(const float* cos, const float* sin, int rows, std::size_t width) {
  const hn::CappedTag<float, row_multiple> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  std::uint32_t near = 0;
  for (int row = 0; row < rows; ++row, cos += width, sin += width) {
    auto undecided = hn::MaskFromVec(hn::Zero(du));
    for (std::size_t at = 0; at < width; at += hn::MaxLanes(d))
      undecided = hn::Or(undecided, hn::Or(is_near_tie(du, hn::BitCast(du, hn::LoadU(d, cos + at))),
                                           is_near_tie(du, hn::BitCast(du, hn::LoadU(d, sin + at)))));
    if (HWY_UNLIKELY(!hn::AllFalse(du, undecided))) near |= std::uint32_t{1} << row;
  }
  return near;
}

/// Rows with a 16-bit number that is not its binary32 number rounded.
template <class Format>
HWY_INLINE std::uint32_t not_rounded_of(const float* from, const std::uint16_t* to, int rows,
                                        std::size_t width) {
  const hn::CappedTag<float, row_multiple> d;
  const typename Format::template memory<decltype(d)> dn;
  std::uint32_t bits = 0;
  for (int row = 0; row < rows; ++row, from += width, to += width) {
    auto differs = hn::Zero(dn);
    for (std::size_t at = 0; at < width; at += hn::MaxLanes(d))
      differs = hn::Or(differs, hn::Xor(Format::narrow(d, hn::LoadU(d, from + at)), hn::LoadU(dn, to + at)));
    if (HWY_UNLIKELY(!hn::AllTrue(dn, hn::Eq(differs, hn::Zero(dn))))) bits |= std::uint32_t{1} << row;
  }
  return bits;
}

}  // namespace ropewalk::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
