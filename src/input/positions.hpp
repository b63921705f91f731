#pragma once
// Positions of tokens: a range, or a list read from a NumPy file.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ropewalk/config/position_range.hpp"

namespace ropewalk::input {

/// Default number of positions.
inline constexpr std::int64_t default_positions = 2048;

/// A range of positions, a list of positions, or a list of real numbers.
struct position_list {
  position_range range{};
  std::vector<std::int32_t> listed{};
  std::vector<double> real{};  // finite, never -0; if not empty, range and listed are ignored
  bool is_listed = false;

  bool is_real() const { return !real.empty(); }
  std::int64_t size() const {
    if (is_real()) return static_cast<std::int64_t>(real.size());
    return is_listed ? static_cast<std::int64_t>(listed.size()) : ropewalk::size(range);
  }
  /// domain  positions that are not real
  std::int64_t at(std::int64_t row) const {
    return is_listed ? listed[static_cast<std::size_t>(row)] : range.begin + row;
  }
  double real_at(std::int64_t row) const { return real[static_cast<std::size_t>(row)]; }
  double number_at(std::int64_t row) const { return is_real() ? real_at(row) : static_cast<double>(at(row)); }

  /// Length of the shortest sequence that contains these positions: the largest, rounded up, + 1, clamped to
  /// 1 .. largest_seq_len.
  std::int64_t smallest_seq_len() const;
  /// One position as the shortest decimal that converts back to it: "7", "0.1".
  std::string text_at(std::int64_t row) const;
  /// A description of all positions: "0:131072", "17 listed", or "17 listed in binary64".
  std::string text() const;
};

/// Whether a text looks like N or A:B, well formed or not, and not like a file name.
bool looks_like_numbers(std::string_view text);

/// A position or a count of positions as models state it: "131072" or, in units of 1024, "128k".
std::optional<std::int64_t> position_number(std::string_view text);

/// An array of positions, whole or real.
struct listed_array {
  std::vector<std::int64_t> shape;
  std::vector<std::int32_t> positions;
  std::vector<double> real{};  // finite, never -0; for an array of floating-point numbers
};

enum class listed_numbers { whole, whole_or_real };

/// Reads an array of positions of any shape through array_file: int32 or int64; also float64 and float32 if
/// `numbers` allows.
///
/// throws  bad_input naming positions; `allowed` is its text for a missing file
listed_array listed_array_from(const std::string& text, const std::string& allowed,
                               listed_numbers numbers = listed_numbers::whole);

/// A real position as the shortest decimal that converts back to it.
std::string shortest_text(double position);

/// Positions from the text of --positions: N, A:B, or an array of int32 or int64 for array_file.
///
/// throws  bad_input naming positions
position_list positions_from(const std::string& text);

/// Real positions from the text of --positions-f64: the path of a .npy file of float64.
///
/// throws  bad_input naming positions-f64
position_list real_positions_from(const std::string& path);

}  // namespace ropewalk::input
