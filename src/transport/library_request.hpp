#pragma once
// What the verifier and the process of a library leave for one another in the memory that they share. A byte
// on a pipe then says that a request is ready, or its answer.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "ropewalk/kernel/floating_environment.hpp"
#include "ropewalk/kernel/kernel.h"
#include "ropewalk/kernel/operation.hpp"
#include "ropewalk/law/kernel/mapped_memory.hpp"
#include "transport/memory_fault.hpp"

namespace ropewalk::transport {

/// The option of this program that serves a library, followed by its path and the address of the memory.
inline constexpr const char* serve_library_option = "--serve-library";

/// Exit codes of the process: its input has ended, or the library was unloaded as it was asked to.
inline constexpr int input_has_ended = 42;
inline constexpr int was_unloaded = 43;

/// What the process writes before it loads the library: `is_ready`, or `is_unable` and the reason, up to its
/// end. Whatever ends it earlier is a shortage of this machine, and no fault of the library's.
inline constexpr std::byte is_ready{1}, is_unable{2};

enum class library_request : std::uint32_t { load, plan, apply, free_plan, unload };

/// One kernel of the library. The limits' arrays follow the block.
struct entry_record {
  char name[65];
  std::int32_t operation;
  ropewalk_promise promise;
  ropewalk_limits limits;
};

/// What the process is doing.
enum class library_step : std::uint32_t { waiting, answering, repeating, applying_at_once };

/// The first bytes of the request's slot. What the pointers of its structs refer to begins on the next page,
/// which the process may only read while it answers.
struct request_block {
  // The request.
  library_request request;
  std::int32_t kernel;  // index
  std::uint64_t plan;   // number; of free_plan: 0 for NULL
  floating_registers callers;
  bool takes_error;
  bool is_made_at_once;       // the call is also made beside another one, by two threads
  const ropewalk_head* head;  // of plan the encoding, of apply the call
  // The answer.
  bool is_failed;   // the request was not carried out, and error.text says why
  bool is_spoiled;  // the process's state was changed: for the next request it is started again
  bool is_short;    // with is_failed: this program's own code in the process lacked something
  std::int32_t status;
  bool is_made;  // whether there is a plan
  floating_registers left;
  ropewalk_error error;
  library_step step;
  memory_fault fault;        // of a process that an access ended
  char unconfined[128];      // of load: why the process is not confined; empty if it is
  std::int32_t entry_count;  // of load
  const entry_record* entries;
};

/// Where the memory behind the block begins, in the request's slot.
inline constexpr std::size_t behind_request =
    (sizeof(request_block) + page_bytes - 1) / page_bytes * page_bytes;

/// Places arrays behind a block, one after the other.
class arrays_behind {
 public:
  explicit arrays_behind(std::byte* first) : next_(first) {}

  /// Copies elements, unless the array is NULL.
  template <class Element>
  std::remove_const_t<Element>* copy(Element* from, std::int64_t count) {
    if (from == nullptr) return nullptr;
    auto* const to = reinterpret_cast<std::remove_const_t<Element>*>(next_);
    std::copy_n(from, count, to);
    next_ += room_of(static_cast<std::size_t>(count) * sizeof(Element));
    return to;
  }
  /// Copies a struct as a later version of kernel.h would give it: longer, and zeros behind what is known
  /// today. One that states another size is copied as it is.
  template <class Struct>
  Struct* copy_longer(const Struct& from) {
    const std::size_t unit = room_of(1), all = room_of(sizeof from) + unit;
    Struct* const to = copy(&from, 1);
    if (from.head.struct_size != sizeof from) return to;
    next_ += unit;
    std::memset(reinterpret_cast<std::byte*>(to) + sizeof from, 0, all - sizeof from);
    to->head.struct_size = static_cast<std::uint32_t>(all);
    return to;
  }
  /// Bytes that an array takes.
  static constexpr std::size_t room_of(std::size_t bytes) {
    constexpr std::size_t unit = 64;
    return (bytes + unit - 1) / unit * unit;
  }
  /// The first byte that is free.
  std::byte* end() const { return next_; }

 private:
  std::byte* next_;
};

}  // namespace ropewalk::transport
