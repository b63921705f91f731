#pragma once
// The options of `ropewalk verify` that name arrays of files, and the arrays that they name.

#include <string>
#include <type_traits>
#include <vector>

#include "command/table_options.hpp"
#include "verify/given_arrays.hpp"

namespace ropewalk::command {

/// The options as typed. The kind, encoding and positions of `table` are set for each array.
struct array_options {
  std::vector<std::string> tables;   // --table
  std::vector<std::string> kinds;    // --as, one for all or one for each
  std::vector<std::string> layouts;  // --layout, likewise
  table_options table;               // the options of some kinds of table

  bool is_given() const { return !tables.empty(); }
};

template <class Options, class Visit>
requires std::is_same_v<std::remove_const_t<Options>, array_options>
void visit_options(Options& options, const Visit& visit) {
  visit("--table", options.tables);
  visit("--as", options.kinds);
  visit("--layout", options.layouts);
  visit("--positions-f64", options.table.where.real_positions);
  visit_kind_options(options.table, [&](std::string_view name, auto& value) {
    if (name != "--layout") visit(name, value);
  });
}

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

}  // namespace ropewalk::command
