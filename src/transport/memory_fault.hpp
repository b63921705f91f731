#pragma once
// An access of a library that ended its process: what it did, and where that lies beside the tensors of its
// call.

#include <csignal>
#include <cstdint>
#include <string>

#include "ropewalk/kernel/kernel.h"

namespace ropewalk::transport {

enum class memory_access : std::uint32_t { none, unknown, read, write };

/// Left by the process in the memory that it shares.
struct memory_fault {
  memory_access access = memory_access::none;
  std::uintptr_t address = 0;
};

/// Has accesses that end this process (SIGSEGV, SIGBUS) left in `to`, also where the stack is full. The
/// signal then ends the process as it would have.
void record_memory_faults(memory_fault* to);

/// " when it wrote", and whether through a null pointer; empty if nothing was recorded.
std::string text_of(const memory_fault& fault);

/// " when it wrote 4 bytes behind the end of query_out"; empty if nothing was recorded.
///
/// domain  operation: is_operation
std::string text_of(const memory_fault& fault, std::int32_t operation, const ropewalk_head& call);

}  // namespace ropewalk::transport
