#pragma once
// An access that ended a library's process: its kind, and its place relative to the tensors of the call.

#include <csignal>
#include <cstdint>
#include <string>

#include "ropewalk/kernel/kernel.h"

namespace ropewalk::transport {

enum class memory_access : std::uint32_t { none, unknown, read, write };

/// Left by the process in the shared memory.
struct memory_fault {
  memory_access access = memory_access::none;
  std::uintptr_t address = 0;
};

/// Installs handlers that record in `to` an access that ends this process (SIGSEGV, SIGBUS), even if the
/// stack is full. The signal then ends the process as usual.
void record_memory_faults(memory_fault* to);

/// " when it wrote", with a note for null pointers; empty if nothing was recorded.
std::string text_of(const memory_fault& fault);

/// " when it wrote 4 bytes past the end of query_out"; empty if nothing was recorded.
///
/// domain  operation: is_operation
std::string text_of(const memory_fault& fault, std::int32_t operation, const ropewalk_head& call);

}  // namespace ropewalk::transport
