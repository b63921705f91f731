#pragma once
// Ways of copying memory. Which is the fastest depends on the size: memcpy of the C library copies small
// blocks more slowly than the widest vectors, and stores that bypass the caches win only if the target is not
// cached.

#include <cstddef>
#include <span>
#include <string_view>

namespace ropewalk::bench {

inline constexpr std::size_t copy_unit = 256;  // bytes: four of the widest vectors

/// One way of copying. It is called through a pointer, so that the compiler does not drop an unread copy.
struct copy_way {
  std::string_view name;
  /// domain  target and source are multiples of 64 bytes and do not overlap; bytes is a multiple of copy_unit
  void (*copy)(std::byte* target, const std::byte* source, std::size_t bytes);
};

/// memcpy, stores of the processor's widest vectors, and the same stores bypassing the caches.
std::span<const copy_way> copy_ways();

}  // namespace ropewalk::bench
