#pragma once
// The rows of one call whose positions are in binary64. With several axes, rows are cached for repeated
// positions, such as the coordinates of a grid.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <type_traits>
#include <vector>

#include "kernel/real_rows.hpp"
#include "kernel/real_walk.hpp"
#include "kernel/row_space.hpp"
#include "ropewalk/kernel/checked_call.hpp"

namespace ropewalk {

/// Combines the row of a token from those of its axes. For one thread.
template <class Lane>
class real_call_rows {
 public:
  /// Rows of a call with this number of tokens.
  real_call_rows(const real_rows& rows, std::int64_t tokens, bool unit)
      : rows_(rows), unit_(unit), walk_(rows, unit) {
    const std::size_t axes = rows.turning_axes().size();
    if (has_one_axis()) return;
    std::size_t widest = 0;
    for (const int axis : rows.turning_axes()) widest = std::max(widest, rows.pairs_of(axis).size());
    width_ = static_cast<std::size_t>(simd::padded(static_cast<int>(widest)));
    const std::size_t most = std::max<std::size_t>(1, most_kept_bytes / (2 * width_ * sizeof(Lane)));
    const auto count = static_cast<std::size_t>(std::clamp<std::int64_t>(tokens / 8, 1, most_kept_rows));
    log2_kept_ = static_cast<int>(std::bit_width(std::min(most, count))) - 1;
    const std::size_t kept = axes << log2_kept_;
    position_bits_.assign(kept, format<double>::infinity);
    kept_rows_ = std::make_unique_for_overwrite<Lane[]>(kept * 2 * width_);
  }

  /// The row of a token.
  ///
  /// shape   cos, sin [simd::padded(pairs)]; undecided [pairs], scratch
  void at(const token_place& place, Lane* cos, Lane* sin, std::uint16_t* undecided) {
    if (has_one_axis()) return at(place.real_position(), cos, sin, undecided);
    std::size_t index = 0;
    for (const int axis : rows_.turning_axes()) {
      const row_view<Lane> row = of_axis(index++, axis, place.real_position(axis), undecided);
      put(rows_.pairs_of(axis), row.cos, cos);
      put(rows_.pairs_of(axis), row.sin, sin);
    }
  }

 private:
  static constexpr std::int64_t most_kept_rows = 256;                     // per axis
  static constexpr std::size_t most_kept_bytes = std::size_t{128} << 10;  // per axis: both stay in a cache

  void at(double position, Lane* cos, Lane* sin, std::uint16_t* undecided) {
    if constexpr (std::is_same_v<Lane, float>)
      walk_.row(position, cos, sin, undecided);
    else
      rows_.row(0, position, unit_, cos, sin, undecided);
  }

  /// Whether all pairs are on axis 0.
  bool has_one_axis() const { return rows_.turning_axes().size() == 1 && rows_.turning_axes()[0] == 0; }

  /// The row of one axis, with its pairs side by side. `index`: index of the axis among those that have
  /// pairs.
  row_view<Lane> of_axis(std::size_t index, int axis, double position, std::uint16_t* undecided) {
    constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;  // 2^64 over the golden ratio: spreads bits upward
    const std::uint64_t bits = to_bits(position);
    const std::uint64_t slot = log2_kept_ == 0 ? 0 : (bits * odd) >> (64 - log2_kept_);
    const std::size_t at = (index << log2_kept_) + static_cast<std::size_t>(slot);
    Lane* const cos = kept_rows_.get() + at * 2 * width_;
    Lane* const sin = cos + width_;
    if (position_bits_[at] != bits) {
      rows_.row(axis, position, unit_, cos, sin, undecided);
      position_bits_[at] = bits;
    }
    return {cos, sin};
  }

  static void put(const std::vector<int>& pairs, const Lane* from, Lane* to) {
    const std::size_t count = pairs.size();
    if (static_cast<std::size_t>(pairs.back() - pairs.front()) == count - 1) {
      std::copy_n(from, count, to + pairs.front());
      return;
    }
    for (std::size_t i = 0; i < count; ++i) to[pairs[i]] = from[i];
  }

  const real_rows& rows_;
  bool unit_;
  real_walk walk_;
  std::size_t width_ = 0;
  int log2_kept_ = 0;
  std::vector<std::uint64_t> position_bits_;  // [turning axes][kept rows]; infinity: none
  std::unique_ptr<Lane[]> kept_rows_;         // [turning axes][kept rows][2: cos, sin][width]
};

}  // namespace ropewalk
