#pragma once
// Reads frequencies from an array, independent of its model: from its entries, or from the angles of its
// cosines and sines.

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "diagnosis/given_array.hpp"
#include "ropewalk/config/rope.hpp"
#include "ropewalk/kernel/promise.hpp"

namespace ropewalk::diagnosis {

/// All numbers from low to high.
struct number_range {
  double low = 0;
  double high = 0;

  bool is_empty() const { return !(low <= high); }
  bool has(double number) const { return low <= number && number <= high; }
};

/// The intersection of two ranges.
number_range common_part(const number_range& range, const number_range& other);

/// Cosine and sine of a pair in an array; NaN if the array lacks one.
struct pair_point {
  double cos = std::numeric_limits<double>::quiet_NaN();
  double sin = std::numeric_limits<double>::quiet_NaN();
};

/// The cosine and sine of every pair at a place.
std::vector<pair_point> points_at(array_reader& array, std::int64_t place);

/// Narrows the range of a frequency by the angle at a position, known up to whole turns and up to `bound`. A
/// range too wide to determine the whole turns stays unchanged.
///
/// units   radians, radians per unit of the position
/// domain  position > 0
void narrow_by(number_range& frequency, const pair_point& at, double position, double bound);

/// The number of a range with the fewest significant digits.
///
/// domain  not empty, finite ends
double shortest_in(const number_range& range);

/// The middle half of a range.
number_range middle_of(const number_range& range);

/// A number read from the array: one value, or a range.
struct seen_number {
  double value = 0;
  double relative_width = 0;  // of the range, from the value

  std::string text() const;
};

/// The shortest number of a range; and the range itself, if it is narrow enough. A wide range would allow any
/// table.
std::vector<seen_number> numbers_of(const number_range& range);

/// A range for the frequency of each pair, in radians per position. Empty if the array shows none: it has no
/// cosines and sines at positions 1, 2, 4, ..., or an entry is not finite. A range is an estimate: hypotheses
/// formed from it are tested like any other.
///
/// domain  like: a configuration whose frequencies have about the same error
std::vector<number_range> seen_frequencies(array_reader& array, const rope& like, const promise& promised);

/// How the array's frequencies differ from a configuration's: "the frequencies of pairs 32 to 63 are 0.125 to
/// 0.5 times the expected ones"; empty if there is no difference.
std::string frequencies_in_words(array_reader& array, const rope& expected, const promise& promised);

}  // namespace ropewalk::diagnosis
