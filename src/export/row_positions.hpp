#pragma once
// The positions of a table's rows: one position per row, or one per row and axis.

#include <cstdint>
#include <utility>
#include <vector>

#include "input/axis_positions.hpp"
#include "input/positions.hpp"
#include "ropewalk/encoding/placed_rope.hpp"

namespace ropewalk::tables {

/// Positions by axis. On an axis with a scale or an offset, position_of_index turns an index into a whole
/// position.
class row_positions {
 public:
  row_positions() = default;
  /// Positions on one axis.
  row_positions(input::position_list list) : listed_(std::move(list)) {}  // NOLINT: converts
  /// Positions on all axes of an embedding.
  row_positions(input::axis_positions positions, const placed_rope& config);

  std::int64_t rows() const { return is_on_axes() ? on_axes_.tokens() : listed_.size(); }
  bool is_on_axes() const { return !axis_of_.empty(); }
  int axes() const { return is_on_axes() ? on_axes_.axes : 1; }
  int axis_of(int pair) const { return is_on_axes() ? axis_of_[static_cast<std::size_t>(pair)] : 0; }
  /// Whether the rows are consecutive positions of one axis.
  bool is_range() const { return !is_on_axes() && !listed_.is_listed && !listed_.is_real(); }
  bool is_real() const { return is_on_axes() ? on_axes_.is_real() : listed_.is_real(); }

  /// The index that the caller gave.
  ///
  /// domain  positions that are not real
  std::int64_t index_at(std::int64_t row, int axis) const;
  /// The position that multiplies the axis's frequencies: position_of_index of the index.
  ///
  /// domain  positions that are not real
  std::int64_t whole_at(std::int64_t row, int axis) const;
  /// The same, for whole or real positions.
  double at(std::int64_t row, int axis) const;

  const ropewalk::coordinate& coordinate_of(int axis) const {
    return coordinates_[static_cast<std::size_t>(axis)];
  }
  /// The positions, if there is one axis.
  const input::position_list& listed() const { return listed_; }
  /// The positions, if there are several axes.
  const input::axis_positions& on_axes() const { return on_axes_; }

 private:
  input::position_list listed_{};
  input::axis_positions on_axes_{};
  std::vector<int> axis_of_{};  // the axis of each pair; empty: one axis
  axis_coordinates coordinates_{};
};

}  // namespace ropewalk::tables
