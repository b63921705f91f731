#pragma once
// Memory that this program shares with the process of a library, at the same addresses in both. It has slots
// with pages between them that nobody can reach: the first slot holds a request and what it refers to, each
// other one a tensor or the positions of a call.

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

  /// New memory, at addresses that no other area of this program has.
  ///
  /// throws  machine_shortage if the system gives none
  call_area();
  /// The memory of another process, at the same addresses as there.
  ///
  /// throws  machine_shortage if they are taken here
  call_area(int descriptor, std::uintptr_t begin);
  ~call_area();
  call_area(const call_area&) = delete;
  call_area& operator=(const call_area&) = delete;

  int descriptor() const { return descriptor_; }
  std::uintptr_t begin() const { return begin_; }

  /// The slot of the request; zeros until something is written.
  std::byte* request() const { return slot(request_slot); }
  /// Whether an address lies in a slot, or just behind it.
  bool holds(const void* address) const;

  /// The slot in which bytes lie; none where some lie in no slot or in another one. domain  bytes >= 1
  std::optional<std::size_t> slot_of(const std::byte* first, std::size_t bytes) const;
  /// From now on this process may only read the slots, but for the first `always` bytes of the request's.
  ///
  /// throws  machine_shortage
  void forbid_writes(std::size_t always);

  /// A block of zeros that begins or ends where a slot does. Blocks are for one thread alone.
  ///
  /// throws  case_set_aside if it is larger than a slot, or every slot is taken
  std::byte* take(std::size_t bytes, block_edge edge);
  void give_back(std::byte* block, std::size_t bytes) noexcept;
  /// Whether bytes of a block hold zeros. Pages that were never written are not read, and of the others at
  /// most most_pages_read.
  bool is_zero(const std::byte* first, std::size_t bytes) const;

 private:
  std::byte* slot(std::size_t number) const;
  /// domain  the address lies in a slot, or in the gap behind it
  std::size_t slot_of(const std::byte* address) const;
  /// Maps every slot; returns false if one of the addresses is taken.
  bool map() noexcept;

  int descriptor_ = -1;
  bool is_owned_ = false;  // whether the descriptor is closed with the area
  std::uintptr_t begin_ = 0;
  std::array<bool, slots> is_taken_{true};  // the request's is
};

/// While it lives, this process may write to the pages that hold some bytes, after forbid_writes.
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
