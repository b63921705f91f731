#include "command/position_options.hpp"

#include "command/parser.hpp"
#include "input/bad_input.hpp"

namespace ropewalk::command {

void add_positions_option(subcommand& command, position_options& options) {
  command.heading("Which encoding");
  command.option("--positions", options.positions, "N|A:B|FILE.npy",
                 "0 .. N-1, A .. B-1, or a list (default: the config's max_position_embeddings, else 2048)");
}

void add_real_positions_option(subcommand& command, position_options& options) {
  command.heading("Which encoding");
  command.option("--positions-f64", options.real_positions, "FILE.npy",
                 "real positions instead: a 1-D array of finite float64 numbers");
}

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
