#pragma once
// ALiBi's entries computed on the device: slope x (key - origin), correctly rounded, in integer arithmetic
// only.

#include <cstdint>
#include <vector>

#include "gpu/kernel_device.hpp"
#include "gpu/vulkan/transfer.hpp"
#include "ropewalk/kernel/bias_plan.hpp"

namespace ropewalk::vulkan {

/// The biases of consecutive heads of a plan, at key - origin = ahead, ahead + 1, ...
struct bias_run {
  int first_head = 0;
  int heads = 0;
  std::int64_t ahead = 0;
  std::uint32_t count = 0;  // per head
  std::uint32_t begin = 0;  // index of the first head's first entry
  friend bool operator==(const bias_run&, const bias_run&) = default;
};

/// The `begin` that aligns a query's entries, `words` behind the first, to a multiple of 4 words.
constexpr std::uint32_t aligning(std::uint32_t words) { return (4 - words % 4) % 4; }

/// The slopes of a plan in the form that shaders read.
class slope_source {
 public:
  /// throws  refused_call with ROPEWALK_UNSUPPORTED: a slope that is not known to 128 bits
  explicit slope_source(const bias_plan& plan);

  /// A run of entries for each head. Owns the buffers that the device uses, so it must outlive the commands
  /// that read the entries.
  class entries {
   public:
    /// domain  count > 0; begin < 4; |ahead| and |ahead + count - 1| below 2^32
    entries(kernel_device& device, const slope_source& source, const bias_run& run);

    /// Records the commands that compute the entries; a barrier is needed before they are read.
    void record(commands& by);
    const buffer& on_device() const { return *entries_; }
    /// Stride between the entries of two heads, in words: a multiple of 4.
    std::uint32_t head_step() const { return (run_.begin + run_.count + 3) / 4 * 4; }
    /// Refuses the call if an entry is undecided. To be called after the commands have run.
    ///
    /// throws  refused_call with ROPEWALK_UNDECIDED naming a slope whose 128 bits do not decide the rounding
    ///         of an entry
    void require_decided() const;

   private:
    kernel_device* device_;
    std::uint32_t is_symmetric_;
    bias_run run_;
    input_buffer slopes_;
    pooled_buffer entries_;
    output_buffer flag_;
  };

 private:
  std::vector<slope_words> slopes_;  // [heads]
  bool is_symmetric_;
};

}  // namespace ropewalk::vulkan
