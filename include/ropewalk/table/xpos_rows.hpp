#pragma once
// Rows of cosine and sine of xPos for queries and keys, scale included, correctly rounded.

#include <cstdint>
#include <vector>

#include "ropewalk/encoding/xpos.hpp"
#include "ropewalk/numeric/round.hpp"
#include "ropewalk/table/cos_sin_table.hpp"

namespace ropewalk {

/// Bits of one entry of a pair at a position: z^exponent cos and z^exponent sin for a query, with z^-exponent
/// for a key.
///
/// domain  as xpos_scale
/// error   correctly rounded; sin 0 is +0
/// throws  std::invalid_argument naming the field and its value; undecided at the cap of Ziv's loop
template <floating_format Float>
constexpr cos_sin_bits<Float> round_xpos_entry(int pair, std::int64_t position, xpos_side side,
                                               const xpos& config) {
  struct entry {
    rounding<Float> cos, sin;
    bool decided;
  };
  const entry result = with_enough_limbs("cos or sin", [&]<int N>() {
    const pair_rotation<N> block = xpos_block<N>(pair, position, side, config);
    const rounding<Float> c = round<Float>(block.cos), s = round<Float>(block.sin);
    return entry{c, s, c.decided && s.decided};
  });
  return {result.cos.bits, result.sin.bits};
}

/// Bits of the row of one position.
///
/// shape   [rotary_dim / 2]
/// error, throws   as round_xpos_entry
template <floating_format Float>
constexpr std::vector<cos_sin_bits<Float>> xpos_row(std::int64_t position, xpos_side side,
                                                    const xpos& config) {
  validate(config);
  std::vector<cos_sin_bits<Float>> row;
  for (int pair = 0; pair < config.rotary_dim / 2; ++pair)
    row.push_back(round_xpos_entry<Float>(pair, position, side, config));
  return row;
}

}  // namespace ropewalk
