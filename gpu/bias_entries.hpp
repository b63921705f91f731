#pragma once
// ALiBi's entries made on the device: slope x (key - query) correctly rounded, in whole numbers alone.

#include <cstdint>
#include <vector>

#include "gpu/kernel_device.hpp"
#include "gpu/vulkan/transfer.hpp"
#include "ropewalk/kernel/bias_plan.hpp"

namespace ropewalk::vulkan {

/// Heads first, first + 1, ... of a plan.
struct head_range {
  int first = 0;
  int count = 0;
};

/// The slopes of a plan, as shaders take them.
class slope_source {
 public:
  /// throws  refused_call with ROPEWALK_UNSUPPORTED: a slope that 128 bits do not tell
  explicit slope_source(const bias_plan& plan);

  /// A run of entries for each head, at key - query = ahead, ahead + 1, ...
  class entries {
   public:
    /// domain  count > 0; |ahead| and |ahead + count - 1| below 2^32
    entries(kernel_device& on, const slope_source& source, head_range heads, std::int64_t ahead,
            std::uint32_t count);

    /// Records what makes them; a barrier is needed before they are read.
    void record(commands& by);
    const buffer& on_device() const { return *entries_; }
    /// Words from a head's first entry to the next head's.
    std::uint32_t head_step() const { return count_; }
    /// After the commands have run.
    ///
    /// throws  refused_call with ROPEWALK_UNDECIDED naming the slope, as 128 bits of it do not round an entry
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
