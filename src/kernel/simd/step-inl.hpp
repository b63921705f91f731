// Steps: the pairs that are turned at once, for one target. Each output is two products and their sum or
// difference, every operation rounded, none fused. Included once for each target.

#if defined(ROPEWALK_SIMD_STEP) == defined(HWY_TARGET_TOGGLE)
#ifdef ROPEWALK_SIMD_STEP
#undef ROPEWALK_SIMD_STEP
#else
#define ROPEWALK_SIMD_STEP
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

#include "kernel/simd/format-inl.hpp"
#include "kernel/simd/put-inl.hpp"
#include "kernel/simd/simd.hpp"
#include "ropewalk/config/head_layout.hpp"

HWY_BEFORE_NAMESPACE();
namespace ropewalk::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class V>
struct vector_pair {
  V first;
  V second;
};

template <class V>
HWY_INLINE vector_pair<V> turned(V x0, V x1, V cos, V sin) {
  return {hn::Sub(hn::Mul(x0, cos), hn::Mul(x1, sin)), hn::Add(hn::Mul(x0, sin), hn::Mul(x1, cos))};
}

// With one lane, the two elements are loaded and stored one by one: GCC 12 does not terminate on AArch64's
// instruction for an interleaved access of one lane.

template <class D, class T>
HWY_INLINE void load_interleaved(D d, const T* from, hn::Vec<D>& x0, hn::Vec<D>& x1) {
  if constexpr (hn::MaxLanes(d) == 1) {
    x0 = hn::LoadU(d, from);
    x1 = hn::LoadU(d, from + 1);
  } else {
    hn::LoadInterleaved2(d, from, x0, x1);
  }
}

template <class D, class T>
HWY_INLINE void store_interleaved(hn::Vec<D> y0, hn::Vec<D> y1, D d, T* to) {
  if constexpr (hn::MaxLanes(d) == 1) {
    hn::StoreU(y0, d, to);
    hn::StoreU(y1, d, to + 1);
  } else {
    hn::StoreInterleaved2(y0, y1, d, to);
  }
}

// A step turns the pairs in one or two vectors. `load` reads its part of the row, which it keeps for all
// heads; `turn` turns one head; `at` counts pairs. Default constructors are written out: GCC compiles
// implicit ones without the target's instruction set.

/// As many pairs as a vector has lanes; for any pairings.
template <class Format, pairing In, pairing Out, bool Streams, class D>
struct pairs_step {
  static constexpr std::size_t width = hn::MaxLanes(D());
  using lane = typename Format::lane;
  using stored = typename Format::stored;
  using memory = typename Format::template memory<D>;
  hn::Vec<D> cos, sin;

  HWY_INLINE pairs_step() {}
  HWY_INLINE void load(const lane* of_cos, const lane* of_sin, std::size_t at) {
    cos = hn::LoadU(D(), of_cos + at);
    sin = hn::LoadU(D(), of_sin + at);
  }
  HWY_INLINE void turn(const stored* from, stored* to, std::size_t pairs, std::size_t at) const {
    const memory dm;
    hn::Vec<memory> x0, x1;
    if constexpr (In == pairing::interleaved) {
      load_interleaved(dm, from + 2 * at, x0, x1);
    } else {
      x0 = hn::LoadU(dm, from + at);
      x1 = hn::LoadU(dm, from + pairs + at);
    }
    const auto y = turned(Format::widen(D(), x0), Format::widen(D(), x1), cos, sin);
    const auto y0 = Format::narrow(D(), y.first), y1 = Format::narrow(D(), y.second);
    if constexpr (Out == pairing::interleaved) {
      store_interleaved(y0, y1, dm, to + 2 * at);
    } else {
      put<Streams>(dm, y0, to + at);
      put<Streams>(dm, y1, to + pairs + at);
    }
  }
};

#if HWY_TARGET != HWY_SCALAR

/// Interleaved channels by a spread row: both channels of a pair stay in one vector and are only swapped.
template <class Format, bool Streams, class D>
struct channels_step {
  static constexpr std::size_t width = hn::MaxLanes(D()) / 2;
  using lane = typename Format::lane;
  using stored = typename Format::stored;
  hn::Vec<D> cos, sin;

  HWY_INLINE channels_step() {}
  HWY_INLINE void load(const lane* of_cos, const lane* of_sin, std::size_t at) {
    cos = hn::LoadU(D(), of_cos + 2 * at);
    sin = hn::LoadU(D(), of_sin + 2 * at);
  }
  HWY_INLINE void turn(const stored* from, stored* to, std::size_t, std::size_t at) const {
    const typename Format::template memory<D> dm;
    const auto x = Format::widen(D(), hn::LoadU(dm, from + 2 * at));
    const auto y = hn::Add(hn::Mul(x, cos), hn::Mul(hn::Reverse2(D(), x), sin));
    put<Streams>(dm, Format::narrow(D(), y), to + 2 * at);
  }
};

/// Two bfloat16 in a 32-bit word: the even one is shifted into a binary32, the odd one masked.
template <class D>
struct bf16_words {
  using words_tag = hn::RebindToUnsigned<D>;
  using halves_tag = hn::Repartition<std::uint16_t, words_tag>;
  using words = hn::Vec<words_tag>;

  static HWY_INLINE words load(const std::uint16_t* from) {
    return hn::BitCast(words_tag(), hn::LoadU(halves_tag(), from));
  }
  static HWY_INLINE hn::Vec<D> even(words w) { return hn::BitCast(D(), hn::ShiftLeft<16>(w)); }
  static HWY_INLINE hn::Vec<D> odd(words w) {
    return hn::BitCast(D(), hn::And(w, hn::Set(words_tag(), 0xffff0000)));
  }
  /// Stores the upper halves, rounded to nearest even: adds the carry of low + 0x7fff + (1 if high is odd),
  /// which is the top bit of half that sum (AverageRound). A NaN computed from bfloat16 data has zero low
  /// bits and stays a NaN.
  template <bool Streams>
  static HWY_INLINE void store(hn::Vec<D> even, hn::Vec<D> odd, std::uint16_t* to) {
    const words_tag du;
    const halves_tag dh;
    const words e = hn::BitCast(du, even), o = hn::BitCast(du, odd);
    const auto high = hn::BitCast(dh, hn::OrAnd(hn::ShiftRight<16>(e), o, hn::Set(du, 0xffff0000)));
    const auto low = hn::BitCast(dh, hn::OrAnd(hn::ShiftLeft<16>(o), e, hn::Set(du, 0xffff)));
    const auto below_half = hn::OrAnd(hn::Set(dh, 0x7ffe), high, hn::Set(dh, 1));
    put<Streams>(dh, hn::Add(high, hn::ShiftRight<15>(hn::AverageRound(low, below_half))), to);
  }
};

/// Interleaved bfloat16: a word holds the two channels of one pair.
template <bool Streams, class D>
struct bf16_interleaved_step {
  static constexpr std::size_t width = hn::MaxLanes(D());
  using lane = float;
  using stored = std::uint16_t;
  using words = bf16_words<D>;
  hn::Vec<D> cos, sin;

  HWY_INLINE bf16_interleaved_step() {}
  HWY_INLINE void load(const float* of_cos, const float* of_sin, std::size_t at) {
    cos = hn::LoadU(D(), of_cos + at);
    sin = hn::LoadU(D(), of_sin + at);
  }
  HWY_INLINE void turn(const std::uint16_t* from, std::uint16_t* to, std::size_t, std::size_t at) const {
    const auto w = words::load(from + 2 * at);
    const auto y = turned(words::even(w), words::odd(w), cos, sin);
    words::template store<Streams>(y.first, y.second, to + 2 * at);
  }
};

/// Half-split bfloat16: a word holds the same channel of two neighbouring pairs.
template <bool Streams, class D>
struct bf16_half_split_step {
  static constexpr std::size_t width = 2 * hn::MaxLanes(D());
  using lane = float;
  using stored = std::uint16_t;
  using words = bf16_words<D>;
  hn::Vec<D> even_cos, odd_cos, even_sin, odd_sin;

  HWY_INLINE bf16_half_split_step() {}
  HWY_INLINE void load(const float* of_cos, const float* of_sin, std::size_t at) {
    hn::LoadInterleaved2(D(), of_cos + at, even_cos, odd_cos);
    hn::LoadInterleaved2(D(), of_sin + at, even_sin, odd_sin);
  }
  HWY_INLINE void turn(const std::uint16_t* from, std::uint16_t* to, std::size_t pairs,
                       std::size_t at) const {
    const auto w0 = words::load(from + at), w1 = words::load(from + pairs + at);
    const auto even = turned(words::even(w0), words::even(w1), even_cos, even_sin);
    const auto odd = turned(words::odd(w0), words::odd(w1), odd_cos, odd_sin);
    words::template store<Streams>(even.first, odd.first, to + at);
    words::template store<Streams>(even.second, odd.second, to + pairs + at);
  }
};

#endif

}  // namespace ropewalk::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
