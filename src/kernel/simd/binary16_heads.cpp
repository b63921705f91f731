// Functions that rotate heads of binary16 and add rows to them, for all targets: the preprocessor includes
// this file once per target.

#include "kernel/simd/disabled_targets.hpp"  // before Highway's headers

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/simd/binary16_heads.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

#include "kernel/simd/describe-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace ropewalk::simd::HWY_NAMESPACE {
// NOLINTBEGIN(misc-use-internal-linkage): each target has its own namespace, as in targets.cpp

void describe_binary16_heads(target& target) { describe<f16_format>(ROPEWALK_F16, target); }

// NOLINTEND(misc-use-internal-linkage)
}  // namespace ropewalk::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
