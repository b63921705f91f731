#pragma once
// Rows of cosines and sines computed on the device: correctly rounded, in integer arithmetic only. The host
// computes entries that the device leaves undecided.

#include <cstdint>
#include <span>
#include <vector>

#include "gpu/kernel_device.hpp"
#include "gpu/row_positions.hpp"
#include "gpu/vulkan/transfer.hpp"
#include "ropewalk/kernel/rotation_plan.hpp"
#include "ropewalk/kernel/row_plan.hpp"

namespace ropewalk::vulkan {

/// Stride between rows in words: cosines padded to a multiple of four, then as many sines.
inline std::uint32_t row_words(int pairs) { return 8 * ((static_cast<std::uint32_t>(pairs) + 3) / 4); }

/// The arrangement of rows for rotations.
inline row_arrangement cosines_then_sines(int pairs) {
  return {.row_words = row_words(pairs),
          .cosine_first = 0,
          .sine_first = row_words(pairs) / 2,
          .pair_step = 1,
          .row_offset = 0};
}

/// The arrangement of rows for additions: entries in the order of the token's channels.
row_arrangement arrangement_of(const row_plan& plan);

/// Bytes of one pair's turns on the device.
inline std::uint64_t bytes_of_turns(bool is_real) {
  return is_real ? sizeof(real_turns) : 4 * sizeof(std::uint32_t);
}

/// Turns, axes and attention factor of one plan, from which rows are computed.
class turn_source {
 public:
  /// `plan` must outlive the source.
  ///
  /// throws  refused_call with ROPEWALK_UNSUPPORTED: a pair too slow for 128 bits, or a factor not known to
  ///         128 bits
  turn_source(const ropewalk_rotation& encoding, const rotation_plan& plan)
      : turn_source(encoding, plan, cosines_then_sines(plan.layout.pairs())) {}
  turn_source(const ropewalk_rotation& encoding, const rotation_plan& plan, const row_arrangement& arranged);

  /// One row per token. Owns the buffers that the device uses, so it must outlive the commands that read the
  /// rows.
  class rows {
   public:
    /// `source` must outlive the rows.
    ///
    /// shape   positions [axes, tokens]
    /// domain  real positions only if the encoding has turns_real and no row offset
    rows(kernel_device& device, const turn_source& source, const row_positions& positions, std::size_t tokens,
         bool unit);

    /// Records the commands that send the inputs and compute the rows; a barrier is needed before the rows
    /// are read.
    void record(commands& by);
    const buffer& on_device() const { return *rows_; }
    /// Computes entries that the device left undecided on the host, and returns whether there were any: all
    /// results of these rows must then be computed again. To be called after the commands have run.
    ///
    /// throws  refused_call with ROPEWALK_UNDECIDED naming a pair whose turns do not decide the rounding of
    ///         an entry; device_error
    bool decide_rest() const;

   private:
    cos_sin_bits<float> entry(std::uint32_t token, std::uint32_t pair) const;

    kernel_device* device_;
    const turn_source* source_;
    bool is_real_;
    bool unit_;
    bool has_factor_;
    rows_call call_;
    input_buffer positions_;
    input_buffer turns_;
    input_buffer axes_;
    pooled_buffer rows_;
    pooled_buffer flagged_;
    pooled_buffer flags_;  // the first two words of flagged_, for the host
  };

 private:
  const rotation_plan* plan_;
  std::vector<std::uint32_t> turns_;    // [pairs][4]
  std::vector<real_turns> real_turns_;  // [pairs], or empty if the encoding has none
  std::vector<std::uint32_t> axes_;     // [pairs]
  factor_words factor_;
  bool has_factor_;
  std::uint32_t pairs_;
  row_arrangement arranged_;
};

}  // namespace ropewalk::vulkan
