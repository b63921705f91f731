// Rotates heads by a row, for one target: loads as much of the row as registers hold, then rotates all heads
// by that part. Included once per target.

#if defined(ROPEWALK_SIMD_HEADS) == defined(HWY_TARGET_TOGGLE)
#ifdef ROPEWALK_SIMD_HEADS
#undef ROPEWALK_SIMD_HEADS
#else
#define ROPEWALK_SIMD_HEADS
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <cstring>
#include <span>
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
  template <class D>
  using step = pairs_step<Format_, In, Out, Streams, D>;
  static constexpr bool turns_channels = false;
#else
  static constexpr bool is_bf16 = std::is_base_of_v<bf16_format, Format_>;
  static constexpr bool stays = In == Out;
  static constexpr bool turns_channels = stays && In == pairing::interleaved && !is_bf16;
  template <class D>
  using bf16_step = std::conditional_t<In == pairing::interleaved, bf16_interleaved_step<Format_, Streams, D>,
                                       bf16_half_split_step<Format_, Streams, D>>;
  template <class D>
  using step = std::conditional_t<
      turns_channels, channels_step<Format_, Streams, D>,
      std::conditional_t<stays && is_bf16, bf16_step<D>, pairs_step<Format_, In, Out, Streams, D>>>;
#endif
  static constexpr std::size_t fewest_lanes = turns_channels ? 2 : 1;
};

/// Count consecutive steps. Members instead of an array, so that each stays in its own registers whether or
/// not the compiler unrolls a loop.
template <class Step, std::size_t Count>
struct steps_in_a_row {
  Step first;
  steps_in_a_row<Step, Count - 1> others;

  HWY_INLINE steps_in_a_row() {}
  HWY_INLINE void load(const row_part<typename Step::lane>& row) {
    first.load(row);
    if constexpr (Count > 1) others.load({row.cos + Step::width, row.sin + Step::width, row.sign});
  }
  template <std::size_t At = 0>
  HWY_INLINE void turn(const head_place<typename Step::stored>& place) const {
    first.template turn<At>(place);
    if constexpr (Count > 1) others.template turn<At + Step::width>(place);
  }
};

template <class Step>
struct steps_in_a_row<Step, 0> {
  HWY_INLINE steps_in_a_row() {}
};

/// Rotates the pairs of Count consecutive steps in all heads of a token; their part of the row stays in
/// registers. In binary32 the loop saturates the stores, which take 64 bytes per cycle; in 16 bits, the two
/// multipliers and the conversions between them. Reading the next head before this one is written gained
/// nothing, and lost 5 to 18 % if stores bypass the caches.
template <class Step, std::size_t Count>
HWY_INLINE void turn_all_heads(const heads_shape& shape, const token_heads& token, std::size_t at) {
  using stored = typename Step::stored;
  using lane = typename Step::lane;
  steps_in_a_row<Step, Count> steps;
  steps.load({static_cast<const lane*>(token.cos) + at, static_cast<const lane*>(token.sin) + at,
              shape.backward ? lane{-0.0} : lane{0}});
  const auto* from = reinterpret_cast<const stored*>(token.from);
  auto* to = reinterpret_cast<stored*>(token.to);
  const std::size_t second = static_cast<std::size_t>(shape.pairs) + at;
  head_place<stored> place{from + channel_of(Step::in, at), from + second, to + channel_of(Step::out, at),
                           to + second};
  constexpr auto size = static_cast<std::ptrdiff_t>(sizeof(stored));
  const std::ptrdiff_t from_stride = shape.from_stride / size, to_stride = shape.to_stride / size;
  for (std::int64_t left = shape.heads; left > 0; --left) {
    steps.turn(place);
    place.from += from_stride, place.from_second += from_stride;
    place.to += to_stride, place.to_second += to_stride;
  }
}

/// Rotates from pair `at` on: Count steps at once, then half as many, and so on. Returns the first pair not
/// rotated.
template <class Step, std::size_t Count>
HWY_INLINE std::size_t turn_steps(const heads_shape& shape, const token_heads& token, std::size_t at) {
  for (; at + Count * Step::width <= static_cast<std::size_t>(shape.pairs); at += Count * Step::width)
    turn_all_heads<Step, Count>(shape, token, at);
  if constexpr (Count > 1) return turn_steps<Step, Count / 2>(shape, token, at);
  return at;
}

/// Half of the vector registers hold the row.
inline constexpr std::size_t row_registers = HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3 ? 16 : 8;

/// Rotates from pair `at` on: Count steps of vectors with up to Cap lanes at once, then fewer, then one step
/// of each narrower width, because the wider one leaves less than twice that. Returns the first pair not
/// rotated.
template <class Turning, std::size_t Cap, std::size_t Count>
HWY_INLINE std::size_t turn_from(const heads_shape& shape, const token_heads& token, std::size_t at) {
  using tag = hn::CappedTag<typename Turning::format::lane, Cap>;
  using step = typename Turning::template step<tag>;
  constexpr std::size_t lanes = hn::MaxLanes(tag());
  at = turn_steps<step, Count>(shape, token, at);
  if constexpr (lanes > Turning::fewest_lanes)
    if (at < static_cast<std::size_t>(shape.pairs)) return turn_from<Turning, lanes / 2, 1>(shape, token, at);
  return at;
}

/// Steps of the target's full width whose part of the row fills half of the registers.
template <class Turning, class Tag = hn::CappedTag<typename Turning::format::lane, 16>>
constexpr std::size_t steps_at_once = row_registers * sizeof(hn::Vec<Tag>) /
                                      sizeof(typename Turning::template step<Tag>);

template <class Format, pairing In, pairing Out, bool Streams>
HWY_INLINE void turn_token(const heads_shape& shape, const token_heads& token) {
  using chosen = turning<Format, In, Out, Streams>;
  const std::size_t done = turn_from<chosen, 16, steps_at_once<chosen>>(shape, token, 0);
  if constexpr (!chosen::turns_channels) {  // a step of two pairs may leave one pair
    using last = pairs_step<Format, In, Out, false, hn::CappedTag<typename Format::lane, 1>>;
    if (done < static_cast<std::size_t>(shape.pairs)) turn_all_heads<last, 1>(shape, token, done);
  }
  if (shape.rest == 0 || token.from == token.to) return;
  const std::size_t rotated = 2 * static_cast<std::size_t>(shape.pairs) * sizeof(typename Format::stored);
  for (std::int64_t head = 0; head < shape.heads; ++head)
    std::memcpy(token.to + head * shape.to_stride + rotated, token.from + head * shape.from_stride + rotated,
                shape.rest);
}

/// Prefetches the row of the next token, which for a table is in no near cache: 1 % of the time of 512
/// tokens.
template <class Lane>
HWY_INLINE void prefetch_row(const token_heads& token, int pairs) {
  constexpr int lanes = stream_alignment / sizeof(Lane);
  for (int pair = 0; pair < pairs; pair += lanes) {
    hwy::Prefetch(static_cast<const Lane*>(token.cos) + pair);
    hwy::Prefetch(static_cast<const Lane*>(token.sin) + pair);
  }
}

template <class Format, pairing In, pairing Out, bool Streams>
void turn_heads(const heads_shape& shape, std::span<const token_heads> tokens) {
  if (shape.heads == 0) return;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (i + 1 < tokens.size()) prefetch_row<typename Format::lane>(tokens[i + 1], shape.pairs);
    turn_token<Format, In, Out, Streams>(shape, tokens[i]);
  }
}

template <class Lane>
void choose_pairs(const axis_choice& choice, const void* others, const void* of_axis, void* to) {
  const auto *other = static_cast<const Lane*>(others), *chosen = static_cast<const Lane*>(of_axis);
  auto* out = static_cast<Lane*>(to);
  const auto pairs = static_cast<std::size_t>(choice.pairs);
  std::size_t at = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::CappedTag<Lane, block_pairs> d;
  const hn::RebindToSigned<decltype(d)> wide;
  const hn::Rebind<std::int32_t, decltype(d)> number;
  static_assert(sizeof(int) == sizeof(std::int32_t));
  for (; at + hn::MaxLanes(d) <= pairs; at += hn::MaxLanes(d)) {
    hn::Vec<decltype(wide)> axis;
    if constexpr (sizeof(Lane) == sizeof(std::int32_t))
      axis = hn::LoadU(number, choice.axis_of_pair + at);
    else
      axis = hn::PromoteTo(wide, hn::LoadU(number, choice.axis_of_pair + at));
    const auto is_chosen = hn::RebindMask(d, hn::Eq(axis, hn::Set(wide, choice.axis)));
    hn::StoreU(hn::IfThenElse(is_chosen, hn::LoadU(d, chosen + at), hn::LoadU(d, other + at)), d, out + at);
  }
#endif
  for (; at < pairs; ++at) out[at] = choice.axis_of_pair[at] == choice.axis ? chosen[at] : other[at];
}

}  // namespace ropewalk::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
