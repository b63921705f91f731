#pragma once
// Tests two threads that apply one plan at the same time, as servers do. Each call runs in a copy of its
// memory, first alone and then in parallel with another call: it must give the same bits.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "ropewalk/kernel/kernel.h"
#include "transport/call_area.hpp"

namespace ropewalk::transport {

/// A call, with a copy of all memory that it refers to.
class kept_call {
 public:
  /// NULL if the call is too large, or refers to memory outside the slots.
  ///
  /// domain  operation: is_operation
  static std::unique_ptr<kept_call> of(const call_area& area, std::int32_t operation,
                                       const ropewalk_head& call);

  using slots_bytes = std::array<std::vector<std::byte>, call_area::slots>;
  using answer = std::optional<slots_bytes>;

  /// Makes the call in the copy, restored to its first content. Returns the copy afterwards; nothing unless
  /// the kernel returns ROPEWALK_OK.
  answer answer_of(const ropewalk_kernel& kernel, const ropewalk_plan* plan);

  /// Whether another call is identical, byte for byte.
  bool is_same(const kept_call& other) const { return before_ == other.before_; }

 private:
  kept_call() = default;

  /// The same place in the copy. Addresses outside the slots, such as NULL, stay unchanged.
  template <class Pointee>
  Pointee* moved(Pointee* from) const;

  const call_area* area_ = nullptr;
  const ropewalk_head* head_ = nullptr;
  std::array<const std::byte*, call_area::slots> first_{};  // first copied byte of each slot
  slots_bytes before_;                                      // the copied bytes
  slots_bytes room_;                                        // space for the copies and their alignment
  std::array<std::byte*, call_area::slots> now_{};          // first byte of each copy in room_
};

/// The calls of one plan that run in parallel.
class calls_at_once {
 public:
  /// Takes a call and an earlier call that differs from it, and makes each alone. Returns whether they can
  /// run in parallel: there is an earlier call, and each gives the same bits again. Keeps the first two
  /// different calls, so that every later call differs from one of them.
  bool take(const ropewalk_kernel& kernel, const ropewalk_plan* plan, std::unique_ptr<kept_call> call);
  /// Makes both calls on two threads at the same time. Returns whether an answer differs from the one alone.
  ///
  /// domain  take() returned true
  /// throws  machine_shortage if no thread starts
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
