#pragma once
// The example shared by claims about attention, and two ways to apply positions in it.

#include <fmt/format.h>

#include <string>
#include <vector>

#include "claim/nearest.hpp"
#include "ropewalk/encoding/attention_positions.hpp"
#include "ropewalk/law/table/attention_laws.hpp"

namespace ropewalk::claim {

using scalar = attention_real;  // an entry of a row, or a score
using attention_rows = matrix<scalar>;
using position_list = std::vector<double>;

inline constexpr int four = 4;  // number of tokens, and of channels per token
inline constexpr rope four_channels{.base = 10000, .rotary_dim = four};
inline constexpr sinusoidal four_sinusoids{.d_model = four};

/// Four tokens of four channels, at positions 0 to 3.
inline attention_example four_tokens() { return example_of(four, four, 7); }

inline attention_rows exact(const matrix<double>& x) { return enclosed<attention_limbs>(x); }

/// Rows of four channels, each rotated by its position.
inline attention_rows turned(const attention_rows& rows, const position_list& at) {
  return rotated_rows(rows, at, four_channels);
}

/// One row with two decimals.
inline std::string printed(const attention_rows& x, int row) {
  std::string text;
  for (const attention_real& entry : x.row(row))
    text += fmt::format("{}{:.2f}", text.empty() ? "" : ", ", nearest(entry));
  return "[" + text + "]";
}

/// Number of equal entries of two matrices, in the sense of the laws of attention.
inline int agreeing_entries(const attention_rows& x, const attention_rows& y) {
  int count = 0;
  for (int row = 0; row < x.rows(); ++row)
    for (int column = 0; column < x.columns(); ++column) count += agree(x.at(row, column), y.at(row, column));
  return count;
}

}  // namespace ropewalk::claim
