#pragma once
// What a law of attention is tried on: a few tokens of small exact numbers, and any way of computing scores,
// weights and outputs from them that says how far it may be off.

#include <cstdint>
#include <functional>
#include <numeric>
#include <random>
#include <vector>

#include "ropewalk/encoding/attention.hpp"

namespace ropewalk {

inline constexpr int attention_limbs = 3;
using attention_real = enclosure<attention_limbs>;

/// One head: rows of queries, keys and values, one for each token, and where the tokens stand.
struct attention_example {
  matrix<double> queries;
  matrix<double> keys;
  matrix<double> values;
  std::vector<double> positions;
};

/// A way of attending. A program in floating point hands its numbers out with their error as the enclosures'
/// radius.
using attention_rule = std::function<attention_result<attention_limbs>(const attention_example&)>;

/// What a rule claims to be, which decides the laws that it is held to.
struct attention_traits {
  bool has_positions = false;  // positions enter at all
  bool is_relative = false;    // by their distances alone
  bool is_causal = false;
};

/// Multiples of 1/8 in [-2, 2], from a fixed sequence; tokens at positions 0, 1, 2, ...
inline attention_example example_of(int tokens, int channels, std::uint32_t seed) {
  std::mt19937 next(seed);
  const auto rows = [&] {
    return matrix_of(tokens, channels, [&](int, int) { return (static_cast<double>(next() % 33) - 16) / 8; });
  };
  attention_example r;
  r.queries = rows(), r.keys = rows(), r.values = rows();
  r.positions.resize(static_cast<std::size_t>(tokens));
  std::iota(r.positions.begin(), r.positions.end(), 0.0);
  return r;
}

/// Row i of the result is row order[i] of x.
template <class Number>
matrix<Number> rows_in_order(const matrix<Number>& x, const std::vector<int>& order) {
  return matrix_of(x.rows(), x.columns(),
                   [&](int i, int j) { return x.at(order[static_cast<std::size_t>(i)], j); });
}

/// Tokens in another order, the positions where they were.
inline attention_example reordered(const attention_example& of, const std::vector<int>& order) {
  return {rows_in_order(of.queries, order), rows_in_order(of.keys, order), rows_in_order(of.values, order),
          of.positions};
}

/// Every position farther by the same distance.
inline attention_example moved(attention_example of, double distance) {
  for (double& position : of.positions) position += distance;
  return of;
}

/// Whether two enclosures are as narrow as laws want them and have a number in common: the law's equality.
inline bool agree(const attention_real& x, const attention_real& y) {
  constexpr radius widest{std::uint32_t{1} << 31, -121};  // 2^-90
  return x.error < widest && y.error < widest && may_be_zero(x - y);
}

}  // namespace ropewalk
