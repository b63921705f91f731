#include "command/position_options.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "input/bad_input.hpp"

namespace ropewalk::command {

void add_positions_option(CLI::App& app, position_options& options) {
  app.add_option("--positions", options.positions,
                 "0 .. N-1, A .. B-1, or a list (default: the config's max_position_embeddings, else 2048)")
      ->type_name("N|A:B|FILE.npy")
      ->group("Which encoding");
}

void add_real_positions_option(CLI::App& app, position_options& options) {
  app.add_option("--positions-f64", options.real_positions,
                 "real positions instead, any finite binary64: a list of float64")
      ->type_name("FILE.npy")
      ->group("Which encoding");
}

input::position_list chosen_positions(const position_options& options, std::int64_t usual) {
  if (!options.real_positions.empty()) {
    if (!options.positions.empty())
      throw bad_input("positions-f64", options.real_positions, "none with --positions " + options.positions);
    return input::real_positions_from(options.real_positions);
  }
  if (!options.positions.empty()) return input::positions_from(options.positions);
  return {.range = {0, usual > 0 ? usual : input::default_positions}};
}

}  // namespace ropewalk::command
