// Lists the functions that rotate heads of a format and add rows to them, for one target. Included once per
// target.

#if defined(ROPEWALK_SIMD_DESCRIBE) == defined(HWY_TARGET_TOGGLE)
#ifdef ROPEWALK_SIMD_DESCRIBE
#undef ROPEWALK_SIMD_DESCRIBE
#else
#define ROPEWALK_SIMD_DESCRIBE
#endif

#include "kernel/simd/add-inl.hpp"
#include "kernel/simd/heads-inl.hpp"

#ifdef __FAST_MATH__
#error "the canonical rotation rounds every operation: compile without -ffast-math, with -ffp-contract=off"
#endif

HWY_BEFORE_NAMESPACE();
namespace ropewalk::simd::HWY_NAMESPACE {

template <class Format, bool Streams>
constexpr turn_function turn_of(pairing in, pairing out) {
  constexpr pairing interleaved = pairing::interleaved, half_split = pairing::half_split;
  constexpr bool streams = Streams && target_streams;
  if (in == interleaved)
    return out == interleaved ? turn_heads<Format, interleaved, interleaved, streams>
                              : turn_heads<Format, interleaved, half_split, streams>;
  // Interleaved stores never bypass the caches.
  return out == interleaved ? turn_heads<Format, half_split, interleaved, false>
                            : turn_heads<Format, half_split, half_split, streams>;
}

/// Sets the functions that rotate heads of a format and add rows to them.
template <class Format>
void describe(ropewalk_dtype dtype, target& target) {
  target.add[dtype] = add_rows<Format, false>;
  target.stream_add[dtype] = add_rows<Format, true>;
  for (const pairing in : {pairing::interleaved, pairing::half_split})
    for (const pairing out : {pairing::interleaved, pairing::half_split}) {
      target.turn[dtype][static_cast<int>(in)][static_cast<int>(out)] = turn_of<Format, false>(in, out);
      target.stream[dtype][static_cast<int>(in)][static_cast<int>(out)] = turn_of<Format, true>(in, out);
    }
}

}  // namespace ropewalk::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
