// Vector copies. The preprocessor includes this file once for each instruction set.

#include "bench/copy_ways.hpp"

#include <cstring>

// As in src/kernel/simd: SVE vectors have no size at compile time.
#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bench/copy_ways.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ropewalk::bench::HWY_NAMESPACE {
// NOLINTBEGIN(misc-use-internal-linkage): each target has its own namespace, used in this file only

namespace hn = hwy::HWY_NAMESPACE;

template <bool Streams>
HWY_INLINE void copy_vectors(std::byte* target, const std::byte* source, std::size_t bytes) {
  const hn::ScalableTag<std::uint8_t> d;
  const std::size_t lanes = hn::Lanes(d);
  auto* out = reinterpret_cast<std::uint8_t*>(target);
  const auto* in = reinterpret_cast<const std::uint8_t*>(source);
  for (std::size_t offset = 0; offset < bytes; offset += 4 * lanes) {
    const auto a = hn::Load(d, in + offset), b = hn::Load(d, in + offset + lanes),
               c = hn::Load(d, in + offset + 2 * lanes), e = hn::Load(d, in + offset + 3 * lanes);
    const auto put = [&](auto vector, std::size_t place) HWY_ATTR {
      if constexpr (Streams)
        hn::Stream(vector, d, out + offset + place * lanes);
      else
        hn::Store(vector, d, out + offset + place * lanes);
    };
    put(a, 0);
    put(b, 1);
    put(c, 2);
    put(e, 3);
  }
  if constexpr (Streams) hwy::FlushStream();
}

void copy_cached(std::byte* target, const std::byte* source, std::size_t bytes) {
  copy_vectors<false>(target, source, bytes);
}
void copy_streaming(std::byte* target, const std::byte* source, std::size_t bytes) {
  copy_vectors<true>(target, source, bytes);
}

// NOLINTEND(misc-use-internal-linkage)
}  // namespace ropewalk::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace ropewalk::bench {

HWY_EXPORT(copy_cached);
HWY_EXPORT(copy_streaming);

namespace {

void copy_by_memcpy(std::byte* target, const std::byte* source, std::size_t bytes) {
  std::memcpy(target, source, bytes);
}
void copy_by_vectors(std::byte* target, const std::byte* source, std::size_t bytes) {
  HWY_DYNAMIC_DISPATCH(copy_cached)(target, source, bytes);
}
void copy_past_caches(std::byte* target, const std::byte* source, std::size_t bytes) {
  HWY_DYNAMIC_DISPATCH(copy_streaming)(target, source, bytes);
}

}  // namespace

std::span<const copy_way> copy_ways() {
  static constexpr copy_way ways[] = {{"memcpy", copy_by_memcpy},
                                      {"vectors", copy_by_vectors},
                                      {"vectors past the caches", copy_past_caches}};
  return ways;
}

}  // namespace ropewalk::bench

#endif
