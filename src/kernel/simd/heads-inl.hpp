// Heads turned by a row, for one target: two products and a sum or difference each, every operation rounded, none fused.
// Included once for each target.

#if defined(ROPEWALK_SIMD_HEADS) == defined(HWY_TARGET_TOGGLE)
#ifdef ROPEWALK_SIMD_HEADS
#undef ROPEWALK_SIMD_HEADS
#else
#define ROPEWALK_SIMD_HEADS
#endif

#include <hwy/highway.h>

#include <cstring>

#include "kernel/simd/format-inl.hpp"
#include "kernel/simd/simd.hpp"
#include "ropewalk/config/head_layout.hpp"

HWY_BEFORE_NAMESPACE();
namespace ropewalk::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// How a head is read and written.
template <class Format_, pairing In_, pairing Out_, bool Streams_>
struct turning {
  using format = Format_;
  static constexpr pairing in = In_;
  static constexpr pairing out = Out_;
  static constexpr bool streams = Streams_;
  static constexpr bool spread = In_ == pairing::interleaved && Out_ == pairing::interleaved;
};

/// One head as the loops see it.
template <class Turning>
struct head_at {
  using stored = typename Turning::format::stored;
  using lane = typename Turning::format::lane;
  const stored* from;
  stored* to;
  const lane* cos;
  const lane* sin;
  std::size_t pairs;
};

template <bool Streams, class D, class V, class T>
HWY_INLINE void put(D d, V v, T* to) {
  if constexpr (Streams)
    hn::Stream(v, d, to);
  else
    hn::StoreU(v, d, to);
}

/// Channels side by side, both of a pair in one vector: `at` counts channels, the row is spread.
template <class Turning, class D>
HWY_INLINE void turn_channels(D d, const head_at<Turning>& head, std::size_t at) {
  using format = typename Turning::format;
  const typename format::template memory<D> dm;
  const auto x = format::widen(d, hn::LoadU(dm, head.from + at));
  const auto cos = hn::LoadU(d, head.cos + at);
  const auto sin = hn::LoadU(d, head.sin + at);
#if HWY_TARGET == HWY_SCALAR
  const auto other = format::widen(d, hn::LoadU(dm, head.from + at + 1));
  const auto y = hn::Add(hn::Mul(x, cos), hn::Mul(other, sin));
  const auto other_y =
      hn::Add(hn::Mul(other, hn::LoadU(d, head.cos + at + 1)), hn::Mul(x, hn::LoadU(d, head.sin + at + 1)));
  hn::StoreU(format::narrow(d, other_y), dm, head.to + at + 1);
#else
  const auto y = hn::Add(hn::Mul(x, cos), hn::Mul(hn::Reverse2(d, x), sin));
#endif
  put<Turning::streams>(dm, format::narrow(d, y), head.to + at);
}

/// The first and the second channels of as many pairs as a vector has lanes: `at` counts pairs.
template <class Turning, class D>
HWY_INLINE void turn_pairs(D d, const head_at<Turning>& head, std::size_t at) {
  using format = typename Turning::format;
  using memory = typename format::template memory<D>;
  const memory dm;
  hn::Vec<memory> first, second;
  if constexpr (Turning::in == pairing::interleaved) {
    hn::LoadInterleaved2(dm, head.from + 2 * at, first, second);
  } else {
    first = hn::LoadU(dm, head.from + at);
    second = hn::LoadU(dm, head.from + head.pairs + at);
  }
  const auto x0 = format::widen(d, first);
  const auto x1 = format::widen(d, second);
  const auto cos = hn::LoadU(d, head.cos + at);
  const auto sin = hn::LoadU(d, head.sin + at);
  const auto y0 = format::narrow(d, hn::Sub(hn::Mul(x0, cos), hn::Mul(x1, sin)));
  const auto y1 = format::narrow(d, hn::Add(hn::Mul(x0, sin), hn::Mul(x1, cos)));
  if constexpr (Turning::out == pairing::interleaved) {
    hn::StoreInterleaved2(y0, y1, dm, head.to + 2 * at);
  } else {
    put<Turning::streams>(dm, y0, head.to + at);
    put<Turning::streams>(dm, y1, head.to + head.pairs + at);
  }
}

/// The whole head: vectors as wide as the target has, and narrower ones for what is left.
template <class Turning, std::size_t Cap>
HWY_INLINE void turn_head(const head_at<Turning>& head, std::size_t at) {
  const hn::CappedTag<typename Turning::format::lane, Cap> d;
  constexpr std::size_t lanes = hn::MaxLanes(d);
  constexpr std::size_t least = Turning::spread ? 2 : 1;
  const std::size_t end = Turning::spread ? 2 * head.pairs : head.pairs;
  constexpr std::size_t step = lanes < least ? least : lanes;
  for (; at + step <= end; at += step)
    if constexpr (Turning::spread)
      turn_channels(d, head, at);
    else
      turn_pairs(d, head, at);
  if constexpr (lanes > least)
    if (at < end) turn_head<Turning, lanes / 2>(head, at);
}

template <class Turning>
void turn_heads(const head_run& run, const void* cos, const void* sin) {
  using stored = typename Turning::format::stored;
  using lane = typename Turning::format::lane;
  const std::size_t rotated = 2 * static_cast<std::size_t>(run.pairs) * sizeof(stored);
  const std::byte* from = run.from;
  std::byte* to = run.to;
  for (std::int64_t head = 0; head < run.heads; ++head, from += run.from_stride, to += run.to_stride) {
    turn_head<Turning, 16>(
        {reinterpret_cast<const stored*>(from), reinterpret_cast<stored*>(to), static_cast<const lane*>(cos),
         static_cast<const lane*>(sin), static_cast<std::size_t>(run.pairs)},
        0);
    if (run.rest != 0 && from != to) std::memcpy(to + rotated, from + rotated, run.rest);
  }
}

template <class Lane>
void spread_row(const void* cos, const void* sin, int pairs, void* wide_cos, void* wide_sin) {
  const Lane* c = static_cast<const Lane*>(cos);
  const Lane* s = static_cast<const Lane*>(sin);
  Lane* wide_c = static_cast<Lane*>(wide_cos);
  Lane* wide_s = static_cast<Lane*>(wide_sin);
  for (int pair = 0; pair < pairs; ++pair) {
    wide_c[2 * pair] = wide_c[2 * pair + 1] = c[pair];
    wide_s[2 * pair] = -s[pair];
    wide_s[2 * pair + 1] = s[pair];
  }
}

}  // namespace ropewalk::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
