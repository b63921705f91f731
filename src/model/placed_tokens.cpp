// The tokens of a model on a grid that was asked for.

#include <cstddef>
#include <string>
#include <utility>

#include "grid/grid.hpp"
#include "input/bad_input.hpp"
#include "model/model.hpp"

namespace ropewalk::model {

void require_paired_channels(const model& of) {
  if (!of.channels_apart.empty())
    throw bad_input("which encoding", of.name + " (" + of.channels_apart + ")",
                    "another here: its frequencies differ from head to head, as only its table says");
}

model with_grid(model of, const grid::request& asked) {
  if (of.grid == nullptr)
    throw bad_input("grid", "given",
                    "none for " + of.name + ", whose tokens are counted: --positions takes their numbers");
  grid::placed at = grid::place(*of.grid, asked, of.grid_numbers);
  if (at.positions.axes != of.axes.count)
    throw bad_input("axes", std::to_string(of.axes.count),
                    std::to_string(at.positions.axes) + " axes, on which tokens of this model stand");
  for (int axis = 0; axis < of.axes.count; ++axis) {
    const auto index = static_cast<std::size_t>(axis);
    if (at.divisor[index] != 1) of.axes.axis[index].scaling = linear{.factor = at.divisor[index]};
  }
  of.coordinates = at.coordinates;
  validate(placed(of));
  of.placed_tokens = std::move(at.positions);
  of.facts.push_back({"tokens", std::to_string(of.placed_tokens->tokens()), std::string(of.grid->sentence)});
  return of;
}

}  // namespace ropewalk::model
