#pragma once
// Tables as laws see them: entries of any format by their bits, and cases that name what is looked at.

#include <cstdint>
#include <vector>

#include "ropewalk/numeric/format.hpp"

namespace ropewalk {

/// The case of laws that look at all of a table.
struct whole_table {};

/// The case of laws that look at as many queries as keys. domain  length >= 1
struct table_length {
  std::int64_t length = 1;
};

/// The case of laws that look at these positions, some at each beside the next.
struct listed_positions {
  std::vector<std::int64_t> positions;
};

/// A cosine and a sine by their bits.
struct cos_sin_entry {
  std::uint64_t cos = 0;
  std::uint64_t sin = 0;
};

/// Bits of any format in 64.
template <class Bits>
std::vector<std::uint64_t> widened(const std::vector<Bits>& bits) {
  return {bits.begin(), bits.end()};
}

/// The same for pairs with members cos and sin.
template <class Pair>
std::vector<cos_sin_entry> widened_pairs(const std::vector<Pair>& pairs) {
  std::vector<cos_sin_entry> r;
  for (const Pair& one : pairs) r.push_back({one.cos, one.sin});
  return r;
}

}  // namespace ropewalk
