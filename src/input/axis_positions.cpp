#include "input/axis_positions.hpp"

#include <algorithm>
#include <utility>

#include "input/array_file.hpp"
#include "input/bad_input.hpp"
#include "input/npy.hpp"
#include "input/positions.hpp"
#include "ropewalk/config/rope.hpp"

namespace ropewalk::input {

namespace {

template <class Number>
std::vector<Number> column(const std::vector<Number>& rows, int axes, std::int64_t token) {
  const std::int64_t tokens = static_cast<std::int64_t>(rows.size()) / axes;
  std::vector<Number> result;
  for (int axis = 0; axis < axes; ++axis)
    result.push_back(rows[static_cast<std::size_t>(axis * tokens + token)]);
  return result;
}

}  // namespace

std::vector<std::int32_t> axis_positions::at(std::int64_t token) const {
  return column(numbers, axes, token);
}

std::vector<double> axis_positions::numbers_at(std::int64_t token) const {
  if (is_real()) return column(real, axes, token);
  const std::vector<std::int32_t> whole = at(token);
  return {whole.begin(), whole.end()};
}

std::string axis_positions::text_at(int axis, std::int64_t token) const {
  const auto place = static_cast<std::size_t>(axis * tokens() + token);
  return is_real() ? shortest_text(real[place]) : std::to_string(numbers[place]);
}

std::int64_t axis_positions::smallest_seq_len() const {
  position_list all;
  all.listed = numbers;
  all.real = real;
  all.is_listed = true;
  return all.smallest_seq_len();
}

std::string axis_positions::text() const {
  return std::to_string(axes) + (axes == 1 ? " axis of " : " axes of ") + std::to_string(tokens()) +
         " listed" + (is_real() ? " in binary64" : "");
}

int axis_count_of(const std::string& text) {
  const array_file file = only_array("positions", text);
  const std::vector<std::int64_t>& shape = file.header().shape;
  return shape.size() == 2 ? static_cast<int>(std::min<std::int64_t>(shape[0], largest_head_dim)) : 0;
}

axis_positions axis_positions_from(const std::string& text, int axes) {
  const std::string allowed =
      "an array [" + std::to_string(axes) +
      ", N] of positions, one row for each axis: int32 or int64, or real ones in float64 or float32";
  if (looks_like_numbers(text)) throw bad_input("positions", text.empty() ? "missing" : text, allowed);
  listed_array array = listed_array_from(text, allowed, listed_numbers::whole_or_real);
  if (array.shape.size() != 2 || array.shape[0] != axes || array.shape[1] == 0)
    throw bad_input("positions", text + " (shape " + shape_text(array.shape) + ")", allowed);
  return {axes, std::move(array.positions), std::move(array.real)};
}

}  // namespace ropewalk::input
