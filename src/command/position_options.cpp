#include "command/position_options.hpp"

#include "input/bad_input.hpp"

namespace ropewalk::command {

input::position_list chosen_positions(const position_options& options, std::int64_t usual) {
  if (!options.real_positions.empty()) {
    if (!options.positions.empty())
      throw bad_input("positions-f64", options.real_positions,
                      "only without --positions " + options.positions);
    return input::real_positions_from(options.real_positions);
  }
  if (!options.positions.empty()) return input::positions_from(options.positions);
  return {.range = {0, usual > 0 ? usual : input::default_positions}};
}

}  // namespace ropewalk::command
