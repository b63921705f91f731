#pragma once
// Memory that this program shares with the process of a library, at the same addresses in both. It has slots
// with pages between them that nobody can reach: the first slot holds a request and what it refers to, each
// other one a tensor or the positions of a call.

#include <array>
#include <cstddef>
#include <cstdint>

#include "ropewalk/law/kernel/call_memory.hpp"

namespace ropewalk::door {

class call_area {
 public:
  /// New memory, at addresses that no other area of this program has.
  ///
  /// throws  std::system_error if the system gives none
  call_area();
  /// The memory of another process, at the same addresses as there.
  ///
  /// throws  std::system_error if they are taken here
  call_area(int descriptor, std::uintptr_t begin);
  ~call_area();
  call_area(const call_area&) = delete;
  call_area& operator=(const call_area&) = delete;

  int descriptor() const { return descriptor_; }
  std::uintptr_t begin() const { return begin_; }

  /// The slot of the request; zeros until something is written.
  std::byte* request() const { return slot(0); }
  /// Whether bytes lie in the slot of the request.
  bool is_in_request(const void* data, std::size_t bytes) const;
  /// Whether an address lies in a slot, or just behind it.
  bool holds(const void* address) const;

  /// A block of zeros that begins or ends where a slot does. Blocks are for one thread alone.
  ///
  /// throws  case_set_aside if it is larger than a slot, or every slot is taken
  std::byte* take(std::size_t bytes, block_edge edge);
  void give_back(std::byte* block, std::size_t bytes) noexcept;
  /// Whether bytes of a block hold zeros. Pages that were never written are not read, and of the others at
  /// most most_pages_read.
  bool is_zero(const std::byte* first, std::size_t bytes) const;

 private:
  static constexpr std::size_t slots = 8;

  std::byte* slot(std::size_t number) const;
  std::size_t slot_of(const std::byte* address) const;
  /// Maps every slot; returns false if one of the addresses is taken.
  bool map() noexcept;

  int descriptor_ = -1;
  bool is_owned_ = false;  // whether the descriptor is closed with the area
  std::uintptr_t begin_ = 0;
  std::array<bool, slots> is_taken_{true};  // the request's is
};

}  // namespace ropewalk::door
