// What turns heads and adds rows to them, of all targets: the preprocessor includes this file once for each.

#include "kernel/simd/disabled_targets.hpp"  // before Highway's headers

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/simd/heads.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

#include "kernel/simd/add-inl.hpp"
#include "kernel/simd/heads-inl.hpp"

#ifdef __FAST_MATH__
#error "the canonical rotation rounds every operation: compile without -ffast-math, with -ffp-contract=off"
#endif

HWY_BEFORE_NAMESPACE();
namespace ropewalk::simd::HWY_NAMESPACE {
// NOLINTBEGIN(misc-use-internal-linkage): each target has its own namespace, as in targets.cpp

template <class Format, bool Streams>
constexpr turn_function turn_of(pairing in, pairing out) {
  constexpr pairing interleaved = pairing::interleaved, half_split = pairing::half_split;
  constexpr bool streams = Streams && target_streams;
  if (in == interleaved)
    return out == interleaved ? turn_heads<Format, interleaved, interleaved, streams>
                              : turn_heads<Format, interleaved, half_split, streams>;
  // Channels that are interleaved as they are stored never bypass the caches.
  return out == interleaved ? turn_heads<Format, half_split, interleaved, false>
                            : turn_heads<Format, half_split, half_split, streams>;
}

template <class Format>
void describe(ropewalk_dtype dtype, target& r) {
  r.add[dtype] = add_rows<Format, false>;
  r.stream_add[dtype] = add_rows<Format, true>;
  for (const pairing in : {pairing::interleaved, pairing::half_split})
    for (const pairing out : {pairing::interleaved, pairing::half_split}) {
      r.turn[dtype][static_cast<int>(in)][static_cast<int>(out)] = turn_of<Format, false>(in, out);
      r.stream[dtype][static_cast<int>(in)][static_cast<int>(out)] = turn_of<Format, true>(in, out);
    }
}

void describe_heads(target& r) {
  describe<f64_format>(ROPEWALK_F64, r);
  describe<f32_format>(ROPEWALK_F32, r);
  describe<f16_format>(ROPEWALK_F16, r);
  describe<bf16_format>(ROPEWALK_BF16, r);
  r.choose[ROPEWALK_F64] = choose_pairs<double>;
  r.choose[ROPEWALK_F32] = choose_pairs<float>;
}

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
/// Replaces what packs bfloat16, for processors with AVX512_VNNI.
void describe_heads_with_vnni(target& r) {
  const auto replace = [&]<pairing Both>() {
    constexpr int both = static_cast<int>(Both);
    r.turn[ROPEWALK_BF16][both][both] = turn_heads<bf16_vnni_format, Both, Both, false>;
    r.stream[ROPEWALK_BF16][both][both] = turn_heads<bf16_vnni_format, Both, Both, true>;
  };
  replace.template operator()<pairing::interleaved>();
  replace.template operator()<pairing::half_split>();
  r.add[ROPEWALK_BF16] = add_rows<bf16_vnni_format, false>;
  r.stream_add[ROPEWALK_BF16] = add_rows<bf16_vnni_format, true>;
}
#endif

// NOLINTEND(misc-use-internal-linkage)
}  // namespace ropewalk::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
