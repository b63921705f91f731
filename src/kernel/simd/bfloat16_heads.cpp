// Functions that rotate heads of bfloat16 and add rows to them, for all targets: the preprocessor includes
// this file once per target.

#include "kernel/simd/disabled_targets.hpp"  // before Highway's headers

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/simd/bfloat16_heads.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

#include "kernel/simd/describe-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace ropewalk::simd::HWY_NAMESPACE {
// NOLINTBEGIN(misc-use-internal-linkage): each target has its own namespace, as in targets.cpp

void describe_bfloat16_heads(target& target) { describe<bf16_format>(ROPEWALK_BF16, target); }

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
/// Replaces the functions that pack bfloat16, for processors with AVX512_VNNI.
void describe_bfloat16_heads_with_vnni(target& target) {
  const auto replace = [&]<pairing Both>() {
    constexpr int both = static_cast<int>(Both);
    target.turn[ROPEWALK_BF16][both][both] = turn_heads<bf16_vnni_format, Both, Both, false>;
    target.stream[ROPEWALK_BF16][both][both] = turn_heads<bf16_vnni_format, Both, Both, true>;
  };
  replace.template operator()<pairing::interleaved>();
  replace.template operator()<pairing::half_split>();
  target.add[ROPEWALK_BF16] = add_rows<bf16_vnni_format, false>;
  target.stream_add[ROPEWALK_BF16] = add_rows<bf16_vnni_format, true>;
}
#endif

// NOLINTEND(misc-use-internal-linkage)
}  // namespace ropewalk::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
