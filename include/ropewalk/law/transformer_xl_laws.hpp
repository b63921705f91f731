#pragma once
// What every program for Transformer-XL's scores owes the definition, whoever wrote it. The laws give it
// small whole numbers and four channels, so that sums and the division by sqrt(4) are exact in binary32
// already, in any order: equality decides.

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <string_view>

#include "ropewalk/encoding/transformer_xl.hpp"
#include "ropewalk/law/measurement.hpp"

namespace ropewalk {

/// One head, and the rows of all distances from keys down to 1 - queries; a program takes those that it
/// wants.
struct transformer_xl_example {
  transformer_xl_head<double> head;
  distance_rows<double> distances;
};

/// Computes the scores of one head, [queries, keys]: minus infinity for keys that a query does not see.
using transformer_xl_source = std::function<matrix<double>(const transformer_xl_example&)>;

struct transformer_xl_law {
  std::string_view name;
  std::string_view statement;
  measurement (*measure)(const transformer_xl_source&, int queries, int memory_length);
};

namespace detail::transformer_xl_laws {

inline constexpr int channels = 4;

/// Whole numbers from -9 to 9 without a pattern.
inline matrix<double> scattered(int rows, int step) {
  return matrix_of(rows, channels,
                   [&](int i, int j) { return (step * (i * i + 5 * j + 1) + i * j) % 19 - 9.0; });
}

inline transformer_xl_example example_of(int queries, int memory_length) {
  require(queries >= 1, "queries", queries, "a number above 0");
  require(memory_length >= 0, "memory_length", memory_length, "a number from 0 up");
  const int keys = memory_length + queries;
  return {{scattered(queries, 17), scattered(keys, 29), scattered(1, 7), scattered(1, 11)},
          {scattered(keys + queries, 13), keys}};
}

inline matrix<double> zeros_like(const matrix<double>& x) { return matrix<double>(x.rows(), x.columns()); }

/// Asks holds(query, key, score) of every key that a query sees, or of every other one.
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

inline measurement measure_masked(const transformer_xl_source& source, int queries, int memory_length) {
  const transformer_xl_example given = example_of(queries, memory_length);
  const matrix<double> scores = source(given);
  constexpr double none = -std::numeric_limits<double>::infinity();
  measurement m;
  judge_scores(m, scores, given, false, [](int, int, double score) { return score == none; });
  judge_scores(m, scores, given, true, [](int, int, double score) { return score > none; });
  return m;
}

/// [(q_i + u) . k_j + (q_i + v) . r_distance] / 2
inline measurement measure_direct(const transformer_xl_source& source, int queries, int memory_length) {
  const transformer_xl_example given = example_of(queries, memory_length);
  const transformer_xl_head<double>& head = given.head;
  measurement m;
  judge_scores(m, source(given), given, true, [&](int i, int j, double score) {
    const int row = given.distances.first_distance - (memory_length + i - j);
    double twice = 0;
    for (int c = 0; c < channels; ++c)
      twice += (head.queries.at(i, c) + head.content_bias.at(0, c)) * head.keys.at(j, c) +
               (head.queries.at(i, c) + head.position_bias.at(0, c)) * given.distances.rows.at(row, c);
    return score == twice / 2;
  });
  return m;
}

/// The score is the sum of what it is with all inputs but those of one term at zero.
inline measurement measure_four_terms(const transformer_xl_source& source, int queries, int memory_length) {
  const transformer_xl_example given = example_of(queries, memory_length);
  std::array<transformer_xl_example, 4> alone{given, given, given, given};
  for (std::size_t term = 0; term < 4; ++term) {
    transformer_xl_example& of = alone[term];
    const bool has_query = term < 2,
               has_key = term % 2 == 0;  // content-content, content-position, u . k, v . r
    if (!has_query) of.head.queries = zeros_like(of.head.queries);
    if (!has_key) of.head.keys = zeros_like(of.head.keys);
    if (has_key) of.distances.rows = zeros_like(of.distances.rows);
    if (has_query || !has_key) of.head.content_bias = zeros_like(of.head.content_bias);
    if (has_query || has_key) of.head.position_bias = zeros_like(of.head.position_bias);
  }
  matrix<double> sum = source(alone[0]);
  for (std::size_t term = 1; term < 4; ++term) sum = sum + source(alone[term]);
  measurement m;
  judge_scores(m, source(given), given, true,
               [&](int i, int j, double score) { return score == sum.at(i, j); });
  return m;
}

/// Every other query at zero: what leaks from the next row goes.
inline measurement measure_own_query(const transformer_xl_source& source, int queries, int memory_length) {
  const transformer_xl_example given = example_of(queries, memory_length);
  const matrix<double> before = source(given);
  measurement m;
  for (int query = 0; query < queries; ++query) {
    transformer_xl_example alone = given;
    alone.head.queries = matrix_of(
        queries, channels, [&](int i, int c) { return i == query ? given.head.queries.at(i, c) : 0.0; });
    judge_scores(m, source(alone), given, true,
                 [&](int i, int j, double score) { return i != query || score == before.at(i, j); });
  }
  return m;
}

/// Every other distance at zero.
inline measurement measure_own_distance(const transformer_xl_source& source, int queries, int memory_length) {
  const transformer_xl_example given = example_of(queries, memory_length);
  const matrix<double> before = source(given);
  measurement m;
  for (int distance = 0; distance < queries + memory_length; ++distance) {
    transformer_xl_example alone = given;
    const int row = given.distances.first_distance - distance;
    alone.distances.rows = matrix_of(given.distances.rows.rows(), channels, [&](int i, int c) {
      return i == row ? given.distances.rows.at(i, c) : 0.0;
    });
    judge_scores(m, source(alone), given, true, [&](int i, int j, double score) {
      return memory_length + i - j != distance || score == before.at(i, j);
    });
  }
  return m;
}

/// The same tokens, the earlier ones as memory or as the beginning of the segment.
inline measurement measure_memory(const transformer_xl_source& source, int queries, int memory_length) {
  const int keys = queries + memory_length;
  const transformer_xl_example whole = example_of(keys, 0);
  transformer_xl_example cut = whole;
  cut.head.queries =
      matrix_of(queries, channels, [&](int i, int c) { return whole.head.queries.at(memory_length + i, c); });
  cut.distances = rows_between(whole.distances, keys, 1 - queries);
  const matrix<double> all = source(whole);
  measurement m;
  judge_scores(m, source(cut), cut, true,
               [&](int i, int j, double score) { return score == all.at(memory_length + i, j); });
  return m;
}

}  // namespace detail::transformer_xl_laws

inline constexpr std::array transformer_xl_laws{
    transformer_xl_law{"masked", "keys after the query have the score minus infinity, and no others",
                       detail::transformer_xl_laws::measure_masked},
    transformer_xl_law{"direct",
                       "a score is [(q + u) . k + (q + v) . r] / sqrt(d_head), r of its own distance",
                       detail::transformer_xl_laws::measure_direct},
    transformer_xl_law{"four-terms",
                       "a score is the sum of four, in each of which the other terms' inputs are zero",
                       detail::transformer_xl_laws::measure_four_terms},
    transformer_xl_law{"own-query", "no other query changes a score",
                       detail::transformer_xl_laws::measure_own_query},
    transformer_xl_law{"own-distance", "no other distance's row changes a score",
                       detail::transformer_xl_laws::measure_own_distance},
    transformer_xl_law{"memory", "a token gives the same scores as memory and as the segment's beginning",
                       detail::transformer_xl_laws::measure_memory},
};

}  // namespace ropewalk
