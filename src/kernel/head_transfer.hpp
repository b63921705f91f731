#pragma once
// Rotates the query or key of one call: directly in its memory if channels are contiguous, else through a
// buffer.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "kernel/row_space.hpp"
#include "kernel/simd/simd.hpp"
#include "kernel/tensor_vectors.hpp"
#include "ropewalk/kernel/call.hpp"
#include "ropewalk/kernel/head.hpp"

namespace ropewalk {

/// One tensor of a call, rotated several tokens at a time.
class head_transfer {
 public:
  static constexpr std::size_t batch = 8;  // tokens at once: their rows stay in the first-level cache

  /// `streams`: the call writes more than the caches hold. `backward`: the sines are negated.
  head_transfer(const rotated_tensor& tensor, const rotated_layout& layout, const simd::target& target,
                bool streams, bool backward)
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
    shape_ = {tensor.in.stride[2],
              tensor.out.stride[2],
              tensor.in.heads(),
              layout.pairs(),
              static_cast<std::size_t>(layout.head.head_dim - layout.rotary_dim) * element_,
              backward};
    if (!is_direct_) shape_ = {.heads = 1, .pairs = layout.pairs(), .backward = backward};
  }

  bool streams() const { return streams_; }

  /// Adds a token, whose row must stay valid until it is rotated.
  void add(const token_place& place, const void* cos, const void* sin) {
    if (!tensor_->is_present) return;
    waiting_[count_++] = {tensor_->in.head(place.row, place.token, 0),
                          tensor_->out.head(place.row, place.token, 0), cos, sin};
  }

  /// Rotates every head of the tokens added since the last call, at most `batch`.
  void turn() {
    if (is_direct_) {
      if (count_ != 0) turn_(shape_, {waiting_.data(), count_});
    } else {
      for (std::size_t i = 0; i < count_; ++i)
        for (std::int64_t head = 0; head < tensor_->in.heads(); ++head)
          turn_through_buffer(waiting_[i], head);
    }
    count_ = 0;
  }

 private:
  /// Whether heads, and second halves of heads, begin at multiples of the stream alignment.
  bool may_stream() const {
    const std::size_t half = static_cast<std::size_t>(layout_.pairs()) * element_;
    return has_aligned_heads(tensor_->out) && half % simd::stream_alignment == 0;
  }

  void turn_through_buffer(const simd::token_heads& token, std::int64_t head) {
    const std::byte* from = token.from + head * tensor_->in.stride[2];
    std::byte* to = token.to + head * tensor_->out.stride[2];
    const std::int64_t in_stride = tensor_->in.stride[3], out_stride = tensor_->out.stride[3];
    std::byte* turned = buffer_.data() + buffer_out_;
    copy_elements(from, in_stride, buffer_.data(), static_cast<std::int64_t>(element_));
    const simd::token_heads alone{buffer_.data(), turned, token.cos, token.sin};
    turn_(shape_, {&alone, 1});
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
  simd::heads_shape shape_;
  simd::turn_function turn_ = nullptr;
  std::array<simd::token_heads, batch> waiting_;
  std::size_t count_ = 0;
  std::vector<std::byte> buffer_;  // one head; if pairings differ, also the rotated head
  std::size_t buffer_out_ = 0;
};

}  // namespace ropewalk
