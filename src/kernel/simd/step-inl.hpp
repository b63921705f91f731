// Steps, for one target: the pairs that are rotated at once. Each output is two products and their sum or
// difference, every operation rounded, none fused. Included once per target.

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

// A step rotates the pairs in one or two vectors. `load` reads its part of the row, which it keeps for all
// heads; `turn` rotates one head, with At as the number of pairs from the place. Default constructors are
// written out: GCC compiles implicit ones without the target's instruction set.

/// The channels at which the steps of one head begin; in half-split heads also the pairs' second channels.
/// Only pointers move from head to head: displacements from them are constants.
template <class Stored>
struct head_place {
  const Stored* from;
  const Stored* from_second;
  Stored* to;
  Stored* to_second;
};

/// Elements from a place to pair `at` of a head, in the first of the pair's two channels.
constexpr std::size_t channel_of(pairing pairs, std::size_t at) {
  return pairs == pairing::interleaved ? 2 * at : at;
}

/// The part of a row for the pairs from `at` on.
template <class Lane>
struct row_part {
  const Lane* cos;
  const Lane* sin;
  Lane sign;  // -0 for backward: it flips the sign bits of sines; otherwise 0
};

/// Loads a part of a row by halves. A row that was just computed was stored by vectors of half as many lanes,
/// rounded from binary64: a load that spans two stores would wait until both have left the store buffer.
template <class D, class Lane = hn::TFromD<D>>
HWY_INLINE hn::Vec<D> load_row(D d, const Lane* from) {
#if HWY_TARGET != HWY_SCALAR
  if constexpr (hn::MaxLanes(D()) * sizeof(Lane) > 16) {
    const hn::Half<D> half;
    return hn::Combine(d, hn::LoadU(half, from + hn::MaxLanes(half)), hn::LoadU(half, from));
  }
#endif
  return hn::LoadU(d, from);
}

template <class D, class Lane = hn::TFromD<D>>
HWY_INLINE hn::Vec<D> signed_sin(D d, hn::Vec<D> sin, Lane sign) {
  return hn::Xor(sin, hn::Set(d, sign));
}

/// As many pairs as a vector has lanes; for any pairings.
template <class Format, pairing In, pairing Out, bool Streams, class D>
struct pairs_step {
  static constexpr pairing in = In, out = Out;
  static constexpr std::size_t width = hn::MaxLanes(D());
  using lane = typename Format::lane;
  using stored = typename Format::stored;
  using memory = typename Format::template memory<D>;
  hn::Vec<D> cos, sin;

  HWY_INLINE pairs_step() {}
  HWY_INLINE void load(const row_part<lane>& row) {
    cos = load_row(D(), row.cos);
    sin = signed_sin(D(), load_row(D(), row.sin), row.sign);
  }
  template <std::size_t At>
  HWY_INLINE void turn(const head_place<stored>& place) const {
    const memory dm;
    hn::Vec<memory> x0, x1;
    if constexpr (In == pairing::interleaved) {
      load_interleaved(dm, place.from + 2 * At, x0, x1);
    } else {
      x0 = hn::LoadU(dm, place.from + At);
      x1 = hn::LoadU(dm, place.from_second + At);
    }
    const auto y = turned(Format::widen(D(), x0), Format::widen(D(), x1), cos, sin);
    const auto y0 = Format::narrow(D(), y.first), y1 = Format::narrow(D(), y.second);
    if constexpr (Out == pairing::interleaved) {
      store_interleaved(y0, y1, dm, place.to + 2 * At);
    } else {
      put<Streams>(dm, y0, place.to + At);
      put<Streams>(dm, y1, place.to_second + At);
    }
  }
};

#if HWY_TARGET != HWY_SCALAR

/// Interleaved channels: both channels of a pair stay in one vector and are only swapped. Each cosine appears
/// twice; each sine first negated, then unchanged.
template <class Format, bool Streams, class D>
struct channels_step {
  static constexpr pairing in = pairing::interleaved, out = pairing::interleaved;
  static constexpr std::size_t width = hn::MaxLanes(D()) / 2;
  using lane = typename Format::lane;
  using stored = typename Format::stored;
  hn::Vec<D> cos, sin;

  HWY_INLINE channels_step() {}
  HWY_INLINE void load(const row_part<lane>& row) {
    cos = twice(row.cos);
    sin = hn::OddEven(signed_sin(D(), twice(row.sin), row.sign), signed_sin(D(), twice(row.sin), -row.sign));
  }
  template <std::size_t At>
  HWY_INLINE void turn(const head_place<stored>& place) const {
    const typename Format::template memory<D> dm;
    const auto x = Format::widen(D(), hn::LoadU(dm, place.from + 2 * At));
    const auto y = hn::Add(hn::Mul(x, cos), hn::Mul(hn::Reverse2(D(), x), sin));
    put<Streams>(dm, Format::narrow(D(), y), place.to + 2 * At);
  }

 private:
  /// Each of `width` lanes twice.
  static HWY_INLINE hn::Vec<D> twice(const lane* from) {
    if constexpr (width == 1) {
      return hn::Set(D(), *from);
    } else {
      const auto half = hn::IndicesFromVec(D(), hn::ShiftRight<1>(hn::Iota(hn::RebindToSigned<D>(), 0)));
      return hn::TableLookupLanes(hn::ZeroExtendVector(D(), hn::LoadU(hn::Half<D>(), from)), half);
    }
  }
};

/// Two bfloat16 in a 32-bit word: a shift turns the even one into a binary32, a mask the odd one.
template <class D, class Format>
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
  template <bool Streams>
  static HWY_INLINE void store(hn::Vec<D> even, hn::Vec<D> odd, std::uint16_t* to) {
    const words_tag du;
    put<Streams>(halves_tag(), Format::pack(D(), hn::BitCast(du, even), hn::BitCast(du, odd)), to);
  }
};

/// Interleaved bfloat16: a word holds the two channels of one pair.
template <class Format, bool Streams, class D>
struct bf16_interleaved_step {
  static constexpr pairing in = pairing::interleaved, out = pairing::interleaved;
  static constexpr std::size_t width = hn::MaxLanes(D());
  using lane = float;
  using stored = std::uint16_t;
  using words = bf16_words<D, Format>;
  hn::Vec<D> cos, sin;

  HWY_INLINE bf16_interleaved_step() {}
  HWY_INLINE void load(const row_part<float>& row) {
    cos = load_row(D(), row.cos);
    sin = signed_sin(D(), load_row(D(), row.sin), row.sign);
  }
  template <std::size_t At>
  HWY_INLINE void turn(const head_place<std::uint16_t>& place) const {
    const auto w = words::load(place.from + 2 * At);
    const auto y = turned(words::even(w), words::odd(w), cos, sin);
    words::template store<Streams>(y.first, y.second, place.to + 2 * At);
  }
};

/// Half-split bfloat16: a word holds the same channel of two neighbouring pairs.
template <class Format, bool Streams, class D>
struct bf16_half_split_step {
  static constexpr pairing in = pairing::half_split, out = pairing::half_split;
  static constexpr std::size_t width = 2 * hn::MaxLanes(D());
  using lane = float;
  using stored = std::uint16_t;
  using words = bf16_words<D, Format>;
  hn::Vec<D> even_cos, odd_cos, even_sin, odd_sin;

  HWY_INLINE bf16_half_split_step() {}
  HWY_INLINE void load(const row_part<float>& row) {
    const auto of_cos = in_turn(row.cos), of_sin = in_turn(row.sin);
    even_cos = of_cos.first;
    odd_cos = of_cos.second;
    even_sin = signed_sin(D(), of_sin.first, row.sign);
    odd_sin = signed_sin(D(), of_sin.second, row.sign);
  }
  template <std::size_t At>
  HWY_INLINE void turn(const head_place<std::uint16_t>& place) const {
    const auto w0 = words::load(place.from + At), w1 = words::load(place.from_second + At);
    const auto even = turned(words::even(w0), words::even(w1), even_cos, even_sin);
    const auto odd = turned(words::odd(w0), words::odd(w1), odd_cos, odd_sin);
    words::template store<Streams>(even.first, odd.first, place.to + At);
    words::template store<Streams>(even.second, odd.second, place.to_second + At);
  }

 private:
  /// Even and odd entries of a part of a row.
  static HWY_INLINE vector_pair<hn::Vec<D>> in_turn(const float* from) {
    constexpr std::size_t lanes = hn::MaxLanes(D());
    const auto first = load_row(D(), from), second = load_row(D(), from + lanes);
    if constexpr (lanes == 1)
      return {first, second};
    else
      return {hn::ConcatEven(D(), second, first), hn::ConcatOdd(D(), second, first)};
  }
};

#endif

}  // namespace ropewalk::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
