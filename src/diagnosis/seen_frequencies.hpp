#pragma once
// Frequencies that an array shows, whatever its model's are: read off its entries, or off the angles of its
// cosines and sines.

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "diagnosis/given_array.hpp"
#include "ropewalk/config/rope.hpp"
#include "ropewalk/kernel/promise.hpp"

namespace ropewalk::diagnosis {

/// Numbers from low to high.
struct number_range {
  double low = 0;
  double high = 0;

  bool is_empty() const { return !(low <= high); }
  bool has(double number) const { return low <= number && number <= high; }
};

/// The numbers that both ranges have.
number_range common_part(const number_range& range, const number_range& other);

/// Cosine and sine of a pair, as an array has them; NaN where it has none.
struct pair_point {
  double cos = std::numeric_limits<double>::quiet_NaN();
  double sin = std::numeric_limits<double>::quiet_NaN();
};

/// Those of every pair at a place.
std::vector<pair_point> points_at(array_reader& array, std::int64_t place);

/// Narrows the range of a frequency by the angle at a position, which is known up to whole turns and up to
/// `bound`. A range that is too wide to tell the whole turns stays as it is.
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

/// A number that the array tells: one, or all of a range.
struct seen_number {
  double value = 0;
  double relative_width = 0;  // of the range, from the value

  std::string text() const;
};

/// The shortest number of a range, and all of them where the range is narrow enough to tell a number from
/// others: a wide one would allow any table.
std::vector<seen_number> numbers_of(const number_range& range);

/// A range for the frequency of every pair, in radians per position; empty if the array shows none: it has no
/// cosines and sines at positions 1, 2, 4, ..., or an entry is not a finite number. A range is an estimate: a
/// hypothesis that is formed from it is tried as any other.
///
/// domain  like: a configuration whose frequencies are formed with about the same error
std::vector<number_range> seen_frequencies(array_reader& array, const rope& like, const promise& promised);

/// How the frequencies that an array shows differ from a configuration's: "the frequencies of pairs 32 to 63
/// are 0.125 to 0.5 times the expected ones"; empty if they show no difference.
std::string frequencies_in_words(array_reader& array, const rope& expected, const promise& promised);

}  // namespace ropewalk::diagnosis
