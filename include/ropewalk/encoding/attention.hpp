#pragma once
// Attention as exact values: scores, softmax and the product with the values. A claim about an encoding can
// then be decided on the scores and outputs that the encoding affects. Vaswani et al. 2017
// (arXiv:1706.03762), sec. 3.2.1. Nothing is rounded here.

#include "ropewalk/config/attention.hpp"
#include "ropewalk/function/exp_log.hpp"
#include "ropewalk/numeric/enclosure.hpp"
#include "ropewalk/numeric/matrix.hpp"

namespace ropewalk {

/// The matrix as exact enclosures.
template <int N>
constexpr matrix<enclosure<N>> enclosed(const matrix<double>& x) {
  return matrix_of(x.rows(), x.columns(), [&](int i, int j) { return enclosure<N>::of(x.at(i, j)); });
}

/// Scores of queries and keys: q_i . k_j / sqrt(channels).
///
/// shape   [queries, keys]
/// domain  queries and keys have the same number of channels, at least one
/// error   carried by the enclosure; exact for exact inputs where the number of channels is a power of four
/// throws  std::invalid_argument naming the field and its value
/// source  Vaswani et al. 2017, equation 1
template <int N>
constexpr matrix<enclosure<N>> attention_scores(const matrix<enclosure<N>>& queries,
                                                const matrix<enclosure<N>>& keys) {
  require(queries.columns() >= 1, "channels", queries.columns(), "a number above 0");
  const enclosure<N> width = square_root(enclosure<N>::of(queries.columns()));
  const matrix<enclosure<N>> products = times_transposed(queries, keys);
  return matrix_of(products.rows(), products.columns(),
                   [&](int i, int j) { return products.at(i, j) / width; });
}

namespace detail {

/// e^x, also for x far below the domain of `exp`.
template <int N>
constexpr enclosure<N> exp_of_score(const enclosure<N>& x) {
  constexpr int far = 1 << 19;
  if (compare(x, enclosure<N>::of(-far)) != order::less) return exp(x);
  return {{}, {std::uint32_t{1} << 31, -far - 31}};  // e^-far < 2^-far
}

/// The score that is subtracted from every score of a row: the visible one with the largest midpoint, taken
/// as exact.
template <int N>
constexpr enclosure<N> highest_score(const matrix<enclosure<N>>& scores, int query,
                                     const attention_mask& mask) {
  int best = -1;
  for (int key = 0; key < scores.columns(); ++key)
    if (is_visible(query, key, mask) &&
        (best < 0 || compare(scores.at(query, key).midpoint, scores.at(query, best).midpoint) > 0))
      best = key;
  require(best >= 0, "keys visible to a query", 0, "a number above 0");
  return {scores.at(query, best).midpoint, {}};
}

}  // namespace detail

/// Softmax over the keys that each query sees; 0 for the others.
///
/// shape   [queries, keys]
/// domain  scores may differ by any amount; every query sees a key
/// error   carried by the enclosure; 2^k visible keys with equal exact scores have weights of exactly 2^-k
/// throws  std::invalid_argument for a query that sees no key
template <int N>
constexpr matrix<enclosure<N>> attention_weights(const matrix<enclosure<N>>& scores,
                                                 const attention_mask& mask) {
  validate(mask);
  matrix<enclosure<N>> weights(scores.rows(), scores.columns());
  for (int query = 0; query < scores.rows(); ++query) {
    const enclosure<N> highest = detail::highest_score(scores, query, mask);
    enclosure<N> sum = enclosure<N>::of(0);
    for (int key = 0; key < scores.columns(); ++key)
      if (is_visible(query, key, mask)) {
        weights.at(query, key) = detail::exp_of_score(scores.at(query, key) - highest);
        sum = sum + weights.at(query, key);
      }
    for (int key = 0; key < scores.columns(); ++key)
      if (is_visible(query, key, mask)) weights.at(query, key) = weights.at(query, key) / sum;
  }
  return weights;
}

/// Scores, weights and outputs of attention.
template <int N>
struct attention_result {
  matrix<enclosure<N>> scores;   // [queries, keys], bias included, before the mask
  matrix<enclosure<N>> weights;  // [queries, keys]
  matrix<enclosure<N>> outputs;  // [queries, value channels]
};

/// Weights and outputs of given scores.
///
/// domain  one row of values per key
/// error   carried by the enclosures
/// throws  std::invalid_argument naming the field and its value
template <int N>
constexpr attention_result<N> attention_of_scores(const matrix<enclosure<N>>& scores,
                                                  const matrix<enclosure<N>>& values,
                                                  const attention_mask& mask) {
  const matrix<enclosure<N>> weights = attention_weights(scores, mask);
  return {scores, weights, weights * values};
}

/// softmax(Q K^T / sqrt(channels)) V, without positions.
///
/// domain, error, throws  as attention_scores and attention_of_scores
template <int N>
constexpr attention_result<N> attention(const matrix<enclosure<N>>& queries, const matrix<enclosure<N>>& keys,
                                        const matrix<enclosure<N>>& values, const attention_mask& mask = {}) {
  return attention_of_scores(attention_scores(queries, keys), values, mask);
}

}  // namespace ropewalk
