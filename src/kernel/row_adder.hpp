#pragma once
// Adds rows to one tensor of a call: directly in its memory where channels are contiguous, else through a
// buffer.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "kernel/simd/simd.hpp"
#include "kernel/tensor_vectors.hpp"
#include "ropewalk/kernel/call.hpp"

namespace ropewalk {

class row_adder {
 public:
  /// The first `added` channels of each head receive a row; the others are copied.
  row_adder(const checked_call& call, std::int64_t added, const simd::target& target)
      : tensor_(&call.query),
        target_(&target),
        added_(added),
        element_(size_of(call.dtype)),
        is_direct_(is_side_by_side(tensor_->in) && is_side_by_side(tensor_->out)) {
    const tensor_view& out = tensor_->out;
    const double token_bytes = static_cast<double>(out.channels()) * static_cast<double>(element_) *
                               static_cast<double>(out.heads());
    const auto tokens = static_cast<double>(call.end - call.begin);
    streams_ = is_direct_ && !tensor_->is_in_place() && has_aligned_heads(out) &&
               tokens * token_bytes > static_cast<double>(simd::streamed_bytes);
    add_ = (streams_ ? target.stream_add : target.add)[call.dtype];
    simd::require_served(add_ != nullptr, tensor_->in.name, call.dtype);
    if (!is_direct_) buffer_.resize(static_cast<std::size_t>(added * element_));
  }

  /// Adds a row to one head of a token. Its entries are binary64 for binary64 data, else binary32.
  ///
  /// shape   row [added]
  void add(const token_place& place, std::int64_t head, const void* row) {
    const std::byte* from = tensor_->in.head(place.row, place.token, head);
    std::byte* to = tensor_->out.head(place.row, place.token, head);
    const auto count = static_cast<std::size_t>(added_);
    if (is_direct_) {
      add_(from, to, row, count);
    } else {
      copy(from, tensor_->in.stride[3], buffer_.data(), element_, added_);
      add_(buffer_.data(), buffer_.data(), row, count);
      copy(buffer_.data(), element_, to, tensor_->out.stride[3], added_);
    }
    const std::int64_t rest = tensor_->in.channels() - added_;
    if (rest > 0 && !tensor_->is_in_place())
      copy(from + added_ * tensor_->in.stride[3], tensor_->in.stride[3], to + added_ * tensor_->out.stride[3],
           tensor_->out.stride[3], rest);
  }

  void finish() const {
    if (streams_) target_->finish_streaming();
  }

 private:
  void copy(const std::byte* from, std::int64_t from_stride, std::byte* to, std::int64_t to_stride,
            std::int64_t elements) const {
    for (std::int64_t i = 0; i < elements; ++i)
      std::memcpy(to + i * to_stride, from + i * from_stride, static_cast<std::size_t>(element_));
  }

  const rotated_tensor* tensor_;
  const simd::target* target_;
  std::int64_t added_;
  std::int64_t element_;
  bool is_direct_;
  bool streams_ = false;
  simd::add_function add_ = nullptr;
  std::vector<std::byte> buffer_;
};

}  // namespace ropewalk
