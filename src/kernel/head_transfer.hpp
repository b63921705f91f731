#pragma once
// Turns the query or key of one call: directly in its memory where channels are contiguous, else through a
// buffer.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernel/simd/simd.hpp"
#include "kernel/tensor_vectors.hpp"
#include "ropewalk/kernel/call.hpp"
#include "ropewalk/kernel/head.hpp"

namespace ropewalk {

/// One tensor of a call, ready to be turned token by token.
class head_transfer {
 public:
  /// `streams`: the call writes more than the caches hold.
  head_transfer(const rotated_tensor& tensor, const rotated_layout& layout, const simd::target& target,
                bool streams)
      : tensor_(&tensor), layout_(layout) {
    if (!tensor.is_present) return;
    const auto in = static_cast<std::size_t>(layout.head.pairing_in == pairing::half_split);
    const auto out = static_cast<std::size_t>(layout.head.pairing_out == pairing::half_split);
    const std::size_t dtype = static_cast<std::size_t>(tensor.in.dtype);
    const bool crosses = in != out;
    element_ = static_cast<std::size_t>(size_of(tensor.in.dtype));
    is_direct_ =
        is_side_by_side(tensor.in) && is_side_by_side(tensor.out) && !(crosses && tensor.is_in_place());
    streams_ = streams && is_direct_ && !tensor.is_in_place() && may_stream();
    turn_ = streams_ ? target.stream[dtype][in][out] : target.turn[dtype][in][out];
    simd::require_served(turn_ != nullptr, tensor.in.name, tensor.in.dtype);
    if (!is_direct_)
      buffer_.resize(static_cast<std::size_t>(layout.rotary_dim) * element_ * (crosses ? 2 : 1));
    buffer_out_ = crosses ? static_cast<std::size_t>(layout.rotary_dim) * element_ : 0;
  }

  bool streams() const { return streams_; }

  /// Turns every head of one token by a row in the form that the pairings require.
  void turn(const token_place& place, const void* cos, const void* sin) {
    if (!tensor_->is_present) return;
    const std::byte* from = tensor_->in.head(place.row, place.token, 0);
    std::byte* to = tensor_->out.head(place.row, place.token, 0);
    const std::int64_t heads = tensor_->in.heads();
    if (is_direct_) {
      const std::size_t rest =
          static_cast<std::size_t>(layout_.head.head_dim - layout_.rotary_dim) * element_;
      turn_({from, to, tensor_->in.stride[2], tensor_->out.stride[2], heads, layout_.pairs(), rest}, cos,
            sin);
      return;
    }
    for (std::int64_t head = 0; head < heads;
         ++head, from += tensor_->in.stride[2], to += tensor_->out.stride[2])
      turn_through_buffer(from, to, cos, sin);
  }

 private:
  /// Whether heads and the second halves of heads begin at multiples of the stream alignment.
  bool may_stream() const {
    const std::size_t half = static_cast<std::size_t>(layout_.pairs()) * element_;
    return has_aligned_heads(tensor_->out) && half % simd::stream_alignment == 0;
  }

  void turn_through_buffer(const std::byte* from, std::byte* to, const void* cos, const void* sin) {
    const std::int64_t in_stride = tensor_->in.stride[3], out_stride = tensor_->out.stride[3];
    std::byte* turned = buffer_.data() + buffer_out_;
    copy_elements(from, in_stride, buffer_.data(), static_cast<std::int64_t>(element_));
    turn_({buffer_.data(), turned, 0, 0, 1, layout_.pairs(), 0}, cos, sin);
    copy_elements(turned, static_cast<std::int64_t>(element_), to, out_stride);
    copy_pass_through(from, in_stride, to, out_stride, element_, layout_);
  }

  void copy_elements(const std::byte* from, std::int64_t from_stride, std::byte* to,
                     std::int64_t to_stride) const {
    for (int channel = 0; channel < layout_.rotary_dim; ++channel)
      std::memcpy(to + channel * to_stride, from + channel * from_stride, element_);
  }

  const rotated_tensor* tensor_;
  rotated_layout layout_;
  std::size_t element_ = 0;
  bool is_direct_ = true;
  bool streams_ = false;
  simd::turn_function turn_ = nullptr;
  std::vector<std::byte> buffer_;  // one head; where pairings differ, followed by the turned head
  std::size_t buffer_out_ = 0;
};

}  // namespace ropewalk
