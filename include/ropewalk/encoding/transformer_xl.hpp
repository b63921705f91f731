#pragma once
// Transformer-XL's scores as exact values: four terms, their direct definition, and the shifted products
// that engines compute. Dai et al. 2019 (arXiv:1901.02860), sec. 3.3. The sums of products are templates of
// the number type; for integers the definition and the shifted products can be compared for equality. Scores
// that a causal mask hides contain the position terms only where their distance has a row.

#include "ropewalk/config/transformer_xl.hpp"
#include "ropewalk/encoding/attention.hpp"
#include "ropewalk/encoding/sinusoidal.hpp"
#include "ropewalk/encoding/transformer_xl_shift.hpp"

namespace ropewalk {

/// Input of one head: rows of queries and keys, the memory's keys first, and the head's two learned vectors.
template <class Number>
struct transformer_xl_head {
  matrix<Number> queries;        // [queries, d_head]
  matrix<Number> keys;           // [memory_length + queries, d_head]
  matrix<Number> content_bias;   // [1, d_head]: u
  matrix<Number> position_bias;  // [1, d_head]: v
};

/// Projected sinusoids: row c belongs to distance first_distance - c.
template <class Number>
struct distance_rows {
  matrix<Number> rows;  // [distances, d_head]
  int first_distance = 0;
};

/// Number of tokens of the memory: the keys before the first query's own.
///
/// domain  keys >= queries, which `validate` checks; negative otherwise
template <class Number>
constexpr int memory_length_of(const transformer_xl_head<Number>& head) {
  return head.keys.rows() - head.queries.rows();
}

/// Whether a distance has a row.
template <class Number>
constexpr bool has_distance(const distance_rows<Number>& table, int distance) {
  return distance <= table.first_distance && distance > table.first_distance - table.rows.rows();
}

/// The rows of the distances from `first` down to `last`.
///
/// throws  std::invalid_argument where one of them is missing
template <class Number>
constexpr distance_rows<Number> rows_between(const distance_rows<Number>& table, int first, int last) {
  require(first >= last && has_distance(table, first) && has_distance(table, last), "first distance", first,
          "a distance with a row, as are all distances down to the last");
  distance_rows<Number> result;
  result.first_distance = first;
  result.rows = matrix_of(first - last + 1, table.rows.columns(),
                          [&](int i, int j) { return table.rows.at(table.first_distance - first + i, j); });
  return result;
}

/// throws  std::invalid_argument naming the field and its value
template <class Number>
constexpr void validate(const transformer_xl_head<Number>& head, const distance_rows<Number>& table) {
  const int width = head.queries.columns();
  require(head.queries.rows() >= 1, "queries", head.queries.rows(), "a number above 0");
  require(memory_length_of(head) >= 0, "keys", head.keys.rows(), "a number not below the number of queries");
  require(width >= 1 && head.keys.columns() == width, "channels of keys", head.keys.columns(),
          "the number of channels of the queries, at least 1");
  for (const matrix<Number>* bias : {&head.content_bias, &head.position_bias})
    require(bias->rows() == 1 && bias->columns() == width, "channels of a bias", bias->columns(),
            "one row with the channels of the queries");
  require(table.rows.columns() == width, "channels of distances", table.rows.columns(), "those of queries");
}

/// Projected sinusoids of the distances from `first` down to `last`: W_r times the row of each.
///
/// domain  weights [d_head, d_model], first >= last
/// error   carried by the enclosures
/// throws  std::invalid_argument naming the field and its value
/// source  Dai et al. 2019, sec. 3.3 (W_{k,R} R_{i-j})
template <int N>
constexpr distance_rows<enclosure<N>> projected_distances(int first, int last,
                                                          const matrix<enclosure<N>>& weights,
                                                          const transformer_xl& config) {
  validate(config);
  require(first >= last, "first distance", first, "a number not below the last distance");
  require(weights.rows() == config.d_head, "rows of weights", weights.rows(), "d_head");
  require(weights.columns() == config.d_model, "columns of weights", weights.columns(), "d_model");
  const matrix<enclosure<N>> sinusoids = matrix_of(
      first - last + 1, config.d_model,
      [&](int row, int channel) { return sinusoidal_entry<N>(first - row, channel, sinusoids_of(config)); });
  return {times_transposed(sinusoids, weights), first};
}

/// The four terms of the products, [queries, keys] each. Position terms are 0 where a distance has no row.
template <class Number>
struct transformer_xl_terms {
  matrix<Number> content_content;   // q_i . k_j
  matrix<Number> content_position;  // q_i . r_distance
  matrix<Number> global_content;    // u . k_j
  matrix<Number> global_position;   // v . r_distance

  /// The products before they are divided by sqrt(d_head): all four terms, entry by entry.
  ///
  /// shape   [queries, keys]
  constexpr matrix<Number> sum() const {
    return content_content + content_position + global_content + global_position;
  }
};

/// The four terms, by their definition.
///
/// error   none for integers; carried by enclosures
/// throws  std::invalid_argument naming the field and its value
/// source  Dai et al. 2019, sec. 3.3, terms (a) to (d)
template <class Number>
constexpr transformer_xl_terms<Number> terms_of(const transformer_xl_head<Number>& head,
                                                const distance_rows<Number>& distances) {
  validate(head, distances);
  const int queries = head.queries.rows(), keys = head.keys.rows();
  const auto at_distance = [&](int query, int key, std::span<const Number> x) {
    const int distance = transformer_xl_distance(query, key, memory_length_of(head));
    return has_distance(distances, distance) ? dot(x, distances.rows.row(distances.first_distance - distance))
                                             : Number{};
  };
  return {
      times_transposed(head.queries, head.keys),
      matrix_of(queries, keys, [&](int i, int j) { return at_distance(i, j, head.queries.row(i)); }),
      matrix_of(queries, keys, [&](int, int j) { return dot(head.content_bias.row(0), head.keys.row(j)); }),
      matrix_of(queries, keys, [&](int i, int j) { return at_distance(i, j, head.position_bias.row(0)); })};
}

/// Engine whose relative shift is applied to the products with all distances.
enum class shift_form { transformer_xl, xlnet };

/// "transformer-xl" or "xlnet".
constexpr const char* name_of(shift_form form) {
  return form == shift_form::xlnet ? "xlnet" : "transformer-xl";
}

/// (q_i + u) . k_j + shifted (q_i + v) . r, as engines compute it. Beyond the keys that a query sees, the
/// entries are meaningless and a mask must hide them.
///
/// domain  rows of the distances keys - 1 .. 0 for Transformer-XL's form, keys .. 0 or less for XLNet's
/// error   none for integers; carried by enclosures
/// throws  std::invalid_argument naming the field and its value
/// source  `RelPartialLearnableMultiHeadAttn` in kimiyoung/transformer-xl; `rel_attn_core` in zihangdai/xlnet
template <class Number>
constexpr matrix<Number> shifted_products(const transformer_xl_head<Number>& head,
                                          const distance_rows<Number>& distances, shift_form form) {
  validate(head, distances);
  const int keys = head.keys.rows();
  const bool is_xlnet = form == shift_form::xlnet;
  require(distances.first_distance == (is_xlnet ? keys : keys - 1), "first distance",
          distances.first_distance, "keys - 1 for Transformer-XL's form, keys for XLNet's");
  require(is_xlnet ? distances.rows.rows() > keys : distances.rows.rows() == keys, "rows of distances",
          distances.rows.rows(), "keys for Transformer-XL's form, more for XLNet's");
  const auto plus = [&](const matrix<Number>& bias) {
    return matrix_of(head.queries.rows(), head.queries.columns(),
                     [&](int i, int j) { return head.queries.at(i, j) + bias.at(0, j); });
  };
  const matrix<Number> by_content = times_transposed(plus(head.content_bias), head.keys);
  const matrix<Number> by_position = times_transposed(plus(head.position_bias), distances.rows);
  if (is_xlnet) return by_content + shifted_as_xlnet(by_position, keys);
  return by_content + shifted_as_transformer_xl(by_position);
}

/// Scores of one head, not masked: the sum of the four terms over sqrt(d_head). The mask is causal, with the
/// memory of the head.
///
/// shape   [queries, keys]
/// error   carried by the enclosures
/// throws  std::invalid_argument naming the field and its value
/// source  Dai et al. 2019, sec. 3.3; the division by sqrt(d_head) as in the authors' code
template <int N>
constexpr matrix<enclosure<N>> transformer_xl_scores(const transformer_xl_head<enclosure<N>>& head,
                                                     const distance_rows<enclosure<N>>& distances) {
  const matrix<enclosure<N>> products = terms_of(head, distances).sum();
  const enclosure<N> width = square_root(enclosure<N>::of(head.queries.columns()));
  return matrix_of(products.rows(), products.columns(),
                   [&](int i, int j) { return products.at(i, j) / width; });
}

}  // namespace ropewalk
