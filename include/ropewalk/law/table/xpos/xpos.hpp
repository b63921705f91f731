#pragma once
// Rows of xPos under test: tables from any source. A pair's norm is z^exponent in place of 1. Scores depend
// on the distance alone, since keys are scaled by the inverse of the queries' scale.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "ropewalk/encoding/xpos.hpp"
#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/rounded_pairs.hpp"

namespace ropewalk {

/// Makes the row of one position: rotary_dim / 2 cosines and sines, scale included.
using xpos_source = std::function<std::vector<cos_sin_entry>(std::int64_t position, xpos_side, const xpos&)>;

/// A source of rows, with their configuration and format.
struct checked_xpos_rows {
  using case_type = listed_positions;
  using needs_type = no_needs;

  ropewalk_dtype dtype = ROPEWALK_F64;
  xpos_source rows;
  xpos config;
};

namespace detail::xpos_laws {

inline std::vector<cos_sin_entry> checked_row(const xpos_source& source, std::int64_t position,
                                              xpos_side side, const xpos& config) {
  auto row = source(position, side, config);
  require(row.size() == static_cast<std::size_t>(config.rotary_dim / 2), "the row's size",
          static_cast<double>(row.size()), "rotary_dim / 2 pairs");
  return row;
}

}  // namespace detail::xpos_laws

}  // namespace ropewalk
