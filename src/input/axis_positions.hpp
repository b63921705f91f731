#pragma once
// Positions of tokens on several axes, such as time, height and width.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ropewalk::input {

/// One row of positions per axis, as model code holds them.
struct axis_positions {
  int axes = 1;
  std::vector<std::int32_t> of{};  // [axes, tokens]

  std::int64_t tokens() const { return static_cast<std::int64_t>(of.size()) / axes; }
  /// The positions of one token, one for each axis.
  std::vector<std::int32_t> at(std::int64_t token) const;
  /// Length of the shortest sequence that contains these positions, as position_list has it.
  std::int64_t smallest_seq_len() const;
  /// "3 axes of 17 listed".
  std::string text() const;
};

/// Positions from the text of --positions, empty if it was not given: an array [axes, tokens] of int32 or
/// int64, as array_file takes it.
///
/// throws  bad_input naming positions
axis_positions axis_positions_from(const std::string& text, int axes);

}  // namespace ropewalk::input
