#pragma once
// Attention in Boost.Multiprecision numbers of any precision, one query at a time: the second, independent
// definition. Vaswani et al. 2017 (arXiv:1706.03762), sec. 3.2.1.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ropewalk/config/require.hpp"
#include "ropewalk/reference/number.hpp"
#include "ropewalk/reference/rope.hpp"

namespace ropewalk::reference {

template <real_number Number>
using row_list = std::vector<std::vector<Number>>;

/// Scores of one query: its dot products with the keys, divided by the square root of the number of channels.
///
/// domain  keys as long as the query
/// error   a few ulp of the largest product
/// throws  std::invalid_argument naming the field and its value
template <real_number Number>
std::vector<Number> scores_of(const std::vector<Number>& query, const row_list<Number>& keys) {
  require(!query.empty(), "channels", 0, "a number above 0");
  const Number channels = static_cast<std::int64_t>(query.size());
  std::vector<Number> scores;
  for (const std::vector<Number>& key : keys) {
    require(key.size() == query.size(), "channels of a key", static_cast<double>(key.size()), "the query's");
    Number product = 0;
    for (std::size_t i = query.size(); i-- > 0;) product += query[i] * key[i];
    scores.push_back(Number(product / sqrt(channels)));
  }
  return scores;
}

/// Softmax over the keys from 0 to `last_visible`; 0 for the others. The exponent range of Boost's numbers
/// makes it unnecessary to subtract the largest score.
///
/// domain  0 <= last_visible < the number of scores
template <real_number Number>
std::vector<Number> weights_of(const std::vector<Number>& scores, int last_visible) {
  require(last_visible >= 0 && static_cast<std::size_t>(last_visible) < scores.size(), "last_visible",
          last_visible, "the number of a score");
  const std::size_t visible = static_cast<std::size_t>(last_visible) + 1;
  Number sum = 0;
  for (std::size_t key = 0; key < visible; ++key) sum += exp(scores[key]);
  std::vector<Number> weights(scores.size(), Number(0));
  for (std::size_t key = 0; key < visible; ++key) weights[key] = exp(scores[key]) / sum;
  return weights;
}

/// Sum of the values, each times its weight.
///
/// domain  a row of values for every weight
template <real_number Number>
std::vector<Number> output_of(const std::vector<Number>& weights, const row_list<Number>& values) {
  require(!weights.empty() && values.size() == weights.size(), "the number of values",
          static_cast<double>(values.size()), "one for each weight");
  std::vector<Number> output(values.front().size(), Number(0));
  for (std::size_t key = 0; key < values.size(); ++key) {
    require(values[key].size() == output.size(), "channels of a value",
            static_cast<double>(values[key].size()), "those of the first");
    for (std::size_t i = 0; i < output.size(); ++i) output[i] += weights[key] * values[key][i];
  }
  return output;
}

/// A row whose pairs (2i, 2i + 1), as complex numbers, are multiplied by those of its position.
///
/// domain  rotary_dim channels or more
/// throws  std::invalid_argument naming the field and its value
template <real_number Number>
std::vector<Number> rotated_row(std::vector<Number> row, double position, const rope& config) {
  validate(config);
  require(row.size() >= static_cast<std::size_t>(config.rotary_dim), "channels",
          static_cast<double>(row.size()), "rotary_dim or more");
  for (int pair = 0; pair < config.rotary_dim / 2; ++pair) {
    const auto real = static_cast<std::size_t>(2 * pair), imaginary = real + 1;
    const Number cosine = rope_cos<Number>(position, pair, config),
                 sine = rope_sin<Number>(position, pair, config);
    const Number a = row[real], b = row[imaginary];
    row[real] = a * cosine - b * sine;
    row[imaginary] = b * cosine + a * sine;
  }
  return row;
}

/// The curve of figure 2 in RoFormer: the mean length of partial sums of unit vectors, each sum computed
/// anew.
///
/// domain  any finite distance
template <real_number Number>
Number long_term_decay(double distance, const rope& config) {
  validate(config);
  const int pairs = config.rotary_dim / 2;
  Number total = 0;
  for (int last = 0; last < pairs; ++last) {
    Number x = 0, y = 0;
    for (int pair = last; pair >= 0; --pair) {
      const Number factor = rope_attention_factor<Number>(config);
      x += rope_cos<Number>(distance, pair, config) / factor;
      y += rope_sin<Number>(distance, pair, config) / factor;
    }
    total += hypot(x, y);
  }
  return Number(total / pairs);
}

}  // namespace ropewalk::reference
