#pragma once
// Adds rows to one tensor of a call: directly in its memory if channels are contiguous, else through a
// buffer.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "kernel/simd/simd.hpp"
#include "kernel/tensor_vectors.hpp"
#include "kernel/token_stretch.hpp"
#include "ropewalk/kernel/call.hpp"

namespace ropewalk {

/// Channels of a head that receive entries.
struct added_channels {
  std::int64_t begin = 0;
  std::int64_t count = 0;
};

/// Rows are in binary64 for binary64 data, else in binary32.
class row_adder {
 public:
  row_adder(const checked_call& call, const simd::target& target)
      : tensor_(&call.query),
        target_(&target),
        element_(size_of(call.dtype)),
        is_direct_(is_side_by_side(tensor_->in) && is_side_by_side(tensor_->out)),
        streams_(is_direct_ && !tensor_->is_in_place() && has_aligned_heads(tensor_->out) &&
                 writes_past_caches(written_bytes(call, call.query))),
        add_((streams_ ? target.stream_add : target.add)[call.dtype]) {
    simd::require_served(add_ != nullptr, tensor_->in.name, call.dtype);
  }

  /// For one head, adds to each token of a stretch that token's row.
  ///
  /// shape   row [channels.count], of the first token; each later token's row begins row_stride bytes on
  void add_to_head(const token_stretch& stretch, std::int64_t head, const added_channels& channels,
                   const void* row, std::ptrdiff_t row_stride) {
    add({.from = place(tensor_->in, stretch, head, channels),
         .to = place(tensor_->out, stretch, head, channels),
         .row = static_cast<const std::byte*>(row),
         .from_stride = tensor_->in.stride[1],
         .to_stride = tensor_->out.stride[1],
         .row_stride = row_stride,
         .heads = stretch.tokens,
         .channels = static_cast<std::size_t>(channels.count)});
  }

  /// Adds each token's row to all heads of that token, in the order of heads in memory.
  void add_to_all_heads(const token_stretch& stretch, const added_channels& channels, const void* row,
                        std::ptrdiff_t row_stride) {
    if (tensor_->in.heads() == 1) return add_to_head(stretch, 0, channels, row, row_stride);
    for (std::int64_t i = 0; i < stretch.tokens; ++i)
      add({.from = place(tensor_->in, stretch.part(i, i + 1), 0, channels),
           .to = place(tensor_->out, stretch.part(i, i + 1), 0, channels),
           .row = static_cast<const std::byte*>(row) + i * row_stride,
           .from_stride = tensor_->in.stride[2],
           .to_stride = tensor_->out.stride[2],
           .row_stride = 0,
           .heads = tensor_->in.heads(),
           .channels = static_cast<std::size_t>(channels.count)});
  }

  /// Copies the channels from `begin` on of all heads of a stretch.
  void pass_through(const token_stretch& stretch, std::int64_t begin) const {
    const tensor_view &in = tensor_->in, &out = tensor_->out;
    if (begin == in.channels() || tensor_->is_in_place()) return;
    for (std::int64_t token = stretch.token; token < stretch.token + stretch.tokens; ++token)
      for (std::int64_t head = 0; head < in.heads(); ++head)
        copy(in.head(stretch.row, token, head) + begin * in.stride[3], in.stride[3],
             out.head(stretch.row, token, head) + begin * out.stride[3], out.stride[3],
             in.channels() - begin);
  }

  void finish() const {
    if (streams_) target_->finish_streaming();
  }

 private:
  static std::byte* place(const tensor_view& in, const token_stretch& stretch, std::int64_t head,
                          const added_channels& channels) {
    return in.head(stretch.row, stretch.token, head) + channels.begin * in.stride[3];
  }

  void add(const simd::added_runs& runs) {
    if (is_direct_)
      add_(runs);
    else
      add_by_buffer(runs);
  }

  void add_by_buffer(const simd::added_runs& runs) {
    const auto channels = static_cast<std::int64_t>(runs.channels);
    buffer_.resize(static_cast<std::size_t>(channels * element_));
    for (std::int64_t head = 0; head < runs.heads; ++head) {
      copy(runs.from + head * runs.from_stride, tensor_->in.stride[3], buffer_.data(), element_, channels);
      add_({.from = buffer_.data(),
            .to = buffer_.data(),
            .row = runs.row + head * runs.row_stride,
            .heads = 1,
            .channels = runs.channels});
      copy(buffer_.data(), element_, runs.to + head * runs.to_stride, tensor_->out.stride[3], channels);
    }
  }

  void copy(const std::byte* from, std::int64_t from_stride, std::byte* to, std::int64_t to_stride,
            std::int64_t elements) const {
    for (std::int64_t i = 0; i < elements; ++i)
      std::memcpy(to + i * to_stride, from + i * from_stride, static_cast<std::size_t>(element_));
  }

  const rotated_tensor* tensor_;
  const simd::target* target_;
  std::int64_t element_;
  bool is_direct_;
  bool streams_;
  simd::add_function add_;
  std::vector<std::byte> buffer_;
};

}  // namespace ropewalk
