#pragma once
// One kernel on one tensor, timed against a memcpy of the same bytes, together with the kernel's measured
// error.

#include <string_view>

#include "bench/nouns.hpp"
#include "bench/rotation.hpp"

namespace ropewalk::bench {

struct rotation_case {
  ropewalk_kernel kernel;
  ropewalk_dtype dtype;
  pairing pairs;
  int tokens;
  std::uint32_t flags = 0;
  bool in_place = false;
};

inline std::string name_of(std::string_view noun, const rotation_case& given) {
  return benchmark_name(noun, given.kernel.name, ropewalk::name_of(given.dtype),
                        ropewalk::name_of(given.pairs), given.tokens);
}

/// Registers a case. The memcpy copies between two tensors even if the case is in place.
void add_rotation(std::string_view noun, const rotation_case& given);

}  // namespace ropewalk::bench
