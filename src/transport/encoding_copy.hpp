#pragma once
// Copies of an encoding and of the arrays that it points to.

#include <cstddef>
#include <memory>

#include "ropewalk/kernel/kernel.h"
#include "transport/library_request.hpp"

namespace ropewalk::transport {

/// Places an encoding of any operation, and its arrays, behind other things. Its numbers have been checked.
const ropewalk_head* placed_encoding(arrays_behind& behind, const ropewalk_head& head,
                                     bool is_longer = false);

/// A copy in memory of its own.
class encoding_copy {
 public:
  explicit encoding_copy(const ropewalk_head& head);
  const ropewalk_head& head() const { return *head_; }

 private:
  std::unique_ptr<std::byte[]> memory_;
  const ropewalk_head* head_;
};

}  // namespace ropewalk::transport
