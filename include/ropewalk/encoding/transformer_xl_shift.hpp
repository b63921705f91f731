#pragma once
// The relative shift as an exact map of indices. An engine multiplies every query by the row of every
// distance, then shifts each row of products so that entry (query, key) is the product for their distance.
// Transformer-XL pads a column, XLNet drops the first numbers; both then read the same memory with another
// row length. Beyond the keys that a query sees, the result therefore holds the padding or products of the
// next query.

#include <cstdint>

#include "ropewalk/numeric/matrix.hpp"

namespace ropewalk {

/// Query position - key position: memory_length + query - key; query 0 is the first token after the memory.
constexpr int transformer_xl_distance(int query, int key, int memory_length) {
  return memory_length + query - key;
}

/// Source of a shifted entry: an entry of the products, or the zero of Transformer-XL's padded column.
struct shifted_from {
  int row = 0;
  int column = 0;
  bool is_padding = false;
  friend constexpr bool operator==(const shifted_from&, const shifted_from&) = default;
};

namespace detail {

constexpr void validate_shift(int query, int key, int queries, int keys) {
  require(queries >= 1, "queries", queries, "a number above 0");
  require(keys >= queries, "keys", keys, "a number not below the number of queries");
  require(query >= 0 && query < queries, "query", query, "a number from 0 to queries - 1");
  require(key >= 0 && key < keys, "key", key, "a number from 0 to keys - 1");
}

}  // namespace detail

/// Source of entry (query, key) under Transformer-XL's shift of [queries, keys], whose column c belongs to
/// distance keys - 1 - c.
///
/// For key <= query + memory_length the source is column key + queries - 1 - query of the same row. The next
/// key gets the padding's zero, and later keys get the start of the next row.
///
/// domain  0 <= query < queries, 0 <= key < keys, queries <= keys
/// error   none
/// throws  std::invalid_argument naming the field and its value
/// source  `_rel_shift` in kimiyoung/transformer-xl pytorch/mem_transformer.py
constexpr shifted_from transformer_xl_shift(int query, int key, int queries, int keys) {
  detail::validate_shift(query, key, queries, keys);
  // Index in the padded memory: the first `queries` numbers are dropped, and rows have keys + 1 numbers.
  const std::int64_t place = std::int64_t{query} * keys + key + queries, width = std::int64_t{keys} + 1;
  const int row = static_cast<int>(place / width), column = static_cast<int>(place % width);
  return column == 0 ? shifted_from{row, 0, true} : shifted_from{row, column - 1};
}

/// Source of entry (query, key) under XLNet's shift of [queries, columns], whose column c belongs to distance
/// keys - c.
///
/// The source is column queries - query + key of the same row or, past the last column, an entry of the next
/// row. XLNet has keys + queries columns, which suffice for every key, or keys + 1 where it attends only to
/// earlier tokens.
///
/// domain  0 <= query < queries, 0 <= key < keys, queries <= keys < columns
/// error   none
/// throws  std::invalid_argument naming the field and its value
/// source  `rel_shift` in zihangdai/xlnet modeling.py
constexpr shifted_from xlnet_shift(int query, int key, int queries, int keys, int columns) {
  detail::validate_shift(query, key, queries, keys);
  require(columns > keys, "columns", columns, "a number above the number of keys");
  const std::int64_t place = std::int64_t{query} * (columns - 1) + key + queries;
  return {static_cast<int>(place / columns), static_cast<int>(place % columns)};
}

/// The products as Transformer-XL shifts them, including the entries beyond the visible keys.
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
