#include "export/row_positions.hpp"

namespace ropewalk::tables {

row_positions::row_positions(input::axis_positions positions, const placed_rope& config)
    : on_axes_(std::move(positions)), coordinates_(config.coordinates) {
  for (int pair = 0; pair < pair_count(config.encoding); ++pair)
    axis_of_.push_back(ropewalk::axis_of(pair, config.axes, config.encoding).axis);
}

std::int64_t row_positions::index_at(std::int64_t row, int axis) const {
  if (!is_on_axes()) return listed_.at(row);
  return on_axes_.numbers[static_cast<std::size_t>(axis * on_axes_.tokens() + row)];
}

std::int64_t row_positions::whole_at(std::int64_t row, int axis) const {
  return position_of_index(index_at(row, axis), coordinate_of(axis));
}

double row_positions::at(std::int64_t row, int axis) const {
  if (!is_on_axes()) return listed_.number_at(row);
  if (!is_real()) return static_cast<double>(whole_at(row, axis));
  return on_axes_.real[static_cast<std::size_t>(axis * on_axes_.tokens() + row)];
}

}  // namespace ropewalk::tables
