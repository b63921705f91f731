#pragma once
// The options of `ropewalk verify` that name arrays of files, and the arrays that they name.

#include <string>
#include <vector>

#include "command/table_options.hpp"
#include "verify/given_arrays.hpp"

namespace ropewalk::command {

/// The options as typed. `of` has the options of some kinds of table; its kind, encoding and positions are
/// set for each array.
struct array_options {
  std::vector<std::string> tables;   // --table
  std::vector<std::string> kinds;    // --as, one for all or one for each
  std::vector<std::string> layouts;  // --layout, likewise
  table_options of;

  bool is_given() const { return !tables.empty(); }
};

void add_array_options(subcommand& command, array_options& options);

/// The arrays of files, and what a command line says of the layers that they are of.
struct chosen_arrays {
  std::vector<verify::given_array> arrays;
  std::vector<std::string> missing{};  // layers without an array
};

/// The promise by which arrays are judged, as typed; canonical if none was.
struct named_promise {
  promise value = promise::canonical;
  std::string text{};
};

/// Opens the header of each array and makes the table that it should be. What the array's shape says need not
/// be typed: positions from 0, heads, keys, widths.
///
/// throws  bad_input naming the option, its value and what is allowed
chosen_arrays arrays_from(const array_options& options, const which_options& which,
                          const std::string& positions, const std::vector<std::string>& dtypes,
                          const named_promise& promised, session& session);

/// The first of the options that was given, with its value; both are empty if none was.
named_option first_named(const array_options& options);

}  // namespace ropewalk::command
