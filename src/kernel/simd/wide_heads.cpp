// Functions that rotate heads of binary64 and binary32 and add rows to them, for all targets: the
// preprocessor includes this file once per target.

#include "kernel/simd/disabled_targets.hpp"  // before Highway's headers

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/simd/wide_heads.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

#include "kernel/simd/describe-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace ropewalk::simd::HWY_NAMESPACE {
// NOLINTBEGIN(misc-use-internal-linkage): each target has its own namespace, as in targets.cpp

void describe_wide_heads(target& target) {
  describe<f64_format>(ROPEWALK_F64, target);
  describe<f32_format>(ROPEWALK_F32, target);
  target.choose[ROPEWALK_F64] = choose_pairs<double>;
  target.choose[ROPEWALK_F32] = choose_pairs<float>;
}

// NOLINTEND(misc-use-internal-linkage)
}  // namespace ropewalk::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
