#pragma once
// A rotary table as an engine with one mistake makes it: other frequencies or factors, other positions, or
// entries in other places.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "array/entry_bound.hpp"
#include "diagnosis/table_hypothesis.hpp"
#include "fault/own_frequencies.hpp"
#include "fault/position_map.hpp"

namespace ropewalk::diagnosis {

using fault::own_number;

/// What an engine does to the entries after it has formed them.
struct entry_change {
  bool is_exchanged = false;           // the cosine stands where the sine is expected, and the reverse
  bool negates_sine = false;           // every sine has the other sign
  bool has_other_arrangement = false;  // cosines and sines alternate, not apart, or the reverse
  std::optional<pairing> copies{};     // the two copies of a pair stand as in this pairing
  std::vector<pair_run> halves{};      // of half_split_by_axis: the run of each pair's axis

  friend bool operator==(const entry_change&, const entry_change&) = default;
};

struct rotary_suspect {
  std::vector<own_number> inv_freqs{};     // of every pair, in radians per position
  std::vector<double> frequency_errors{};  // relative, of an engine that forms them in binary32
  own_number cos_factor = own_number::of(1);
  own_number sin_factor = own_number::of(1);
  fault::position_map positions{};  // the identity by default
  std::int64_t row_offset = 0;      // added to the position
  // The index, or the real coordinate, that the engine has for a row's token on an axis; null: its own.
  std::function<double(std::int64_t row, int axis)> place{};
  entry_change entries{};
  bool rounds_angles = false;                    // to bfloat16
  std::optional<double> zero_at = std::nullopt;  // the position of a row of zeros
  std::vector<int> axis{};                       // of every pair; the first axis where there is none
  axis_coordinates coordinates{};                // of indices on the axes
  double scale = 1;  // of sinusoids: a factor of every frequency, which an engine multiplies apart
};

/// The table of a configuration, on its axes if it has several.
///
/// throws  std::invalid_argument naming the field and its value
rotary_suspect suspect_of(const placed_rope& config);
inline rotary_suspect suspect_of(const rope& config) { return suspect_of(placed_rope{config}); }

/// The numbers of every pair that the bounds of its entries depend on.
std::vector<array::bounded_pair> bounded_pairs(const rotary_suspect& suspect);

/// The same with both factors replaced.
rotary_suspect with_factor(rotary_suspect suspect, const own_number& factor);

/// The same with every frequency multiplied by a number that the engine rounds to binary32, and by which it
/// multiplies in binary32.
rotary_suspect with_frequencies_times(rotary_suspect suspect, const own_number& number);

/// The same with every frequency rounded to a format.
template <floating_format Float>
rotary_suspect with_rounded_frequencies(rotary_suspect suspect);

/// Whether two suspects give the same table: equal frequencies and factors in binary64, and no other change.
bool is_same_table(const rotary_suspect& suspect, const rotary_suspect& other);

/// `own`: the model's base and rotary_dim, from which ggml's divisors are counted.
std::shared_ptr<const suspected_table> table_of(rotary_suspect suspect, const rope& own);

}  // namespace ropewalk::diagnosis
