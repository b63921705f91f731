// Stores a vector through the caches or past them, for one target. Included once per target.

#if defined(ROPEWALK_SIMD_PUT) == defined(HWY_TARGET_TOGGLE)
#ifdef ROPEWALK_SIMD_PUT
#undef ROPEWALK_SIMD_PUT
#else
#define ROPEWALK_SIMD_PUT
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ropewalk::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Whether any of the target's vectors is wide enough for streaming stores.
inline constexpr bool target_streams = HWY_TARGET != HWY_SCALAR;

/// Stores a vector. Streaming stores write at least 16 bytes, so narrower vectors go through the caches.
template <bool Streams, class D, class T>
HWY_INLINE void put(D d, hn::Vec<D> v, T* to) {
  constexpr std::size_t narrowest = 16;
  if constexpr (Streams && hn::MaxLanes(D()) * sizeof(T) >= narrowest)
    hn::Stream(v, d, to);
  else
    hn::StoreU(v, d, to);
}

}  // namespace ropewalk::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
