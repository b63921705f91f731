#pragma once
// The four terms of a score.

#include <array>
#include <cstddef>

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/transformer_xl/transformer_xl.hpp"

namespace ropewalk {

namespace detail::transformer_xl_laws {

/// The score is the sum of what it is with all inputs but those of one term at zero.
inline measurement measure_four_terms(const transformer_xl_source& source, const segment_lengths& lengths) {
  const transformer_xl_example given = example_of(lengths);
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

}  // namespace detail::transformer_xl_laws

namespace transformer_xl_laws {

inline constexpr law<held_transformer_xl> four_terms{
    .name = "four-terms",
    .statement = "a score is the sum of four, in each of which the other terms' inputs are zero",
    .measure = [](const held_transformer_xl& of, const segment_lengths& given) {
      return detail::transformer_xl_laws::measure_four_terms(of.scores, given);
    }};

}  // namespace transformer_xl_laws

}  // namespace ropewalk
