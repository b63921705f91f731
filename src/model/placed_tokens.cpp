// Places a model's tokens on a requested grid.

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

void require_paired_channels(const model& model) {
  if (!model.channels_apart.empty())
    throw bad_input("which encoding", model.name + " (" + model.channels_apart + ")",
                    "another here: its frequencies differ from head to head, as only its table says");
}

namespace {

/// Refuses a picture larger than the class's table.
void require_own_picture(const grid::numbers& numbers, const grid::sizes& picture) {
  const auto holds_it = [&](const grid::sizes& own) {
    return picture.time <= own.time && picture.height <= own.height && picture.width <= own.width;
  };
  if (numbers.own.empty() || std::any_of(numbers.own.begin(), numbers.own.end(), holds_it)) return;
  const grid::sizes& own = numbers.own.front();
  throw bad_input("grid", std::to_string(picture.height) + "x" + std::to_string(picture.width),
                  "up to " + std::to_string(own.height) + "x" + std::to_string(own.width) +
                      ": there the class's table ends (" + numbers.own_why + ")");
}

}  // namespace

model with_own_grid(model model) {
  if (model.placed_tokens || model.grid_numbers.own.empty()) return model;
  const grid::request request{.picture = model.grid_numbers.own.front()};
  return with_grid(std::move(model), request);
}

model with_grid(model model, const grid::request& request) {
  if (model.grid == nullptr)
    throw bad_input(
        "grid", "given",
        is_text(model.axes)
            ? "none for " + model.name + ", whose tokens are counted: give their numbers with --positions"
            : "none for axes without a model: use --model or --config of a model that places its tokens, or "
              "--positions");
  require_own_picture(model.grid_numbers, request.picture);
  grid::placed at = grid::place(*model.grid, request, model.grid_numbers);
  if (at.positions.axes != model.axes.count)
    throw bad_input("axes", std::to_string(model.axes.count),
                    std::to_string(at.positions.axes) + " axes, on which tokens of this model stand");
  for (int axis = 0; axis < model.axes.count; ++axis) {
    const auto index = static_cast<std::size_t>(axis);
    if (at.divisor[index] != 1) model.axes.axis[index].scaling = linear{.factor = at.divisor[index]};
  }
  model.coordinates = at.coordinates;
  model.grid_divisor = at.divisor;
  validate(placed(model));
  model.placed_tokens = std::move(at.positions);
  model.token_runs = std::move(at.runs);
  model.asked_grid = request;
  model.windows = std::move(at.windows);
  model.facts.push_back(
      {"tokens", std::to_string(model.placed_tokens->tokens()), std::string(model.grid->sentence)});
  return model;
}

model with_other_grid(model model, const grid::request& request) {
  for (int axis = 0; axis < model.axes.count; ++axis)
    if (model.grid_divisor[static_cast<std::size_t>(axis)] != 1)
      model.axes.axis[static_cast<std::size_t>(axis)].scaling = unscaled{};
  return with_grid(std::move(model), request);
}

input::axis_positions positions_of_kernels(const model& model, input::axis_positions at) {
  for (int axis = 0; axis < at.axes; ++axis) {
    const coordinate& own = model.coordinates[static_cast<std::size_t>(axis)];
    if (own == coordinate{}) continue;
    if (at.is_real())
      throw bad_input("positions", at.text(), "whole indices, where an axis has a scale or an offset");
    for (std::int64_t token = 0; token < at.tokens(); ++token) {
      std::int32_t& index = at.numbers[static_cast<std::size_t>(axis * at.tokens() + token)];
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

/// The coordinates of placed tokens: their indices or, if these are scaled, shifted or divided, real numbers.
input::axis_positions coordinates_of(const grid::placed& at) {
  const auto axes = static_cast<std::size_t>(at.positions.axes);
  bool are_indices = true;
  for (std::size_t axis = 0; axis < axes; ++axis)
    are_indices = are_indices && at.coordinates[axis] == coordinate{} && at.divisor[axis] == 1;
  if (are_indices) return at.positions;
  input::axis_positions coordinates{.axes = at.positions.axes};
  const std::size_t tokens = at.positions.numbers.size() / axes;
  for (std::size_t i = 0; i < at.positions.numbers.size(); ++i) {
    const std::size_t axis = i / tokens;
    const coordinate& coordinate = at.coordinates[axis];
    const auto numerator =
        coordinate.scale.numerator * position_of_index(at.positions.numbers[i], coordinate);
    coordinates.real.push_back(
        static_cast<double>(numerator) /
        static_cast<double>(coordinate.scale.denominator * coordinate.offset.denominator) / at.divisor[axis]);
  }
  return coordinates;
}

/// A small request to a family: sides in blocks of tokens, and every option that it takes.
grid::request small_call(const grid::family& family, const grid::numbers& numbers, std::int64_t time,
                         std::int64_t height, std::int64_t width) {
  const auto in_blocks = [&](std::int64_t side) { return side * numbers.merge; };
  grid::request call{
      .picture = {(family.takes & grid::takes_frames) != 0 ? time : 1, in_blocks(height), in_blocks(width)}};
  if ((family.takes & grid::takes_text) != 0) call.text = 7;
  if ((family.takes & grid::takes_fps) != 0) call.fps = ratio{24, 1};
  if ((family.takes & (grid::takes_one_reference | grid::takes_references)) != 0)
    call.references.push_back({1, in_blocks(width), in_blocks(height)});
  return call;
}

/// Places tokens with text, or without it if the configuration turns no text.
grid::placed placed_with_text_or_without(const model& model, grid::request request) {
  if (!request.text) return grid::place(*model.grid, request, model.grid_numbers);
  try {
    return grid::place(*model.grid, request, model.grid_numbers);
  } catch (const bad_input&) {
    request.text = {};
    return grid::place(*model.grid, request, model.grid_numbers);
  }
}

}  // namespace

std::vector<input::axis_positions> own_calls(const model& model) {
  if (model.placed_tokens) return {positions_of_kernels(model, *model.placed_tokens)};
  std::vector<input::axis_positions> calls;
  if (model.grid == nullptr) return calls;
  constexpr std::int64_t sides[][3] = {{1, 3, 5}, {3, 5, 2}, {5, 1, 11}};  // frames, rows, columns
  for (const auto& [time, height, width] : sides) {
    const grid::sizes others[] = {{8 * time + 2, 1, 1},
                                  {1, time, model.grid_numbers.patch}};  // a signal; text
    grid::request request = small_call(*model.grid, model.grid_numbers, time, height, width);
    for (std::size_t i = 0;; request = {.picture = others[i++]}) {
      try {
        input::axis_positions placed = coordinates_of(placed_with_text_or_without(model, request));
        if (placed.axes == model.axes.count) calls.push_back(std::move(placed));
        break;
      } catch (const bad_input&) {  // the tables are too short, or the picture is refused
        if (i == std::size(others)) break;
      }
    }
  }
  return calls;
}

}  // namespace ropewalk::model
