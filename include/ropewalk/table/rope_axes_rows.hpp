#pragma once
// The row of cosines and sines of a token with positions on several axes: each pair uses the position on its
// axis, correctly rounded.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "ropewalk/encoding/rope_axes.hpp"
#include "ropewalk/table/rope_rows.hpp"

namespace ropewalk {

namespace detail {

/// The axis of each pair.
inline std::vector<std::size_t> axes_of_pairs(const placed_rope& config) {
  std::vector<std::size_t> axes;
  for (int pair = 0; pair < pair_count(config.encoding); ++pair)
    axes.push_back(static_cast<std::size_t>(axis_of(pair, config.axes, config.encoding).axis));
  return axes;
}

}  // namespace detail

/// Rows at run time, for tokens of a video, an image or a text.
class rope_axes_rows {
 public:
  /// throws  std::invalid_argument naming the field and its value; undecided if a scaling rule is not decided
  template <std::same_as<rope> Config = rope>
  rope_axes_rows(const rope_axes& axes, const Config& config) : rope_axes_rows(placed_rope{config, axes}) {}
  explicit rope_axes_rows(const placed_rope& config)
      : config_(config), rows_(config), axis_(detail::axes_of_pairs(config)) {}

  /// The row of one token, attention factor included.
  ///
  /// shape   [rotary_dim / 2]
  /// domain  one index per axis, such as time, height and width, or row and column; the axis maps it to a
  ///         coordinate
  /// error   correctly rounded; sin 0 is +0
  /// throws  std::invalid_argument for a wrong number of positions; undecided at the cap of Ziv's loop
  template <floating_format Float>
  std::vector<cos_sin_bits<Float>> row(const std::vector<std::int32_t>& positions) const {
    return row_with<Float>(positions.size(), [&](std::size_t axis) {
      return position_of_index(positions[axis], config_.coordinates[axis]);
    });
  }

  /// The row of one token at real coordinates.
  ///
  /// domain  one finite number per axis; no axis has its own coordinate map
  template <floating_format Float>
  std::vector<cos_sin_bits<Float>> row_at(const std::vector<double>& coordinates) const {
    return row_with<Float>(coordinates.size(), [&](std::size_t axis) {
      require(config_.coordinates[axis] == coordinate{}, "a real position", coordinates[axis],
              "a whole index, where the axis has a coordinate of its own");
      return coordinates[axis];
    });
  }

 private:
  template <floating_format Float, class At>
  std::vector<cos_sin_bits<Float>> row_with(std::size_t count, At position) const {
    require(count == static_cast<std::size_t>(config_.axes.count), "the number of positions",
            static_cast<double>(count), "one for each axis");
    std::vector<cos_sin_bits<Float>> result;
    for (std::size_t pair = 0; pair < axis_.size(); ++pair)
      result.push_back(rows_.entry<Float>(static_cast<int>(pair), position(axis_[pair]), false));
    return result;
  }

  placed_rope config_;
  rope_rows rows_;
  std::vector<std::size_t> axis_;  // of each pair
};

}  // namespace ropewalk
