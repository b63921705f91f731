#pragma once
// Options that choose positions, shared by `table`, `apply` and `sweep`.

#include <cstdint>
#include <string>
#include <type_traits>

#include "command/option/typed_options.hpp"
#include "input/positions.hpp"

namespace ropewalk::command {

/// The options as typed; empty if not given.
struct position_options {
  std::string positions;
  std::string real_positions;
};

template <class Options, class Visit>
requires std::is_same_v<std::remove_const_t<Options>, position_options>
void visit_options(Options& options, const Visit& visit) {
  visit("--positions", options.positions);
  visit("--positions-f64", options.real_positions);
}

/// The positions that the options name, else 0 .. usual - 1. If `usual` is 0, no configuration gives a number
/// of positions, and the default is input::default_positions.
///
/// throws  bad_input naming the option
input::position_list chosen_positions(const position_options& options, std::int64_t usual);

}  // namespace ropewalk::command
