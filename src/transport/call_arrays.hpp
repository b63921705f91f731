#pragma once
// Lists the memory that a call refers to, for any operation.

#include <cstdint>
#include <vector>

#include "ropewalk/kernel/kernel.h"

namespace ropewalk::transport {

/// An array of a call, from its lowest to its highest byte.
struct call_array {
  const char* name;  // the field's name in kernel.h, or "the call's struct"
  std::uintptr_t begin;
  std::uintptr_t end;
  bool is_output;
};

/// The call itself and its arrays; arrays without elements are skipped. Arrays of a malformed call may be
/// missing.
///
/// domain  operation: is_operation
std::vector<call_array> arrays_of(std::int32_t operation, const ropewalk_head& call);

}  // namespace ropewalk::transport
