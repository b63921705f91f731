#pragma once
// Builds groups of entries from the tables of this program.

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "input/positions.hpp"
#include "vectors/pack.hpp"

namespace ropewalk::vectors {

/// Positions in the order given.
input::position_list listed_positions(std::vector<std::int32_t> listed);
input::position_list real_positions(std::vector<double> real);

/// A case of every row from `first` on, up to but not including `last`; -1: all rows from `first` on.
entry_case rows_of(const output::table& of, std::vector<std::string_view> flags, std::int64_t first = 0,
                   std::int64_t last = -1);

/// A case for each row.
void add_each_row(entry_group& to, const std::vector<std::vector<std::string_view>>& flags_of_rows);

/// The bytes of a case's entries in the order of its rows: a number of the group's dtype each.
std::vector<std::uint64_t> entries_of(const entry_group& of, const entry_case& at);

}  // namespace ropewalk::vectors
