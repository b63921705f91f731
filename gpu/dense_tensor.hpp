#pragma once
// Transfer of one tensor of a call: dense on the device, and written to the caller after all results are
// computed.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gpu/vulkan/commands.hpp"
#include "gpu/vulkan/transfer.hpp"
#include "ropewalk/kernel/kernel_of.hpp"
#include "ropewalk/kernel/token_places.hpp"

namespace ropewalk::vulkan {

class dense_tensor {
 public:
  /// `places` are the call's tokens and must outlive the tensor.
  dense_tensor(const tensor_view& from, const tensor_view& to, std::span<const token_place> places)
      : from_(from), to_(to), places_(places) {}

  std::size_t tokens() const { return places_.size(); }
  std::int64_t heads() const { return from_.heads(); }
  std::size_t token_bytes() const { return ropewalk::token_bytes(from_); }
  /// Writes the results that the runs have stored to the caller.
  void write() const {
    if (!kept_.empty()) scatter(kept_.data(), places_, to_);
  }

  /// A run of the tensor's tokens on the device.
  class run {
   public:
    run(device& device, dense_tensor& tensor, std::size_t first, std::size_t tokens)
        : tensor_(&tensor),
          first_(first),
          tokens_(tokens),
          in_(device, whole_words()),
          out_(device, whole_words()) {
      gather(tensor.from_, tensor.places_.subspan(first, tokens), in_.data());
    }

    void send(commands& by) const { in_.send(by); }
    const buffer& in() const { return in_.on_device(); }
    const buffer& out() const { return out_.on_device(); }
    void fetch(commands& by) const { out_.fetch(by); }

    /// The output in host memory. To be called after the commands have run.
    ///
    /// throws  device_error
    const std::byte* result() const { return out_.data(); }

    /// Writes a result to the caller if `is_all`: nothing remains to be computed for the call. Otherwise
    /// stores it for `write`.
    void finish(const std::byte* result, bool is_all) const {
      if (is_all) return scatter(result, tensor_->places_, tensor_->to_);
      tensor_->kept_.resize(tensor_->places_.size() * tensor_->token_bytes());
      std::memcpy(tensor_->kept_.data() + first_ * tensor_->token_bytes(), result, bytes());
    }

   private:
    std::size_t bytes() const { return tokens_ * tensor_->token_bytes(); }
    std::size_t whole_words() const { return (bytes() + 3) / 4 * 4; }

    dense_tensor* tensor_;
    std::size_t first_;
    std::size_t tokens_;
    input_buffer in_;
    output_buffer out_;
  };

 private:
  tensor_view from_;
  tensor_view to_;
  std::span<const token_place> places_;
  std::vector<std::byte> kept_;
};

/// The places of a call's tokens; none if all of its tensors are empty.
std::vector<token_place> busy_places(const checked_call& call);

/// Query and key, if present and not empty; none if there are no tokens.
std::vector<dense_tensor> tensors_of(const checked_call& call, std::span<const token_place> places);

/// Number of units of up to `unit` bytes that one buffer holds, in addition to two spare words.
///
/// throws  refused_call with ROPEWALK_UNSUPPORTED: one unit exceeds the device's buffers
std::size_t units_at_once(const device& device, std::uint64_t unit);

/// The formats that Vulkan kernels serve: binary32 and narrower.
inline constexpr ropewalk_limits narrow_data = only_formats<float, binary16, bfloat16>();

/// Declines binary64.
///
/// throws  refused_call with ROPEWALK_UNSUPPORTED
void require_narrow(const checked_call& call);

}  // namespace ropewalk::vulkan
