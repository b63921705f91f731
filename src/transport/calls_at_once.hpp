#pragma once
// Two threads that apply one plan at the same time, as servers do. Each call is made in a copy of its memory,
// first alone and then beside the other: it must give the same bits.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "ropewalk/kernel/kernel.h"
#include "transport/call_area.hpp"

namespace ropewalk::transport {

/// A call, and a copy of all memory that it refers to.
class kept_call {
 public:
  /// NULL where the call is too large, or refers to memory that no slot holds.
  ///
  /// domain  operation: is_operation
  static std::unique_ptr<kept_call> of(const call_area& area, std::int32_t operation,
                                       const ropewalk_head& call);

  using slots_bytes = std::array<std::vector<std::byte>, call_area::slots>;
  using answer = std::optional<slots_bytes>;

  /// Makes the call in the copy, as it was when it was copied. Returns the copy afterwards; nothing unless
  /// the kernel returns ROPEWALK_OK.
  answer answer_of(const ropewalk_kernel& kernel, const ropewalk_plan* plan);

  /// Whether another call is the same, byte for byte.
  bool is_same(const kept_call& other) const { return before_ == other.before_; }

 private:
  kept_call() = default;

  /// The same place in the copy; an address that no slot holds, such as NULL, as it is.
  template <class Pointee>
  Pointee* moved(Pointee* from) const;

  const call_area* area_ = nullptr;
  const ropewalk_head* head_ = nullptr;
  std::array<const std::byte*, call_area::slots> first_{};  // of the bytes that are copied of each slot
  slots_bytes before_;                                      // those bytes
  slots_bytes room_;                                        // for them, and for their alignment
  std::array<std::byte*, call_area::slots> now_{};          // where they begin in that room
};

/// The calls of one plan that are made beside each other.
class calls_at_once {
 public:
  /// Takes a call and one that differs from it, and makes each alone. Returns whether they can be made beside
  /// each other: there is another one, and each gives the same bits again. The first two calls that differ
  /// are kept, so that every later call differs from one of them.
  bool take(const ropewalk_kernel& kernel, const ropewalk_plan* plan, std::unique_ptr<kept_call> call);
  /// Makes both on two threads at the same time. Returns whether one was answered otherwise than alone.
  ///
  /// domain  take() returned true
  /// throws  machine_shortage if no thread can be started
  bool differ(const ropewalk_kernel& kernel, const ropewalk_plan* plan);

 private:
  static constexpr std::size_t most_kept = 2;

  std::vector<std::shared_ptr<kept_call>> kept_;
  std::shared_ptr<kept_call> call_;
  std::shared_ptr<kept_call> other_;
  kept_call::answer alone_;
  kept_call::answer other_alone_;
};

}  // namespace ropewalk::transport
