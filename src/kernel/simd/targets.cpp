// All targets in one object file: the preprocessor includes this file once per target.

#include "kernel/simd/disabled_targets.hpp"  // before Highway's headers

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/simd/targets.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

#include "kernel/simd/bias-inl.hpp"
#include "kernel/simd/narrow-inl.hpp"
#include "kernel/simd/phase-inl.hpp"
#include "kernel/simd/row-inl.hpp"
#include "kernel/simd/wide-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace ropewalk::simd::HWY_NAMESPACE {
// NOLINTBEGIN(misc-use-internal-linkage): each target has its own namespace, used in this file only

template <class Rounding>
int row(const row_source& source, std::int64_t position, typename Rounding::stored* cos,
        typename Rounding::stored* sin, std::uint16_t* undecided) {
  return row_of<Rounding>(source, position, cos, sin, undecided);
}

int real_row(const real_row_source& source, real_magnitude position, float* cos, float* sin,
             std::uint16_t* undecided) {
  return real_row_of(source, position, cos, sin, undecided);
}

std::uint32_t rows_by_phase(const row_source& source, double relative_reach, std::int64_t position, int rows,
                            float* cos, float* sin) {
  return rows_by_phase_of(source, relative_reach, position, rows, cos, sin);
}

std::uint32_t near_ties(const float* cos, const float* sin, int rows, std::size_t width) {
  return near_ties_of(cos, sin, rows, width);
}

template <class Format>
void narrow(const float* from, std::size_t count, std::uint16_t* to) {
  const hn::CappedTag<float, block_pairs> d;
  const typename Format::template memory<decltype(d)> dn;
  for (std::size_t at = 0; at < count; at += hn::MaxLanes(d))
    hn::StoreU(Format::narrow(d, hn::LoadU(d, from + at)), dn, to + at);
}

template <class Format>
std::uint32_t not_rounded(const float* from, const std::uint16_t* to, int rows, std::size_t width) {
  return not_rounded_of<Format>(from, to, rows, width);
}

void seed(const row_source& source, std::int64_t position, double* cos, double* sin) {
  seed_of(source, position, cos, sin);
}

void real_seed(const real_row_source& source, real_magnitude position, double* cos, double* sin) {
  real_seed_of(source, position, cos, sin);
}

void reach(const row_source& source, double relative_reach, const double* widest_step_sin, const double* cos,
           const double* sin, const seed_reaches& reaches) {
  reach_of(source, relative_reach, widest_step_sin, cos, sin, reaches);
}

template <class Rounding>
int sum(const angle_sum& angles, typename Rounding::stored* cos, typename Rounding::stored* sin,
        std::uint16_t* undecided) {
  return sum_of<Rounding>(angles, cos, sin, undecided);
}

template <bool Streams>
std::uint32_t float_sums(const angle_sum& angles, int rows, float* cos, float* sin) {
  return sums_of<binary32_rounding<row_tag, Streams>>(angles, rows, cos, sin);
}

template <floating_format Narrow, bool Streams>
std::uint32_t narrow_sums(const angle_sum& angles, int rows, std::uint16_t* cos, std::uint16_t* sin) {
  return narrow_sums_of<Narrow, Streams>(angles, rows, cos, sin);
}

using float_rounding = binary32_rounding<row_tag, false>;
constexpr sum_functions<float> float_sum_functions{sum<float_rounding>, float_sums<false>, float_sums<true>};

template <floating_format Narrow>
constexpr narrow_functions narrow_rows{
    row<narrow_rounding<row_tag, Narrow>>,
    {sum<narrow_rounding<row_tag, Narrow>>, narrow_sums<Narrow, false>, narrow_sums<Narrow, true>}};

int angles(const angle_units& units, const float* value, int count, float* cos, float* sin,
           std::uint16_t* undecided) {
  return angles_of(units, value, count, cos, sin, undecided);
}

void finish_streaming() { hwy::FlushStream(); }

// Functions that rotate heads and add to them: one file per format or two.
void describe_wide_heads(target& target);
void describe_binary16_heads(target& target);
void describe_bfloat16_heads(target& target);

target described(const char* name) {
  target described{.name = name,
                   .row = row<float_rounding>,
                   .real_row = real_row,
                   .rows_by_phase = rows_by_phase,
                   .near_ties = near_ties,
                   .seed = seed,
                   .real_seed = real_seed,
                   .reach = reach,
                   .sums = float_sum_functions,
                   .angles = angles,
                   .binary16_rows = narrow_rows<binary16>,
                   .bfloat16_rows = narrow_rows<bfloat16>,
                   .wide = wide_functions_here,
                   .turn = {},
                   .stream = {},
                   .narrow = {},
                   .not_rounded = {},
                   .choose = {},
                   .add = {},
                   .stream_add = {},
                   .bias = bias,
                   .finish_streaming = finish_streaming};
  describe_wide_heads(described);
  describe_binary16_heads(described);
  describe_bfloat16_heads(described);
  described.narrow[ROPEWALK_F16] = narrow<f16_format>;
  described.narrow[ROPEWALK_BF16] = narrow<bf16_format>;
  described.not_rounded[ROPEWALK_F16] = not_rounded<f16_format>;
  described.not_rounded[ROPEWALK_BF16] = not_rounded<bf16_format>;
  return described;
}

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
void describe_bfloat16_heads_with_vnni(target& target);

/// The same for processors that pack bfloat16 by AVX512_VNNI.
target described_with_vnni(const char* name) {
  target result = described(name);
  describe_bfloat16_heads_with_vnni(result);
  return result;
}
#endif

// NOLINTEND(misc-use-internal-linkage)
}  // namespace ropewalk::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include <vector>

#include "kernel/simd/processor.hpp"

namespace ropewalk::simd {
namespace {

/// Targets of this processor in Highway's order, best first. A target's description is compiled for the
/// target, too: on a processor without it, the call is an illegal instruction.
std::vector<target> supported_targets() {
  std::vector<target> targets;
  const std::int64_t supported = runnable_targets();
  const auto add = [&](std::int64_t bit, target (*describe)(const char*), const char* name) {
    if ((supported & bit) != 0) targets.push_back(describe(name));
  };
#if HWY_TARGETS & HWY_AVX3_DL
  add(HWY_AVX3_DL, N_AVX3_DL::described_with_vnni, "avx3-dl");
#endif
#if HWY_TARGETS & HWY_AVX3
  // A separate target, so that the code of other processors with AVX3 is tested here, too.
  if (__builtin_cpu_supports("avx512vnni")) add(HWY_AVX3, N_AVX3::described_with_vnni, "avx3-vnni");
  add(HWY_AVX3, N_AVX3::described, "avx3");
#endif
#if HWY_TARGETS & HWY_AVX2
  add(HWY_AVX2, N_AVX2::described, "avx2");
#endif
#if HWY_TARGETS & HWY_SSE4
  add(HWY_SSE4, N_SSE4::described, "sse4");
#endif
#if HWY_TARGETS & HWY_NEON
  add(HWY_NEON, N_NEON::described, "neon");
#endif
#if HWY_TARGETS & HWY_EMU128
  add(HWY_EMU128, N_EMU128::described, "emu128");
#endif
#if HWY_TARGETS & HWY_SCALAR
  add(HWY_SCALAR, N_SCALAR::described, "scalar");
#endif
  return targets;
}

}  // namespace

std::span<const target* const> targets() {
  // Never freed: a caller's static plans may outlive this library's statics.
  static const auto& all = *new std::vector<target>(supported_targets());
  static const auto& supported = *[] {
    auto* targets = new std::vector<const target*>;
    for (const target& target : all) targets->push_back(&target);
    return targets;
  }();
  return supported;
}

}  // namespace ropewalk::simd

#endif
