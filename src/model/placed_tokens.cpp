// The tokens of a model on a grid that was asked for.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "grid/grid.hpp"
#include "input/bad_input.hpp"
#include "model/model.hpp"

namespace ropewalk::model {

void require_paired_channels(const model& of) {
  if (!of.channels_apart.empty())
    throw bad_input("which encoding", of.name + " (" + of.channels_apart + ")",
                    "another here: its frequencies differ from head to head, as only its table says");
}

namespace {

/// Refuses a picture that is larger than the one that a class has a table for.
void require_own_picture(const grid::numbers& of, const grid::sizes& picture) {
  const auto holds_it = [&](const grid::sizes& own) {
    return picture.time <= own.time && picture.height <= own.height && picture.width <= own.width;
  };
  if (of.own.empty() || std::any_of(of.own.begin(), of.own.end(), holds_it)) return;
  const grid::sizes& own = of.own.front();
  throw bad_input("grid", std::to_string(picture.height) + "x" + std::to_string(picture.width),
                  "up to " + std::to_string(own.height) + "x" + std::to_string(own.width) +
                      ": there the class's table ends (" + of.own_why + ")");
}

}  // namespace

model with_own_grid(model of) {
  if (of.placed_tokens || of.grid_numbers.own.empty()) return of;
  const grid::request asked{.picture = of.grid_numbers.own.front()};
  return with_grid(std::move(of), asked);
}

model with_grid(model of, const grid::request& asked) {
  if (of.grid == nullptr)
    throw bad_input(
        "grid", "given",
        is_text(of.axes)
            ? "none for " + of.name + ", whose tokens are counted: --positions takes their numbers"
            : "none for axes alone: --model or --config of a model that places its tokens; or --positions");
  require_own_picture(of.grid_numbers, asked.picture);
  grid::placed at = grid::place(*of.grid, asked, of.grid_numbers);
  if (at.positions.axes != of.axes.count)
    throw bad_input("axes", std::to_string(of.axes.count),
                    std::to_string(at.positions.axes) + " axes, on which tokens of this model stand");
  for (int axis = 0; axis < of.axes.count; ++axis) {
    const auto index = static_cast<std::size_t>(axis);
    if (at.divisor[index] != 1) of.axes.axis[index].scaling = linear{.factor = at.divisor[index]};
  }
  of.coordinates = at.coordinates;
  of.grid_divisor = at.divisor;
  validate(placed(of));
  of.placed_tokens = std::move(at.positions);
  of.token_runs = std::move(at.runs);
  of.asked_grid = asked;
  of.windows = std::move(at.windows);
  of.facts.push_back({"tokens", std::to_string(of.placed_tokens->tokens()), std::string(of.grid->sentence)});
  return of;
}

model with_other_grid(model of, const grid::request& asked) {
  for (int axis = 0; axis < of.axes.count; ++axis)
    if (of.grid_divisor[static_cast<std::size_t>(axis)] != 1)
      of.axes.axis[static_cast<std::size_t>(axis)].scaling = unscaled{};
  return with_grid(std::move(of), asked);
}

input::axis_positions positions_of_kernels(const model& of, input::axis_positions at) {
  for (int axis = 0; axis < at.axes; ++axis) {
    const coordinate& own = of.coordinates[static_cast<std::size_t>(axis)];
    if (own == coordinate{}) continue;
    if (at.is_real())
      throw bad_input("positions", at.text(), "whole indices, where an axis has a scale or an offset");
    for (std::int64_t token = 0; token < at.tokens(); ++token) {
      std::int32_t& index = at.of[static_cast<std::size_t>(axis * at.tokens() + token)];
      const std::int64_t position = position_of_index(index, own);
      if (position < smallest_position || position > largest_position)
        throw bad_input(
            "positions", std::to_string(index),
            "indices whose numerators, index x denominator + numerator of the offset, fit in 32 bits");
      index = static_cast<std::int32_t>(position);
    }
  }
  return at;
}

namespace {

/// The coordinates of placed tokens: their indices, or, where these are scaled, shifted or divided, real
/// ones.
input::axis_positions coordinates_of(const grid::placed& at) {
  const auto axes = static_cast<std::size_t>(at.positions.axes);
  bool are_indices = true;
  for (std::size_t axis = 0; axis < axes; ++axis)
    are_indices = are_indices && at.coordinates[axis] == coordinate{} && at.divisor[axis] == 1;
  if (are_indices) return at.positions;
  input::axis_positions r{.axes = at.positions.axes};
  const std::size_t tokens = at.positions.of.size() / axes;
  for (std::size_t i = 0; i < at.positions.of.size(); ++i) {
    const std::size_t axis = i / tokens;
    const coordinate& of = at.coordinates[axis];
    const auto numerator = of.scale.numerator * position_of_index(at.positions.of[i], of);
    r.real.push_back(static_cast<double>(numerator) /
                     static_cast<double>(of.scale.denominator * of.offset.denominator) / at.divisor[axis]);
  }
  return r;
}

/// What is asked of a family for a small call: sides in blocks of tokens, and all that it takes.
grid::request small_call(const grid::family& of, const grid::numbers& numbers, std::int64_t time,
                         std::int64_t height, std::int64_t width) {
  const auto in_blocks = [&](std::int64_t side) { return side * numbers.merge; };
  grid::request r{
      .picture = {(of.takes & grid::takes_frames) != 0 ? time : 1, in_blocks(height), in_blocks(width)}};
  if ((of.takes & grid::takes_text) != 0) r.text = 7;
  if ((of.takes & grid::takes_fps) != 0) r.fps = ratio{24, 1};
  if ((of.takes & (grid::takes_one_reference | grid::takes_references)) != 0)
    r.references.push_back({1, in_blocks(width), in_blocks(height)});
  return r;
}

/// Some configurations of a family turn no text.
grid::placed placed_with_text_or_without(const model& of, grid::request asked) {
  if (!asked.text) return grid::place(*of.grid, asked, of.grid_numbers);
  try {
    return grid::place(*of.grid, asked, of.grid_numbers);
  } catch (const bad_input&) {
    asked.text = {};
    return grid::place(*of.grid, asked, of.grid_numbers);
  }
}

}  // namespace

std::vector<input::axis_positions> own_calls(const model& of) {
  if (of.placed_tokens) return {positions_of_kernels(of, *of.placed_tokens)};
  std::vector<input::axis_positions> r;
  if (of.grid == nullptr) return r;
  constexpr std::int64_t sides[][3] = {{1, 3, 5}, {3, 5, 2}, {5, 1, 11}};  // frames, rows, columns
  for (const auto& [time, height, width] : sides) {
    const grid::sizes others[] = {{8 * time + 2, 1, 1},
                                  {1, time, of.grid_numbers.patch}};  // of signals, of text
    grid::request asked = small_call(*of.grid, of.grid_numbers, time, height, width);
    for (std::size_t i = 0;; asked = {.picture = others[i++]}) {
      try {
        input::axis_positions placed = coordinates_of(placed_with_text_or_without(of, asked));
        if (placed.axes == of.axes.count) r.push_back(std::move(placed));
        break;
      } catch (const bad_input&) {  // its tables end before, or it takes no such picture
        if (i == std::size(others)) break;
      }
    }
  }
  return r;
}

}  // namespace ropewalk::model
