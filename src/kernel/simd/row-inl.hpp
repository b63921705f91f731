// The row of one position, for one target: phases by integer wraparound, polynomials in binary64, and the
// rounding test, which finds entries that may not be correctly rounded. Included once per target.

#if defined(ROPEWALK_SIMD_ROW) == defined(HWY_TARGET_TOGGLE)
#ifdef ROPEWALK_SIMD_ROW
#undef ROPEWALK_SIMD_ROW
#else
#define ROPEWALK_SIMD_ROW
#endif

#include <hwy/highway.h>

#include "kernel/quarter_turn.hpp"
#include "kernel/simd/rounding-inl.hpp"
#include "kernel/simd/simd.hpp"

HWY_BEFORE_NAMESPACE();
namespace ropewalk::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// The product of the low 32 bits of each lane.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V multiply_words(D d, V a, V b) {
#if HWY_TARGET == HWY_SCALAR
  return hn::Set(d, hn::GetLane(a) * hn::GetLane(b));  // this target cannot view a lane as two halves
#else
  const hn::Repartition<std::uint32_t, D> halves;
  (void)d;
  return hn::MulEven(hn::BitCast(halves, a), hn::BitCast(halves, b));
#endif
}

/// Words of turns per position, as in turn_block.
template <class V>
struct turn_words_vector {
  V low;
  V middle;
  V high;
};

/// position x turns modulo 1 in units of 2^-64 turns, truncated. `magnitude` is |position|; `sign` is all
/// ones for a negative position, else 0.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V phase_of(D d, turn_words_vector<V> turns, V magnitude, V sign) {
  const V low = hn::ShiftRight<32>(multiply_words(d, turns.low, magnitude));
  const V middle = multiply_words(d, turns.middle, magnitude);
  const V high = hn::ShiftLeft<32>(multiply_words(d, turns.high, magnitude));
  const V phase = hn::Add(hn::Add(low, middle), high);
  return hn::Sub(hn::Xor(phase, sign), sign);
}

/// Horner's rule, with fused multiply-add if the target has it: the error budget covers both.
template <class D, std::size_t Count, class V = hn::Vec<D>>
HWY_INLINE V evaluate(D d, const double (&coefficient)[Count], V u) {
  V sum = hn::Set(d, coefficient[Count - 1]);
  for (std::size_t i = Count - 1; i-- > 0;) sum = hn::MulAdd(u, sum, hn::Set(d, coefficient[i]));
  return sum;
}

/// Cosine and sine of a phase, times factor. `quarters`: quarter turns per unit of the phase's rest.
template <class D, class V = hn::Vec<D>, class DU = hn::RebindToUnsigned<D>>
HWY_INLINE cos_sin_vector<V> cos_sin_of_phase(D d, hn::Vec<DU> phase, V quarters, V factor) {
  const DU du;
  const hn::RebindToSigned<D> di;
  const auto quarter = hn::ShiftRight<62>(hn::Add(phase, hn::Set(du, std::uint64_t{1} << 61)));
  const auto rest = hn::BitCast(di, hn::Sub(phase, hn::ShiftLeft<62>(quarter)));
  const V x = hn::Mul(hn::ConvertTo(d, rest), quarters);  // |x| <= 1/2
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

/// The same for a phase in units of 2^-64 turns.
template <class D, class V = hn::Vec<D>, class DU = hn::RebindToUnsigned<D>>
HWY_INLINE cos_sin_vector<V> cos_sin_of_phase(D d, hn::Vec<DU> phase, V factor) {
  return cos_sin_of_phase(d, phase, hn::Set(d, 0x1p-62), factor);
}

/// Calls visit(pair, {cos, sin}, phase_error) for each vector of a row, all three times the factor. Latency
/// bounds this loop: eight pairs take 35 cycles of a Zen 5, whose two multipliers are busy for half of them.
template <class D, class Visit>
HWY_INLINE void for_each_of_row(D d, const row_source& source, std::int64_t position, Visit visit) {
  const hn::RebindToUnsigned<D> du;
  const auto magnitude = hn::Set(du, static_cast<std::uint64_t>(position < 0 ? -position : position));
  const auto sign = hn::Set(du, position < 0 ? ~std::uint64_t{0} : 0);
  const auto factor = hn::Set(d, source.factor);
  for (std::size_t pair = 0; pair < static_cast<std::size_t>(source.pairs); pair += hn::MaxLanes(d)) {
    const turn_block& block = source.blocks[pair / block_pairs];
    const std::size_t lane = pair % block_pairs;
    const turn_words_vector<hn::Vec<decltype(du)>> turns{hn::LoadU(du, block.low + lane),
                                                         hn::LoadU(du, block.middle + lane),
                                                         hn::LoadU(du, block.high + lane)};
    const auto phase = phase_of(du, turns, magnitude, sign);
    visit(pair, cos_sin_of_phase(d, phase, factor), hn::Mul(hn::LoadU(d, block.phase_error + lane), factor));
  }
}

using row_tag = hn::CappedTag<double, block_pairs>;

template <class Rounding>
HWY_INLINE int row_of(const row_source& source, std::int64_t position, typename Rounding::stored* cos,
                      typename Rounding::stored* sin, std::uint16_t* undecided) {
  const row_tag d;
  const auto relative = hn::Set(d, quarter_turn::relative_error);
  int listed = 0;
  for_each_of_row(d, source, position, [&](std::size_t pair, auto value, auto phase_error) HWY_ATTR {
    const decltype(value) reach{hn::MulAdd(hn::Abs(value.cos), relative, phase_error),
                                hn::MulAdd(hn::Abs(value.sin), relative, phase_error)};
    listed += round_tested<Rounding>(d, value, reach, pair, source.pairs, cos, sin, undecided + listed);
  });
  return listed;
}

/// The two halves of a binary64 position's magnitude, in each lane.
template <class V>
struct magnitude_vector {
  V low;
  V high;
  V sign;  // all ones for a negative position, else 0
};

/// position x turns modulo 1 in units of 2^-64, truncated: by up to 3 units.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V real_phase_of(D d, const real_turn_block& block, std::size_t lane,
                           magnitude_vector<V> position) {
  const V lowest = hn::LoadU(d, block.word[0] + lane), low = hn::LoadU(d, block.word[1] + lane),
          middle = hn::LoadU(d, block.word[2] + lane), high = hn::LoadU(d, block.word[3] + lane);
  const V carried = hn::Add(hn::ShiftRight<32>(multiply_words(d, low, position.low)),
                            hn::ShiftRight<32>(multiply_words(d, lowest, position.high)));
  const V whole = hn::Add(multiply_words(d, middle, position.low), multiply_words(d, low, position.high));
  const V above = hn::Add(multiply_words(d, high, position.low), multiply_words(d, middle, position.high));
  const V phase = hn::Add(hn::Add(carried, whole), hn::ShiftLeft<32>(above));
  return hn::Sub(hn::Xor(phase, position.sign), position.sign);
}

/// Calls visit(pair, {cos, sin}, phase_error) for each vector of a row at a position in binary64, all three
/// times the factor; no value is -0.
template <class Visit>
HWY_INLINE void for_each_of_real_row(const real_row_source& source, real_magnitude position, Visit visit) {
  const row_tag d;
  const hn::RebindToUnsigned<row_tag> du;
  const magnitude_vector<hn::Vec<decltype(du)>> magnitude{
      hn::Set(du, position.size & 0xffffffff), hn::Set(du, position.size >> 32),
      hn::Set(du, position.is_negative ? ~std::uint64_t{0} : 0)};
  const auto factor = hn::Set(d, source.factor), zero = hn::Zero(d);
  for (std::size_t pair = 0; pair < static_cast<std::size_t>(source.pairs); pair += hn::MaxLanes(d)) {
    const real_turn_block& block = source.blocks[pair / block_pairs];
    const std::size_t lane = pair % block_pairs;
    const auto phase = real_phase_of(du, block, lane, magnitude);
    auto value = cos_sin_of_phase(d, phase, hn::LoadU(d, block.quarters + lane), factor);
    value = {hn::Add(value.cos, zero), hn::Add(value.sin, zero)};  // -0 becomes +0
    visit(pair, value, hn::Mul(hn::LoadU(d, block.phase_error + lane), factor));
  }
}

HWY_INLINE int real_row_of(const real_row_source& source, real_magnitude position, float* cos, float* sin,
                           std::uint16_t* undecided) {
  const row_tag d;
  const auto relative = hn::Set(d, quarter_turn::relative_error);
  int listed = 0;
  for_each_of_real_row(source, position, [&](std::size_t pair, auto value, auto phase_error) HWY_ATTR {
    const decltype(value) reach{hn::MulAdd(hn::Abs(value.cos), relative, phase_error),
                                hn::MulAdd(hn::Abs(value.sin), relative, phase_error)};
    listed += round_tested<binary32_rounding<row_tag, false>>(d, value, reach, pair, source.pairs, cos, sin,
                                                              undecided + listed);
  });
  return listed;
}

HWY_INLINE void real_seed_of(const real_row_source& source, real_magnitude position, double* cos,
                             double* sin) {
  const row_tag d;
  for_each_of_real_row(source, position, [&](std::size_t pair, auto value, auto) HWY_ATTR {
    hn::StoreU(value.cos, d, cos + pair);
    hn::StoreU(value.sin, d, sin + pair);
  });
}

HWY_INLINE int angles_of(const angle_units& units, const float* angles, int count, float* cos, float* sin,
                         std::uint16_t* undecided) {
  const row_tag d;
  const hn::RebindToUnsigned<row_tag> du;
  const hn::RebindToSigned<row_tag> di;
  const hn::Rebind<std::uint32_t, row_tag> of_float;
  const hn::Rebind<float, row_tag> df;
  const auto first = hn::Set(d, 1.0), relative = hn::Set(d, quarter_turn::relative_error);
  int listed = 0;
  for (std::size_t at = 0; at < static_cast<std::size_t>(count); at += hn::MaxLanes(d)) {
    const auto bits = hn::PromoteTo(du, hn::BitCast(of_float, hn::LoadU(df, angles + at)));
    const auto field = hn::BitCast(di, hn::And(hn::ShiftRight<23>(bits), hn::Set(du, 0xff)));
    const auto magnitude = hn::Or(hn::And(bits, hn::Set(du, 0x7fffff)), hn::Set(du, 0x800000));
    const auto sign = hn::Sub(hn::Zero(du), hn::ShiftRight<31>(bits));
    const turn_words_vector<hn::Vec<decltype(du)>> turns{hn::GatherIndex(du, units.low, field),
                                                         hn::GatherIndex(du, units.middle, field),
                                                         hn::GatherIndex(du, units.high, field)};
    const auto value = cos_sin_of_phase(d, phase_of(du, turns, magnitude, sign), first);
    const auto phase_error = hn::GatherIndex(d, units.phase_error, field);
    const decltype(value) reach{hn::MulAdd(hn::Abs(value.cos), relative, phase_error),
                                hn::MulAdd(hn::Abs(value.sin), relative, phase_error)};
    listed += round_tested<binary32_rounding<row_tag, false>>(d, value, reach, at, count, cos, sin,
                                                              undecided + listed);
  }
  return listed;
}

HWY_INLINE void seed_of(const row_source& source, std::int64_t position, double* cos, double* sin) {
  const row_tag d;
  for_each_of_row(d, source, position, [&](std::size_t pair, auto value, auto) HWY_ATTR {
    hn::StoreU(value.cos, d, cos + pair);
    hn::StoreU(value.sin, d, sin + pair);
  });
}

/// Stores reaches in binary64, and twice as wide in binary32, to cover a conversion's loss below the smallest
/// normal number.
HWY_INLINE void store_reach(hn::Vec<row_tag> reach, double* to, float* to_float) {
  const row_tag d;
  const hn::Rebind<float, row_tag> df;
  const auto wide = hn::Max(hn::Add(reach, reach), hn::Set(d, 0x1p-126));
  hn::StoreU(reach, d, to);
  hn::StoreU(hn::DemoteTo(df, hn::IfThenZeroElse(hn::Eq(reach, hn::Zero(d)), wide)), df, to_float);
}

HWY_INLINE void reach_of(const row_source& source, double relative_reach, const double* widest_step_sin,
                         const double* cos, const double* sin, const seed_reaches& reaches) {
  const row_tag d;
  const auto relative = hn::Set(d, relative_reach);
  const auto doubled =
      hn::Set(d, source.factor * (quarter_turn::sum_phase_error / quarter_turn::phase_error));
  const std::size_t pairs = static_cast<std::size_t>(source.pairs);
  for (std::size_t pair = 0; pair < pairs; pair += hn::MaxLanes(d)) {
    const auto c = hn::Abs(hn::LoadU(d, cos + pair)), s = hn::Abs(hn::LoadU(d, sin + pair));
    const auto step_s = hn::LoadU(d, widest_step_sin + pair);
    const turn_block& block = source.blocks[pair / block_pairs];
    const auto error = hn::Mul(hn::LoadU(d, block.phase_error + pair % block_pairs), doubled);
    const auto is_pair = hn::FirstN(d, pairs - pair);  // the padding is never undecided
    const auto of_cos = hn::MulAdd(hn::MulAdd(s, step_s, c), relative, error);
    const auto of_sin = hn::MulAdd(hn::MulAdd(c, step_s, s), relative, error);
    store_reach(hn::IfThenElseZero(is_pair, of_cos), reaches.cos + pair, reaches.cos_float + pair);
    store_reach(hn::IfThenElseZero(is_pair, of_sin), reaches.sin + pair, reaches.sin_float + pair);
  }
}

/// Cosines and sines of the sum of a seed's angle and a step's, for the pairs from `pair` on. The step's row
/// begins at `row`.
HWY_INLINE cos_sin_vector<hn::Vec<row_tag>> sum_at(const angle_sum& angles, std::size_t row,
                                                   std::size_t pair) {
  const row_tag d;
  const auto c = hn::LoadU(d, angles.cos + pair), s = hn::LoadU(d, angles.sin + pair);
  const auto step_c = hn::LoadU(d, angles.step_cos + row + pair);
  const auto step_s = hn::LoadU(d, angles.step_sin + row + pair);
  return {hn::MulSub(c, step_c, hn::Mul(s, step_s)), hn::MulAdd(s, step_c, hn::Mul(c, step_s))};
}

HWY_INLINE cos_sin_vector<hn::Vec<row_tag>> reach_at(const angle_sum& angles, std::size_t pair) {
  const row_tag d;
  return {hn::LoadU(d, angles.cos_reach + pair), hn::LoadU(d, angles.sin_reach + pair)};
}

template <class Rounding>
HWY_INLINE int sum_of(const angle_sum& angles, typename Rounding::stored* cos, typename Rounding::stored* sin,
                      std::uint16_t* undecided) {
  int listed = 0;
  for (std::size_t pair = 0; pair < static_cast<std::size_t>(angles.pairs); pair += hn::MaxLanes(row_tag()))
    listed += round_tested<Rounding>(row_tag(), sum_at(angles, 0, pair), reach_at(angles, pair), pair,
                                     angles.pairs, cos, sin, undecided + listed);
  return listed;
}

/// The rounding test's additions and conversions saturate the two addition ports of a Zen 5. Streaming stores
/// of long tables take as long.
template <class Rounding>
HWY_INLINE std::uint32_t sums_of(const angle_sum& sum, int rows, typename Rounding::stored* cos,
                                 typename Rounding::stored* sin) {
  const typename Rounding::bits_tag du;
  const angle_sum angles = sum;  // in registers: stores cannot change it
  const std::size_t pairs = static_cast<std::size_t>(angles.pairs);
  std::size_t step = 0;
  std::uint32_t undecided = 0;
  for (int row = 0; row < rows; ++row, cos += pairs, sin += pairs) {
    auto differs = hn::Zero(du);
    for (std::size_t pair = 0; pair < pairs; pair += hn::MaxLanes(row_tag()))
      differs = hn::Or(differs, store_rounded<Rounding>(row_tag(), sum_at(angles, step, pair),
                                                        reach_at(angles, pair), pair, cos, sin));
    if (HWY_UNLIKELY(!hn::AllTrue(du, hn::Eq(differs, hn::Zero(du))))) undecided |= std::uint32_t{1} << row;
    step += static_cast<std::size_t>(padded(angles.pairs));
  }
  return undecided;
}

}  // namespace ropewalk::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
