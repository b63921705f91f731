#pragma once
// The relative shift as an exact map of indices. An engine multiplies every query by the row of every
// distance, and moves each row of products so that entry (query, key) is that of their distance.
// Transformer-XL does it by padding a column, XLNet by dropping the first numbers; both then read the same
// memory in rows of another length, so that beyond the keys that a query sees numbers of the next query
// appear.

#include <cstdint>

#include "ropewalk/numeric/matrix.hpp"

namespace ropewalk {

/// How far a query stands behind a key: memory_length + query - key, query 0 being the first after the
/// memory.
constexpr int transformer_xl_distance(int query, int key, int memory_length) {
  return memory_length + query - key;
}

/// The entry of the products that a shift brings somewhere, or the zero of Transformer-XL's padded column.
struct shifted_from {
  int row = 0;
  int column = 0;
  bool is_padding = false;
  friend constexpr bool operator==(const shifted_from&, const shifted_from&) = default;
};

namespace detail {

constexpr void validate_shift(int query, int key, int queries, int keys) {
  require(queries >= 1, "queries", queries, "a number above 0");
  require(keys >= queries, "keys", keys, "as many as queries, or more");
  require(query >= 0 && query < queries, "query", query, "a number from 0 to queries - 1");
  require(key >= 0 && key < keys, "key", key, "a number from 0 to keys - 1");
}

}  // namespace detail

/// Transformer-XL's shift of [queries, keys], whose column c is of distance keys - 1 - c: column key +
/// queries - 1 - query of the same row for key <= query + memory_length, then the padding's zero, then the
/// next row.
///
/// domain  0 <= query < queries, 0 <= key < keys, queries <= keys
/// error   none
/// throws  std::invalid_argument naming the field and its value
/// source  `_rel_shift` in kimiyoung/transformer-xl pytorch/mem_transformer.py
constexpr shifted_from transformer_xl_shift(int query, int key, int queries, int keys) {
  detail::validate_shift(query, key, queries, keys);
  // In rows of keys + 1, the first `queries` numbers dropped.
  const std::int64_t place = std::int64_t{query} * keys + key + queries, width = std::int64_t{keys} + 1;
  const int row = static_cast<int>(place / width), column = static_cast<int>(place % width);
  return column == 0 ? shifted_from{row, 0, true} : shifted_from{row, column - 1};
}

/// XLNet's shift of [queries, columns], whose column c is of distance keys - c: column queries - query + key
/// of the same row, as far as there are columns, then the next row. XLNet has keys + queries columns, which
/// is never beyond, or keys + 1 where it attends to earlier tokens alone.
///
/// domain  0 <= query < queries, 0 <= key < keys, queries <= keys < columns
/// error   none
/// throws  std::invalid_argument naming the field and its value
/// source  `rel_shift` in zihangdai/xlnet modeling.py
constexpr shifted_from xlnet_shift(int query, int key, int queries, int keys, int columns) {
  detail::validate_shift(query, key, queries, keys);
  require(columns > keys, "columns", columns, "a number above that of the keys");
  const std::int64_t place = std::int64_t{query} * (columns - 1) + key + queries;
  return {static_cast<int>(place / columns), static_cast<int>(place % columns)};
}

/// The products as Transformer-XL shifts them, what lies beyond the visible keys included.
///
/// shape   [queries, keys] of [queries, keys]
template <class Number>
constexpr matrix<Number> shifted_as_transformer_xl(const matrix<Number>& products) {
  return matrix_of(products.rows(), products.columns(), [&](int query, int key) {
    const shifted_from from = transformer_xl_shift(query, key, products.rows(), products.columns());
    return from.is_padding ? Number{} : products.at(from.row, from.column);
  });
}

/// The products as XLNet shifts them.
///
/// shape   [queries, keys] of [queries, columns]
template <class Number>
constexpr matrix<Number> shifted_as_xlnet(const matrix<Number>& products, int keys) {
  return matrix_of(products.rows(), keys, [&](int query, int key) {
    const shifted_from from = xlnet_shift(query, key, products.rows(), keys, products.columns());
    return products.at(from.row, from.column);
  });
}

}  // namespace ropewalk
