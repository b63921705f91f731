#pragma once
// Positions of tokens on several axes, such as time, height and width.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ropewalk::input {

/// One row of positions per axis, whole numbers or real ones, as in model code.
struct axis_positions {
  int axes = 1;
  std::vector<std::int32_t> numbers{};  // [axes, tokens]
  std::vector<double> real{};           // [axes, tokens], finite, never -0; if not empty, `numbers` is

  bool is_real() const { return !real.empty(); }
  std::int64_t tokens() const {
    return static_cast<std::int64_t>(is_real() ? real.size() : numbers.size()) / axes;
  }
  /// The positions of one token, one per axis.
  ///
  /// domain  whole positions
  std::vector<std::int32_t> at(std::int64_t token) const;
  /// The same, for whole or real positions.
  std::vector<double> numbers_at(std::int64_t token) const;
  /// One position as the shortest decimal that converts back to it.
  std::string text_at(int axis, std::int64_t token) const;
  /// Length of the shortest sequence that contains these positions, as in position_list.
  std::int64_t smallest_seq_len() const;
  /// "3 axes of 17 listed", or "3 axes of 17 listed in binary64".
  std::string text() const;
};

/// Number of rows of an array of positions, [axes, tokens]; 0 for a list without rows.
///
/// throws  bad_input naming positions if there is no such array
int axis_count_of(const std::string& text);

/// Positions from the text of --positions, empty if not given: an array [axes, tokens] of whole numbers
/// (int32 or int64) or real numbers (float64, float32 or float16), read by array_file.
///
/// throws  bad_input naming positions
axis_positions axis_positions_from(const std::string& text, int axes);

}  // namespace ropewalk::input
