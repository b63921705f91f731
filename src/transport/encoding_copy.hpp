#pragma once
// Copies an encoding with its arrays.

#include <cstddef>
#include <memory>

#include "ropewalk/kernel/kernel.h"
#include "transport/library_request.hpp"

namespace ropewalk::transport {

/// Places a checked encoding of any operation, with its arrays, after earlier data.
const ropewalk_head* placed_encoding(arrays_behind& behind, const ropewalk_head& head,
                                     bool is_longer = false);

/// A copy that owns its memory.
class encoding_copy {
 public:
  explicit encoding_copy(const ropewalk_head& head);
  const ropewalk_head& head() const { return *head_; }

 private:
  std::unique_ptr<std::byte[]> memory_;
  const ropewalk_head* head_;
};

}  // namespace ropewalk::transport
