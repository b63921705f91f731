#pragma once
// Entries of tables of any format as bits, and cases that select the entries to judge.

#include <cstdint>
#include <vector>

#include "ropewalk/numeric/format.hpp"

namespace ropewalk {

/// The case of laws that judge a whole table.
struct whole_table {};

/// The case of laws that judge `length` queries and as many keys.
///
/// domain  length >= 1
struct table_length {
  std::int64_t length = 1;
};

/// The case of laws that judge these positions; some compare each position with the next.
struct listed_positions {
  std::vector<std::int64_t> positions;
};

/// A cosine and a sine, as bits.
struct cos_sin_entry {
  std::uint64_t cos = 0;
  std::uint64_t sin = 0;
};

/// Bits of any format, widened to 64.
template <class Bits>
std::vector<std::uint64_t> widened(const std::vector<Bits>& bits) {
  return {bits.begin(), bits.end()};
}

/// Pairs of any format, with members cos and sin, widened to 64 bits.
template <class Pair>
std::vector<cos_sin_entry> widened_pairs(const std::vector<Pair>& pairs) {
  std::vector<cos_sin_entry> entries;
  for (const Pair& pair : pairs) entries.push_back({pair.cos, pair.sin});
  return entries;
}

}  // namespace ropewalk
