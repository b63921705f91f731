#include "ropewalk/law/table/transformer_xl_laws.hpp"

#include <array>
#include <cstddef>
#include <limits>

#include "ropewalk/law/law.hpp"

namespace ropewalk {

namespace detail::transformer_xl_laws {

measurement measure_masked(const transformer_xl_source& source, const segment_lengths& lengths) {
  const transformer_xl_example example = example_of(lengths);
  const matrix<double> scores = source(example);
  constexpr double none = -std::numeric_limits<double>::infinity();
  measurement measured;
  judge_scores(measured, scores, example, false, [](int, int, double score) { return score == none; });
  judge_scores(measured, scores, example, true, [](int, int, double score) { return score > none; });
  return measured;
}

/// Scores of the same tokens, with the earlier ones as memory and as the beginning of the segment.
measurement measure_memory(const transformer_xl_source& source, const segment_lengths& lengths) {
  const int keys = lengths.queries + lengths.memory;
  const transformer_xl_example whole = example_of({keys, 0, lengths.numbers});
  transformer_xl_example cut = whole;
  cut.head.queries = matrix_of(lengths.queries, channels,
                               [&](int i, int c) { return whole.head.queries.at(lengths.memory + i, c); });
  cut.distances = rows_between(whole.distances, keys, 1 - lengths.queries);
  const matrix<double> all = source(whole);
  measurement measured;
  judge_scores(measured, source(cut), cut, true,
               [&](int i, int j, double score) { return score == all.at(lengths.memory + i, j); });
  return measured;
}

/// Every score against the sum of four scores, in each of which only the inputs of one term are not zero.
measurement measure_four_terms(const transformer_xl_source& source, const segment_lengths& lengths) {
  const transformer_xl_example example = example_of(lengths);
  std::array<transformer_xl_example, 4> alone{example, example, example, example};
  for (std::size_t term = 0; term < 4; ++term) {
    transformer_xl_example& alone_example = alone[term];
    // Terms 0 to 3: q . k, q . r, u . k, v . r.
    const bool has_query = term < 2, has_key = term % 2 == 0;
    if (!has_query) alone_example.head.queries = zeros_like(alone_example.head.queries);
    if (!has_key) alone_example.head.keys = zeros_like(alone_example.head.keys);
    if (has_key) alone_example.distances.rows = zeros_like(alone_example.distances.rows);
    if (has_query || !has_key) alone_example.head.content_bias = zeros_like(alone_example.head.content_bias);
    if (has_query || has_key) alone_example.head.position_bias = zeros_like(alone_example.head.position_bias);
  }
  matrix<double> sum = source(alone[0]);
  for (std::size_t term = 1; term < 4; ++term) sum = sum + source(alone[term]);
  measurement measured;
  judge_scores(measured, source(example), example, true,
               [&](int i, int j, double score) { return score == sum.at(i, j); });
  return measured;
}

/// Scores of each query must stay when all other queries are zero. A shift that reads the next row fails.
measurement measure_own_query(const transformer_xl_source& source, const segment_lengths& lengths) {
  const transformer_xl_example example = example_of(lengths);
  const matrix<double> before = source(example);
  measurement measured;
  for (int query = 0; query < lengths.queries; ++query) {
    transformer_xl_example alone = example;
    alone.head.queries = matrix_of(lengths.queries, channels, [&](int i, int c) {
      return i == query ? example.head.queries.at(i, c) : 0.0;
    });
    judge_scores(measured, source(alone), example, true,
                 [&](int i, int j, double score) { return i != query || score == before.at(i, j); });
  }
  return measured;
}

/// Scores at each distance must stay when the rows of all other distances are zero.
measurement measure_own_distance(const transformer_xl_source& source, const segment_lengths& lengths) {
  const transformer_xl_example example = example_of(lengths);
  const matrix<double> before = source(example);
  measurement measured;
  for (int distance = 0; distance < lengths.queries + lengths.memory; ++distance) {
    transformer_xl_example alone = example;
    const int row = example.distances.first_distance - distance;
    alone.distances.rows = matrix_of(example.distances.rows.rows(), channels, [&](int i, int c) {
      return i == row ? example.distances.rows.at(i, c) : 0.0;
    });
    judge_scores(measured, source(alone), example, true, [&](int i, int j, double score) {
      return lengths.memory + i - j != distance || score == before.at(i, j);
    });
  }
  return measured;
}

/// Every score against [(q_i + u) . k_j + (q_i + v) . r_distance] / 2: sqrt(d_head) is 2.
measurement measure_direct(const transformer_xl_source& source, const segment_lengths& lengths) {
  const transformer_xl_example example = example_of(lengths);
  const transformer_xl_head<double>& head = example.head;
  measurement measured;
  judge_scores(measured, source(example), example, true, [&](int i, int j, double score) {
    const int row = example.distances.first_distance - (lengths.memory + i - j);
    double twice = 0;
    for (int c = 0; c < channels; ++c)
      twice += (head.queries.at(i, c) + head.content_bias.at(0, c)) * head.keys.at(j, c) +
               (head.queries.at(i, c) + head.position_bias.at(0, c)) * example.distances.rows.at(row, c);
    return score == twice / 2;
  });
  return measured;
}

}  // namespace detail::transformer_xl_laws

measurement transformer_xl_laws::judge_masked(const checked_transformer_xl& scores,
                                              const segment_lengths& lengths) {
  return detail::transformer_xl_laws::measure_masked(scores.scores, lengths);
}

measurement transformer_xl_laws::judge_memory(const checked_transformer_xl& scores,
                                              const segment_lengths& lengths) {
  return detail::transformer_xl_laws::measure_memory(scores.scores, lengths);
}

measurement transformer_xl_laws::judge_four_terms(const checked_transformer_xl& scores,
                                                  const segment_lengths& lengths) {
  return detail::transformer_xl_laws::measure_four_terms(scores.scores, lengths);
}

measurement transformer_xl_laws::judge_own_query(const checked_transformer_xl& scores,
                                                 const segment_lengths& lengths) {
  return detail::transformer_xl_laws::measure_own_query(scores.scores, lengths);
}

measurement transformer_xl_laws::judge_own_distance(const checked_transformer_xl& scores,
                                                    const segment_lengths& lengths) {
  return detail::transformer_xl_laws::measure_own_distance(scores.scores, lengths);
}

measurement transformer_xl_laws::judge_direct(const checked_transformer_xl& scores,
                                              const segment_lengths& lengths) {
  return detail::transformer_xl_laws::measure_direct(scores.scores, lengths);
}

}  // namespace ropewalk
