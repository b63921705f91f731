// All targets in one object: the preprocessor passes over this file once for each of them.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/simd/targets.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

#include "kernel/simd/heads-inl.hpp"
#include "kernel/simd/row-inl.hpp"

#ifdef __FAST_MATH__
#error "the canonical rotation rounds every operation: compile without -ffast-math, with -ffp-contract=off"
#endif

HWY_BEFORE_NAMESPACE();
namespace ropewalk::simd::HWY_NAMESPACE {

int row(const row_source& source, std::int64_t position, float* cos, float* sin, std::uint16_t* undecided) {
  return row_of(source, position, cos, sin, undecided);
}

void finish_streaming() { hwy::FlushStream(); }

#define ROPEWALK_TURNS(FORMAT, STREAMS)                                                   \
  {                                                                                       \
    {turn_heads<turning<FORMAT, pairing::interleaved, pairing::interleaved, STREAMS>>,    \
     turn_heads<turning<FORMAT, pairing::interleaved, pairing::half_split, STREAMS>>},    \
        {turn_heads<turning<FORMAT, pairing::half_split, pairing::interleaved, STREAMS>>, \
         turn_heads<turning<FORMAT, pairing::half_split, pairing::half_split, STREAMS>>}, \
  }
#define ROPEWALK_ALL_TURNS(STREAMS)                                                \
  {                                                                                \
    ROPEWALK_TURNS(f64_format, STREAMS), ROPEWALK_TURNS(f32_format, STREAMS),      \
        ROPEWALK_TURNS(f16_format, STREAMS), ROPEWALK_TURNS(bf16_format, STREAMS), \
  }

target described(const char* name) {
  return {.name = name,
          .row = row,
          .spread = {spread_row<double>, spread_row<float>},
          .turn = ROPEWALK_ALL_TURNS(false),
          .stream = ROPEWALK_ALL_TURNS(true),
          .finish_streaming = finish_streaming};
}

#undef ROPEWALK_ALL_TURNS
#undef ROPEWALK_TURNS

}  // namespace ropewalk::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include <hwy/targets.h>

#include <vector>

namespace ropewalk::simd {
namespace {

struct built_target {
  std::int64_t bit;
  target functions;
};

/// Best first, as Highway numbers them.
std::vector<built_target> built_targets() {
  std::vector<built_target> r;
#if HWY_TARGETS & HWY_AVX3_DL
  r.push_back({HWY_AVX3_DL, N_AVX3_DL::described("avx3-dl")});
#endif
#if HWY_TARGETS & HWY_AVX3
  r.push_back({HWY_AVX3, N_AVX3::described("avx3")});
#endif
#if HWY_TARGETS & HWY_AVX2
  r.push_back({HWY_AVX2, N_AVX2::described("avx2")});
#endif
#if HWY_TARGETS & HWY_SSE4
  r.push_back({HWY_SSE4, N_SSE4::described("sse4")});
#endif
#if HWY_TARGETS & HWY_SSSE3
  r.push_back({HWY_SSSE3, N_SSSE3::described("ssse3")});
#endif
#if HWY_TARGETS & HWY_NEON
  r.push_back({HWY_NEON, N_NEON::described("neon")});
#endif
#if HWY_TARGETS & HWY_EMU128
  r.push_back({HWY_EMU128, N_EMU128::described("emu128")});
#endif
#if HWY_TARGETS & HWY_SCALAR
  r.push_back({HWY_SCALAR, N_SCALAR::described("scalar")});
#endif
  return r;
}

bool is_supported(std::int64_t bit) {
#ifdef HWY_COMPILE_ONLY_STATIC
  return bit == HWY_STATIC_TARGET;
#else
  return (hwy::SupportedTargets() & bit) != 0;
#endif
}

}  // namespace

std::span<const target* const> targets() {
  static const std::vector<built_target> built = built_targets();
  static const std::vector<const target*> supported = [] {
    std::vector<const target*> r;
    for (const built_target& one : built)
      if (is_supported(one.bit)) r.push_back(&one.functions);
    return r;
  }();
  return supported;
}

}  // namespace ropewalk::simd

#endif
