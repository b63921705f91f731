#pragma once
// Builds groups of entries from this program's tables.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "input/positions.hpp"
#include "vectors/pack.hpp"

namespace ropewalk::vectors {

/// Positions in the given order.
input::position_list listed_positions(std::vector<std::int32_t> listed);
input::position_list real_positions(std::vector<double> real);

/// A case of all rows.
entry_case rows_of(const tables::table& table, std::vector<std::string_view> flags);

/// The bits of a case's entries in the order of its rows, each a number of the group's dtype.
std::vector<std::uint64_t> entries_of(const entry_group& group, const entry_case& at);

}  // namespace ropewalk::vectors
