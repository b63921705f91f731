#pragma once
// Transformer-XL's scores under test: programs from any source. The laws use small integers and four
// channels: sums and the division by sqrt(4) are exact even in binary32, in any order, so equality decides.

#include <cstdint>
#include <functional>

#include "ropewalk/encoding/transformer_xl.hpp"
#include "ropewalk/law/judge/measurement.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk {

/// One head, and the rows of all distances from the number of keys down to 1 - queries; a program uses those
/// that it needs.
struct transformer_xl_example {
  transformer_xl_head<double> head;
  distance_rows<double> distances;
};

/// Computes the scores of one head, [queries, keys]: minus infinity for keys that a query does not see.
using transformer_xl_source = std::function<matrix<double>(const transformer_xl_example&)>;

/// Number of queries, number of keys before them, and the choice of the numbers that all of them hold.
struct segment_lengths {
  int queries = 1;
  int memory = 0;
  int numbers = 0;  // 0 or above
};

/// A program that computes scores.
struct checked_transformer_xl {
  using case_type = segment_lengths;
  using needs_type = no_needs;

  transformer_xl_source scores;
};

namespace detail::transformer_xl_laws {

inline constexpr int channels = 4;

/// Integers from -9 to 9 without an obvious pattern.
inline matrix<double> scattered(int rows, int step) {
  return matrix_of(rows, channels,
                   [&](int i, int j) { return (step * (i * i + 5 * j + 1) + i * j) % 19 - 9.0; });
}

inline transformer_xl_example example_of(const segment_lengths& of) {
  require(of.queries >= 1, "queries", of.queries, "a number above 0");
  require(of.memory >= 0, "memory_length", of.memory, "a number from 0 up");
  require(of.numbers >= 0, "numbers", of.numbers, "a number from 0 up");
  const int keys = of.memory + of.queries;
  const auto rows = [&](int count, int step) { return scattered(count, step + of.numbers); };
  return {{rows(of.queries, 17), rows(keys, 29), rows(1, 7), rows(1, 11)},
          {rows(keys + of.queries, 13), keys}};
}

inline matrix<double> zeros_like(const matrix<double>& x) { return matrix<double>(x.rows(), x.columns()); }

/// Judges holds(query, key, score) for every key that a query sees, or for every other key.
template <class Holds>
void judge_scores(measurement& m, const matrix<double>& scores, const transformer_xl_example& of,
                  bool visible, Holds holds) {
  const int queries = of.head.queries.rows(), keys = of.head.keys.rows();
  require(scores.rows() == queries && scores.columns() == keys, "scores of a query", scores.columns(),
          "one for each key, a row for each query");
  const attention_mask mask{.keys = visible_keys::causal, .memory_length = keys - queries};
  for (int i = 0; i < queries; ++i)
    for (int j = 0; j < keys; ++j) {
      if (is_visible(i, j, mask) != visible) continue;
      place where;
      where.token = i;
      where.channel = j;
      record(m, judge_equal(holds(i, j, scores.at(i, j))), where, [&] {
        return evidence{ROPEWALK_F64, 1, {}, {}, {to_bits(scores.at(i, j))}};
      });
    }
}

}  // namespace detail::transformer_xl_laws

}  // namespace ropewalk
