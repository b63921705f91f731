#pragma once
// A rotary table from an engine with one mistake: other frequencies or factors, other positions, or entries
// in other places.

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

/// Changes that an engine makes to entries after forming them.
struct entry_change {
  bool is_exchanged = false;           // cosine and sine are exchanged
  bool negates_sine = false;           // every sine has the other sign
  bool has_other_arrangement = false;  // cosines and sines alternate instead of being apart, or the reverse
  std::optional<pairing> copies{};     // the pairing that places the two copies of a pair
  std::vector<pair_run> halves{};      // for half_split_by_axis, the run of each pair's axis

  friend bool operator==(const entry_change&, const entry_change&) = default;
};

struct rotary_suspect {
  std::vector<own_number> inv_freqs{};     // per pair, in radians per position
  std::vector<double> frequency_errors{};  // relative, for an engine that forms them in binary32
  own_number cos_factor = own_number::of(1);
  own_number sin_factor = own_number::of(1);
  fault::position_map positions{};  // the identity by default
  std::int64_t row_offset = 0;      // added to the position
  // The index or real coordinate that the engine uses for a row's token on an axis; null: the right one.
  std::function<double(std::int64_t row, int axis)> place{};
  entry_change entries{};
  bool rounds_angles = false;                    // to bfloat16
  std::optional<double> zero_at = std::nullopt;  // the position of a row of zeros
  std::vector<int> axis{};                       // per pair; the first axis if empty
  axis_coordinates coordinates{};                // for indices on the axes
  // For sinusoids, a factor of every frequency that the engine multiplies separately.
  double scale = 1;
};

/// The table of a configuration, on its axes if it has several.
///
/// throws  std::invalid_argument naming the field and its value
rotary_suspect suspect_of(const placed_rope& config);
inline rotary_suspect suspect_of(const rope& config) { return suspect_of(placed_rope{config}); }

/// Per pair, the numbers that its entries' bounds depend on.
std::vector<array::bounded_pair> bounded_pairs(const rotary_suspect& suspect);

/// The suspect with both factors replaced.
rotary_suspect with_factor(rotary_suspect suspect, const own_number& factor);

/// The suspect with every frequency multiplied, in binary32, by a number rounded to binary32.
rotary_suspect with_frequencies_times(rotary_suspect suspect, const own_number& number);

/// The suspect with every frequency rounded to a format.
template <floating_format Float>
rotary_suspect with_rounded_frequencies(rotary_suspect suspect);

/// Whether two suspects give the same table: frequencies and factors are equal in binary64, and nothing else
/// differs.
bool is_same_table(const rotary_suspect& suspect, const rotary_suspect& other);

/// `own`: the model's base and rotary_dim, the reference of ggml's divisors.
std::shared_ptr<const suspected_table> table_of(rotary_suspect suspect, const rope& own);

}  // namespace ropewalk::diagnosis
