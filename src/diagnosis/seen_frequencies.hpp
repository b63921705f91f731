#pragma once
// Frequencies that an array shows, whatever its model's are: read off its entries, or off the angles of its
// cosines and sines.

#include <optional>
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
number_range common_part(const number_range& one, const number_range& other);

/// The number of a range with the fewest significant digits.
///
/// domain  not empty, finite ends
double shortest_in(const number_range& of);

/// The middle half of a range.
number_range middle_of(const number_range& of);

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
