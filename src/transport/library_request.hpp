#pragma once
// Requests and answers in the memory shared by the verifier and a library's process. A byte on a pipe signals
// that a request or its answer is ready.

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

/// The option of this program that serves a library; its path and the memory's address follow.
inline constexpr const char* serve_library_option = "--serve-library";

/// Exit codes of the process: its input has ended, or it unloaded the library on request.
inline constexpr int input_has_ended = 42;
inline constexpr int was_unloaded = 43;

/// First byte from the process, before it loads the library: `is_ready`; or `is_unable`, followed by the
/// reason up to the end of the output. An earlier end is a shortage of this machine, not the library's fault.
inline constexpr std::byte is_ready{1}, is_unable{2};

enum class library_request : std::uint32_t { load, plan, apply, free_plan, unload };

/// One kernel of the library. The limits' arrays follow the block.
struct entry_record {
  char name[65];
  std::int32_t operation;
  ropewalk_promise promise;
  ropewalk_limits limits;
};

/// Activity of the process.
enum class library_step : std::uint32_t { waiting, answering, repeating, applying_at_once };

/// The first bytes of the request's slot. Data of its pointers begins on the next page, which is read-only
/// for the process while it answers.
struct request_block {
  // The request.
  library_request request;
  std::int32_t kernel;  // index
  std::uint64_t plan;   // number; for free_plan, 0 means NULL
  floating_registers callers;
  bool takes_error;
  bool is_made_at_once;       // two threads also make the call and another one in parallel
  const ropewalk_head* head;  // for plan the encoding, for apply the call
  // The answer.
  bool is_failed;   // the request failed; error.text says why
  bool is_spoiled;  // the process's state changed: it restarts before the next request
  bool is_short;    // with is_failed: this program's own code lacked a resource
  std::int32_t status;
  bool is_made;  // whether there is a plan
  floating_registers left;
  ropewalk_error error;
  library_step step;
  memory_fault fault;        // set if an access ended the process
  char unconfined[128];      // for load, why the process is not confined; empty if it is
  std::int32_t entry_count;  // for load
  const entry_record* entries;
};

/// Offset in the request's slot of the memory after the block.
inline constexpr std::size_t behind_request =
    (sizeof(request_block) + page_bytes - 1) / page_bytes * page_bytes;

/// Places arrays one after another behind a block.
class arrays_behind {
 public:
  explicit arrays_behind(std::byte* first) : next_(first) {}

  /// Copies an array, unless it is NULL.
  template <class Element>
  std::remove_const_t<Element>* copy(Element* from, std::int64_t count) {
    if (from == nullptr) return nullptr;
    auto* const to = reinterpret_cast<std::remove_const_t<Element>*>(next_);
    std::copy_n(from, count, to);
    next_ += room_of(static_cast<std::size_t>(count) * sizeof(Element));
    return to;
  }
  /// Copies a struct in the form of a later kernel.h: longer, with zeros after today's fields. A struct that
  /// states another size is copied unchanged.
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
  /// Bytes that an array occupies.
  static constexpr std::size_t room_of(std::size_t bytes) {
    constexpr std::size_t unit = 64;
    return (bytes + unit - 1) / unit * unit;
  }
  /// The first free byte.
  std::byte* end() const { return next_; }

 private:
  std::byte* next_;
};

}  // namespace ropewalk::transport
