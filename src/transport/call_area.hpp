#pragma once
// Memory shared with a library's process, at the same addresses in both processes. It has slots, separated by
// inaccessible pages. The first slot has a request and the data that it points to. Each other slot has a
// tensor or the positions of a call.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "ropewalk/law/kernel/call_memory.hpp"

namespace ropewalk::transport {

class call_area {
 public:
  static constexpr std::size_t slots = 8;
  static constexpr std::size_t request_slot = 0;

  /// Maps new memory, at addresses that no other area of this program uses.
  ///
  /// throws  machine_shortage if the system refuses
  call_area();
  /// Maps the memory of another process at the same addresses.
  ///
  /// throws  machine_shortage if these addresses are taken
  call_area(int descriptor, std::uintptr_t begin);
  ~call_area();
  call_area(const call_area&) = delete;
  call_area& operator=(const call_area&) = delete;

  int descriptor() const { return descriptor_; }
  std::uintptr_t begin() const { return begin_; }

  /// The slot of the request; initially zeros.
  std::byte* request() const { return slot(request_slot); }
  /// Whether an address lies in a slot, or just past its end.
  bool holds(const void* address) const;

  /// The slot that contains the bytes; none if they are not all in one slot. domain  bytes >= 1
  std::optional<std::size_t> slot_of(const std::byte* first, std::size_t bytes) const;
  /// Makes the slots read-only for this process, except for the first `always` bytes of the request's slot.
  ///
  /// throws  machine_shortage
  void forbid_writes(std::size_t always);

  /// A block of zeros that begins or ends with a slot. A block is for one thread only.
  ///
  /// throws  case_set_aside if it is larger than a slot, or all slots are taken
  std::byte* take(std::size_t bytes, block_edge edge);
  void give_back(std::byte* block, std::size_t bytes) noexcept;
  /// Whether bytes of a block are zero. Reads only pages that were written, and at most most_pages_read of
  /// them.
  bool is_zero(const std::byte* first, std::size_t bytes) const;

 private:
  std::byte* slot(std::size_t number) const;
  /// domain  the address lies in a slot, or in the gap after it
  std::size_t slot_of(const std::byte* address) const;
  /// Maps every slot; returns false if one of the addresses is taken.
  bool map() noexcept;

  int descriptor_ = -1;
  bool is_owned_ = false;  // the destructor closes the descriptor
  std::uintptr_t begin_ = 0;
  std::array<bool, slots> is_taken_{true};  // the request's slot is
};

/// While alive, lets this process write to the pages of some bytes, despite forbid_writes.
class write_permission {
 public:
  /// throws  machine_shortage
  write_permission(const std::byte* first, std::size_t bytes);
  ~write_permission();
  write_permission(const write_permission&) = delete;
  write_permission& operator=(const write_permission&) = delete;

 private:
  void* first_page_;
  std::size_t bytes_;
};

}  // namespace ropewalk::transport
