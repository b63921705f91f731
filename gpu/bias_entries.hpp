#pragma once
// ALiBi's entries computed on the device: slope x (key - query), correctly rounded, in integer arithmetic
// only.

#include <cstdint>
#include <vector>

#include "gpu/kernel_device.hpp"
#include "gpu/vulkan/transfer.hpp"
#include "ropewalk/kernel/bias_plan.hpp"

namespace ropewalk::vulkan {

/// Consecutive heads of a plan.
struct head_range {
  int first = 0;
  int count = 0;
};

/// The slopes of a plan in the form that shaders read.
class slope_source {
 public:
  /// throws  refused_call with ROPEWALK_UNSUPPORTED: a slope that is not known to 128 bits
  explicit slope_source(const bias_plan& plan);

  /// A run of entries for each head, at key - query = ahead, ahead + 1, ...
  class entries {
   public:
    /// domain  count > 0; |ahead| and |ahead + count - 1| below 2^32
    entries(kernel_device& on, const slope_source& source, head_range heads, std::int64_t ahead,
            std::uint32_t count);

    /// Records the commands that compute the entries; a barrier is needed before they are read.
    void record(commands& by);
    const buffer& on_device() const { return *entries_; }
    /// Stride between the entries of two heads, in words.
    std::uint32_t head_step() const { return count_; }
    /// Refuses the call if an entry is undecided. To be called after the commands have run.
    ///
    /// throws  refused_call with ROPEWALK_UNDECIDED naming a slope whose 128 bits do not decide the rounding
    ///         of an entry
    void require_decided() const;

   private:
    kernel_device* device_;
    head_range heads_;
    std::uint32_t is_symmetric_;
    std::int64_t ahead_;
    std::uint32_t count_;
    input_buffer slopes_;
    pooled_buffer entries_;
    output_buffer flag_;
  };

 private:
  std::vector<slope_words> slopes_;  // [heads]
  bool is_symmetric_;
};

}  // namespace ropewalk::vulkan
