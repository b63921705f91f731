#pragma once
// Rows of cosines and sines that the host computes. Rows of whole positions are cached on first use; entries
// at positions in binary64 are computed for each call.

#include <cstdint>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include "gpu/turn_rows.hpp"

namespace ropewalk::vulkan {

class table_source {
 public:
  table_source(const ropewalk_rotation&, const rotation_plan& plan) : plan_(&plan) {}

  /// One row per token, sent to the device.
  class rows {
   public:
    /// shape   positions [axes, tokens]
    /// throws  undecided at the cap of Ziv's loop
    rows(kernel_device& device, const table_source& source, const row_positions& positions,
         std::size_t tokens, bool unit);

    void record(commands& by) { rows_.send(by); }
    const buffer& on_device() const { return rows_.on_device(); }
    bool decide_rest() const { return false; }

   private:
    input_buffer rows_;
  };

 private:
  using row = std::vector<std::uint32_t>;  // cosines, then sines

  /// Cap of the cache; rows beyond it are computed again in each call.
  static constexpr std::size_t most_kept_bytes = std::size_t{1} << 30;

  row made(std::int32_t position, bool unit) const;
  row of(std::int32_t position, bool unit) const;

  /// Writes one row per token.
  ///
  /// shape   to [tokens][row_words], zeros
  void fill_whole(const row_positions& positions, std::size_t tokens, bool unit, std::uint32_t* to) const;
  void fill_real(const row_positions& positions, std::size_t tokens, bool unit, std::uint32_t* to) const;

  const rotation_plan* plan_;
  mutable std::mutex making_;
  mutable std::unordered_map<std::int64_t, row> kept_;  // by 2 position + unit
};

}  // namespace ropewalk::vulkan
