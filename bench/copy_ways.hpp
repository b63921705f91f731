#pragma once
// Ways of copying memory. None is always the fastest: the C library's memcpy copies small blocks more slowly
// than the widest vectors, and stores past the caches win only if the destination would not be found in them.

#include <cstddef>
#include <span>
#include <string_view>

namespace ropewalk::bench {

inline constexpr std::size_t copy_unit = 256;  // bytes: four of the widest vectors

/// One way of copying. It is called through a pointer, so that the compiler does not drop an unread copy.
struct copy_way {
  std::string_view name;
  /// domain  to and from at multiples of 64 bytes, without overlap; bytes a multiple of copy_unit
  void (*copy)(std::byte* to, const std::byte* from, std::size_t bytes);
};

/// memcpy, the widest vectors of this processor through the caches, and the same past the caches.
std::span<const copy_way> copy_ways();

}  // namespace ropewalk::bench
