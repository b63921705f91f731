#pragma once
// Tables at compile time, of any size and without a compiler flag. Compilers limit the evaluation steps of
// one variable, so a table is gathered from many variables: columns, one per pair and block of positions, and
// rows.

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "ropewalk/config/position_range.hpp"

namespace ropewalk::detail {

/// Number of positions in a block: far below the compilers' limits, and so few that the error of a walk,
/// which grows with the square of its length, stays below 2^-100.
inline constexpr std::int64_t longest_column = 1024;

/// A column of zeros.
template <class Float>
inline constexpr Float zeros[longest_column]{};

/// The positions of one block.
template <position_range Positions, std::int64_t Block>
inline constexpr position_range block_positions{Positions.begin + Block * longest_column,
                                                Positions.end - Positions.begin < (Block + 1) * longest_column
                                                    ? Positions.end
                                                    : Positions.begin + (Block + 1) * longest_column};

/// Number of positions in a range.
///
/// throws  does not compile if `validate(position_range)` would throw
template <position_range Positions>
constexpr std::size_t checked_size() {
  validate(Positions);
  return static_cast<std::size_t>(size(Positions));
}

/// Cosines and sines of one pair at consecutive positions. Plain arrays: in constant evaluation, each call of
/// an operator costs as much as the arithmetic of an entry.
template <class Float, std::size_t Rows>
struct pair_column {
  Float cos[Rows]{};
  Float sin[Rows]{};
};

/// One row of a table. A Source has
///   value                  the type of an entry
///   width                  the number of entries in a row
///   columns<Block>         std::array of `width` pointers to the columns of a block
///   is_zero(row)           whether all entries of a row are zero
template <class Source, std::size_t Row>
inline constexpr auto table_row = [] {
  std::array<typename Source::value, Source::width> row{};
  if constexpr (!Source::is_zero(Row)) {
    constexpr auto& columns = Source::template columns<static_cast<std::int64_t>(Row) / longest_column>;
    constexpr std::size_t at = Row % longest_column;
    const auto* const* from = columns.data();
    typename Source::value* to = row.data();
    for (std::size_t column = 0; column < Source::width; ++column) to[column] = from[column][at];
  }
  return row;
}();

template <class Source, std::size_t... Row>
constexpr std::array<std::array<typename Source::value, Source::width>, sizeof...(Row)> gathered(
    std::index_sequence<Row...>) {
  return {table_row<Source, Row>...};
}

/// The rows of a table.
///
/// shape   [positions, width]
template <class Source, position_range Positions>
constexpr auto gathered_table() {
  return gathered<Source>(std::make_index_sequence<checked_size<Positions>()>{});
}

}  // namespace ropewalk::detail
