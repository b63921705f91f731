#pragma once
// How far the cosines and sines that engines form for images and videos lie from the exact ones, at the
// largest grid in use.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grid/grid.hpp"
#include "kernel/recipe/axes_entries.hpp"
#include "model/model.hpp"

namespace ropewalk::array {

/// A model of the catalogue, the grid that its pipeline uses, and the arithmetic of its engine.
struct engine_in_use {
  std::string_view model;
  recipe::table_arithmetic arithmetic;
  grid::request request;
  std::string_view grid_source;  // where the grid stands
};

/// All of them, in the order of the models' names.
std::span<const engine_in_use> engines_in_use();

/// A largest error, and where: of a pair at a coordinate of its axis.
struct largest_error {
  double error = 0;
  int pair = 0;
  int axis = 0;
  double coordinate = 0;
};

struct engine_error {
  const engine_in_use* engine = nullptr;
  std::string family;  // the class of diffusers, or the type of transformers
  std::int64_t tokens = 0;
  largest_error cos{};
  largest_error sin{};

  const largest_error& larger() const { return cos.error >= sin.error ? cos : sin; }
};

/// Measures every coordinate of the grid, on each axis.
///
/// error   rounded up
/// throws  as with_grid
engine_error error_of(const engine_in_use& engine);

/// Those of all engines, from the largest down. `progress` is called with the share that is done.
std::vector<engine_error> errors_of_engines(const std::function<void(double)>& progress = {});

/// "21x45x80, 512 of text, 24 fps".
std::string text_of(const grid::request& request);

}  // namespace ropewalk::array
