#pragma once
// Rows of xPos as a subject: what every table of them owes the paper, whoever made it. A norm of its own, z^exponent in
// place of 1, and scores that depend on the distance alone, because what a query gains a key loses.

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

/// The rows of a configuration in one format.
struct held_xpos_rows {
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
