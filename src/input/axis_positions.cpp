#include "input/axis_positions.hpp"

#include "input/bad_input.hpp"
#include "input/npy.hpp"
#include "input/positions.hpp"

namespace ropewalk::input {

std::vector<std::int32_t> axis_positions::at(std::int64_t token) const {
  std::vector<std::int32_t> r;
  for (int axis = 0; axis < axes; ++axis) r.push_back(of[static_cast<std::size_t>(axis * tokens() + token)]);
  return r;
}

std::int64_t axis_positions::smallest_seq_len() const {
  position_list all;
  all.listed = of;
  all.is_listed = true;
  return all.smallest_seq_len();
}

std::string axis_positions::text() const {
  return std::to_string(axes) + " axes of " + std::to_string(tokens()) + " listed";
}

axis_positions axis_positions_from(const std::string& text, int axes) {
  const std::string allowed =
      "an array [" + std::to_string(axes) + ", N] of int32 or int64 positions, one row for each axis";
  if (looks_like_numbers(text)) throw bad_input("positions", text.empty() ? "missing" : text, allowed);
  const listed_array array = listed_array_from(text, allowed);
  if (array.shape.size() != 2 || array.shape[0] != axes || array.shape[1] == 0)
    throw bad_input("positions", text + " (shape " + shape_text(array.shape) + ")", allowed);
  return {axes, array.positions};
}

}  // namespace ropewalk::input
