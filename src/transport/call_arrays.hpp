#pragma once
// The memory that a call refers to, whatever its operation.

#include <cstdint>
#include <vector>

#include "ropewalk/kernel/kernel.h"

namespace ropewalk::transport {

/// An array of a call, from its lowest to its highest byte.
struct call_array {
  const char* name;  // as kernel.h spells the field, or "the call's struct"
  std::uintptr_t begin;
  std::uintptr_t end;
  bool is_output;
};

/// The call itself and its arrays, but for those that have no element. Of a call that is not well formed some
/// may be left out.
///
/// domain  operation: is_operation
std::vector<call_array> arrays_of(std::int32_t operation, const ropewalk_head& call);

}  // namespace ropewalk::transport
