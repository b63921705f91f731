#pragma once
// Gathers the tokens of a call into dense tensors, for kernels that accept only these, and for tensors in
// memory that a kernel's process cannot reach.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ropewalk/kernel/call.hpp"
#include "ropewalk/kernel/kernel.h"
#include "ropewalk/kernel/token_places.hpp"

namespace ropewalk::transport {

/// Numbers of an encoding that a plan's calls are checked against.
struct call_extent {
  std::int64_t channels = 0;  // per head; for a bias, the number of heads
  int axes = 1;
};

/// Checks an encoding.
///
/// throws  refused_call naming the field, its value and the allowed values
call_extent extent_of(const ropewalk_rotation& encoding);
call_extent extent_of(const ropewalk_row_addition& encoding);
call_extent extent_of(const ropewalk_bias_addition& encoding);

/// Checks a call.
///
/// throws  refused_call naming the field, its value and the allowed values
checked_call checked(const ropewalk_rotation_call& call, const call_extent& extent);
checked_call checked(const ropewalk_row_call& call, const call_extent& extent);
checked_call checked(const ropewalk_bias_call& call, const call_extent& extent);

class gathered_call {
 public:
  /// Refers to the call's tensors, which must outlive this object.
  gathered_call(const checked_call& call, int axes);

  const checked_call& call() const { return call_; }
  /// Batch rows and tokens of the dense tensors. A call with a range of tokens has one row.
  std::int64_t batch() const { return batch_; }
  std::int64_t tokens() const { return tokens_; }
  /// Whether the positions are in binary64.
  bool has_real_positions() const { return call_.real_positions != nullptr; }
  /// Whole positions, and real ones if the call has them. Shape [axes, batch, tokens].
  std::vector<std::int32_t> positions() const { return positions_of(places_, axes_); }
  std::vector<double> real_positions() const { return real_positions_of(places_, axes_); }

  std::size_t bytes_of(const rotated_tensor& tensor) const { return places_.size() * token_bytes(tensor.in); }
  /// Shape `to` [batch, tokens, heads, channels].
  void gather(const rotated_tensor& tensor, std::byte* to) const { ropewalk::gather(tensor.in, places_, to); }
  /// Writes a result to the call's output.
  void scatter(const std::byte* from, const rotated_tensor& tensor) const {
    ropewalk::scatter(from, places_, tensor.out);
  }

 private:
  checked_call call_;
  int axes_;
  std::vector<token_place> places_;
  std::int64_t batch_ = 1;
  std::int64_t tokens_ = 0;
};

}  // namespace ropewalk::transport
