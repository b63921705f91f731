#pragma once
// One tensor of a call on its way: dense on the device, and written to the caller once everything has been computed.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gpu/token_places.hpp"
#include "gpu/vulkan/commands.hpp"
#include "gpu/vulkan/transfer.hpp"
#include "ropewalk/kernel/kernel_of.hpp"

namespace ropewalk::vulkan {

class dense_tensor {
 public:
  /// shape   places: the call's tokens, which outlive this
  dense_tensor(const tensor_view& from, const tensor_view& to, std::span<const token_place> places)
      : from_(from), to_(to), places_(places) {}

  std::size_t tokens() const { return places_.size(); }
  std::int64_t heads() const { return from_.heads(); }
  std::size_t token_bytes() const { return vulkan::token_bytes(from_); }
  /// What runs kept.
  void write() const {
    if (!kept_.empty()) scatter(kept_.data(), places_, to_);
  }

  /// Some of its tokens, on the device.
  class run {
   public:
    run(device& on, dense_tensor& of, std::size_t first, std::size_t tokens)
        : of_(&of), first_(first), tokens_(tokens), in_(on, whole_words()), out_(on, whole_words()) {
      gather(of.from_, of.places_.subspan(first, tokens), in_.data());
    }

    void send(commands& by) const { in_.send(by); }
    const buffer& in() const { return in_.on_device(); }
    const buffer& out() const { return out_.on_device(); }
    void fetch(commands& by) const { out_.fetch(by); }

    /// After the commands have run.
    ///
    /// throws  device_error
    const std::byte* result() const { return out_.data(); }

    /// To the caller, where nothing else is computed for the call, or until all has been.
    void finish(const std::byte* result, bool is_all) const {
      if (is_all) return scatter(result, of_->places_, of_->to_);
      of_->kept_.resize(of_->places_.size() * of_->token_bytes());
      std::memcpy(of_->kept_.data() + first_ * of_->token_bytes(), result, bytes());
    }

   private:
    std::size_t bytes() const { return tokens_ * of_->token_bytes(); }
    std::size_t whole_words() const { return (bytes() + 3) / 4 * 4; }

    dense_tensor* of_;
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

/// The places of a call's tokens; none where there is nothing to do for them.
std::vector<token_place> busy_places(const checked_call& call);

/// Query and key, where they are present and not empty; none where there are no tokens.
std::vector<dense_tensor> tensors_of(const checked_call& call, std::span<const token_place> places);

/// How many units of up to `unit` bytes a buffer takes, beside a few words.
///
/// throws  refused_call with ROPEWALK_UNSUPPORTED: the device's buffers do not take one
std::size_t units_at_once(const device& on, std::uint64_t unit);

/// What Vulkan kernels serve: binary32 and narrower.
inline constexpr ropewalk_limits narrow_data = only_formats<float, binary16, bfloat16>();

/// throws  refused_call with ROPEWALK_UNSUPPORTED: binary64
void require_narrow(const checked_call& call);

}  // namespace ropewalk::vulkan
