// Turns heads by a row, for one target: loads as much of the row as registers hold, then turns all heads by
// that part. Included once for each target.

#if defined(ROPEWALK_SIMD_HEADS) == defined(HWY_TARGET_TOGGLE)
#ifdef ROPEWALK_SIMD_HEADS
#undef ROPEWALK_SIMD_HEADS
#else
#define ROPEWALK_SIMD_HEADS
#endif

#include <hwy/highway.h>

#include <cstring>
#include <type_traits>

#include "kernel/simd/format-inl.hpp"
#include "kernel/simd/simd.hpp"
#include "kernel/simd/step-inl.hpp"
#include "ropewalk/config/head_layout.hpp"

HWY_BEFORE_NAMESPACE();
namespace ropewalk::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Selects the step for a format and its pairings on this target.
template <class Format_, pairing In, pairing Out, bool Streams>
struct turning {
  using format = Format_;
#if HWY_TARGET == HWY_SCALAR
  static constexpr bool spreads = false;
  template <class D>
  using step = pairs_step<Format_, In, Out, Streams, D>;
#else
  static constexpr bool is_bf16 = std::is_same_v<Format_, bf16_format>;
  static constexpr bool stays = In == Out;
  static constexpr bool spreads = stays && In == pairing::interleaved && !is_bf16;
  template <class D>
  using bf16_step = std::conditional_t<In == pairing::interleaved, bf16_interleaved_step<Streams, D>,
                                       bf16_half_split_step<Streams, D>>;
  template <class D>
  using step = std::conditional_t<
      spreads, channels_step<Format_, Streams, D>,
      std::conditional_t<stays && is_bf16, bf16_step<D>, pairs_step<Format_, In, Out, Streams, D>>>;
#endif
  static constexpr std::size_t fewest_lanes = spreads ? 2 : 1;
};

/// Count consecutive steps. Members instead of an array, so that each stays in registers of its own whether
/// or not the compiler unrolls a loop.
template <class Step, std::size_t Count>
struct steps_in_a_row {
  Step first;
  steps_in_a_row<Step, Count - 1> others;

  HWY_INLINE steps_in_a_row() {}
  HWY_INLINE void load(const typename Step::lane* cos, const typename Step::lane* sin, std::size_t at) {
    first.load(cos, sin, at);
    if constexpr (Count > 1) others.load(cos, sin, at + Step::width);
  }
  HWY_INLINE void turn(const typename Step::stored* from, typename Step::stored* to, std::size_t pairs,
                       std::size_t at) const {
    first.turn(from, to, pairs, at);
    if constexpr (Count > 1) others.turn(from, to, pairs, at + Step::width);
  }
};

template <class Step>
struct steps_in_a_row<Step, 0> {
  HWY_INLINE steps_in_a_row() {}
};

/// Turns the pairs of Count consecutive steps in all heads; their part of the row stays in registers.
template <class Step, std::size_t Count>
HWY_INLINE void turn_all_heads(const head_run& run, const void* cos, const void* sin, std::size_t at) {
  using stored = typename Step::stored;
  using lane = typename Step::lane;
  steps_in_a_row<Step, Count> steps;
  steps.load(static_cast<const lane*>(cos), static_cast<const lane*>(sin), at);
  const auto pairs = static_cast<std::size_t>(run.pairs);
  const std::byte* from = run.from;
  std::byte* to = run.to;
  for (std::int64_t head = 0; head < run.heads; ++head, from += run.from_stride, to += run.to_stride)
    steps.turn(reinterpret_cast<const stored*>(from), reinterpret_cast<stored*>(to), pairs, at);
}

/// Turns from pair `at` on: Count steps at once, then half as many, and so on. Returns the first pair not
/// turned.
template <class Step, std::size_t Count>
HWY_INLINE std::size_t turn_steps(const head_run& run, const void* cos, const void* sin, std::size_t at) {
  for (; at + Count * Step::width <= static_cast<std::size_t>(run.pairs); at += Count * Step::width)
    turn_all_heads<Step, Count>(run, cos, sin, at);
  if constexpr (Count > 1) return turn_steps<Step, Count / 2>(run, cos, sin, at);
  return at;
}

/// Half of the vector registers hold the row.
inline constexpr std::size_t row_registers = HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3 ? 16 : 8;

/// Turns from pair `at` on: vectors of the target's full width, then narrower ones for the remainder. Returns
/// the first pair not turned.
template <class Turning, std::size_t Cap>
HWY_INLINE std::size_t turn_from(const head_run& run, const void* cos, const void* sin, std::size_t at) {
  using tag = hn::CappedTag<typename Turning::format::lane, Cap>;
  using step = typename Turning::template step<tag>;
  constexpr std::size_t lanes = hn::MaxLanes(tag());
  at = turn_steps<step, row_registers * sizeof(hn::Vec<tag>) / sizeof(step)>(run, cos, sin, at);
  if constexpr (lanes > Turning::fewest_lanes)
    if (at < static_cast<std::size_t>(run.pairs)) return turn_from<Turning, lanes / 2>(run, cos, sin, at);
  return at;
}

template <class Format, pairing In, pairing Out, bool Streams>
void turn_heads(const head_run& run, const void* cos, const void* sin) {
  using chosen = turning<Format, In, Out, Streams>;
  const std::size_t done = turn_from<chosen, 16>(run, cos, sin, 0);
  if constexpr (!chosen::spreads) {  // a step of two pairs may leave one
    using last = pairs_step<Format, In, Out, false, hn::CappedTag<typename Format::lane, 1>>;
    if (done < static_cast<std::size_t>(run.pairs)) turn_all_heads<last, 1>(run, cos, sin, done);
  }
  if (run.rest == 0 || run.from == run.to) return;
  const std::size_t rotated = 2 * static_cast<std::size_t>(run.pairs) * sizeof(typename Format::stored);
  for (std::int64_t head = 0; head < run.heads; ++head)
    std::memcpy(run.to + head * run.to_stride + rotated, run.from + head * run.from_stride + rotated,
                run.rest);
}

/// The spread_function of a target. Rows are padded, so that whole vectors may be read and written.
template <class Lane>
void spread_row(const void* cos, const void* sin, int pairs, void* wide_cos, void* wide_sin) {
  const hn::CappedTag<Lane, block_pairs> d;
  for (std::size_t at = 0; at < static_cast<std::size_t>(pairs); at += hn::MaxLanes(d)) {
    const auto c = hn::LoadU(d, static_cast<const Lane*>(cos) + at);
    const auto s = hn::LoadU(d, static_cast<const Lane*>(sin) + at);
    hn::StoreInterleaved2(c, c, d, static_cast<Lane*>(wide_cos) + 2 * at);
    hn::StoreInterleaved2(hn::Neg(s), s, d, static_cast<Lane*>(wide_sin) + 2 * at);
  }
}

}  // namespace ropewalk::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
