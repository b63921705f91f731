#pragma once
// Attention as a subject: what every way of attending owes the definition, whoever wrote it. Laws try it on a few tokens
// of small exact numbers; it computes scores, weights and outputs from them and says how far it may be off. Equal means
// that two enclosures narrower than 2^-90 overlap: a rule that is vague fails, and one that differs by more than both
// radii does.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <random>
#include <vector>

#include "ropewalk/encoding/attention.hpp"
#include "ropewalk/law/judge/measurement.hpp"
#include "ropewalk/law/law.hpp"

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

/// A way of attending, and what it claims to be.
struct held_attention {
  using case_type = attention_example;
  using needs_type = no_needs;

  attention_rule attend;
  attention_traits traits;
};

namespace detail::attention_law {

using result = attention_result<attention_limbs>;

/// One comparison at (query, key or channel).
inline void judge_entry(measurement& m, bool holds, int row, int column) {
  place where;
  where.token = row;
  where.channel = column;
  record(m, judge_equal(holds), where, [] { return evidence{}; });
}

/// Asks agree(x(i, j), y(i, j)) of all entries.
template <class X, class Y>
void judge_entries(measurement& m, int rows, int columns, const X& x, const Y& y) {
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) judge_entry(m, agree(x(i, j), y(i, j)), i, j);
}

inline auto entries_of(const matrix<attention_real>& x) {
  return [&x](int i, int j) -> const attention_real& { return x.at(i, j); };
}

/// Scores and outputs of `after` are those of `before` with the tokens in another order.
inline void judge_reordered(measurement& m, const result& before, const result& after,
                            const std::vector<int>& order) {
  const auto at = [&](int i) { return order[static_cast<std::size_t>(i)]; };
  judge_entries(m, after.scores.rows(), after.scores.columns(), entries_of(after.scores),
                [&](int i, int j) { return before.scores.at(at(i), at(j)); });
  judge_entries(m, after.outputs.rows(), after.outputs.columns(), entries_of(after.outputs),
                [&](int i, int j) { return before.outputs.at(at(i), j); });
}

/// Every order of the tokens: visit(order).
template <class Visit>
void for_each_order(int tokens, Visit visit) {
  std::vector<int> order(static_cast<std::size_t>(tokens));
  std::iota(order.begin(), order.end(), 0);
  do visit(order);
  while (std::next_permutation(order.begin(), order.end()));
}

}  // namespace detail::attention_law

}  // namespace ropewalk
