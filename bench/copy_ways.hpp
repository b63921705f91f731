#pragma once
// Ways of copying memory. None is the fastest everywhere: the C library's memcpy copies small blocks more
// slowly than the widest vectors do, and stores past the caches win only where nothing would be found in
// them.

#include <cstddef>
#include <span>
#include <string_view>

namespace ropewalk::bench {

inline constexpr std::size_t copy_unit = 256;  // bytes: four of the widest vectors

/// One way of copying. Functions are called through pointers, so that no compiler drops a copy that nobody
/// reads.
struct copy_way {
  std::string_view name;
  /// domain  to and from at multiples of 64 bytes, without overlap; bytes a multiple of copy_unit
  void (*copy)(std::byte* to, const std::byte* from, std::size_t bytes);
};

/// memcpy, the widest vectors of this processor through the caches, and the same past them.
std::span<const copy_way> copy_ways();

}  // namespace ropewalk::bench
