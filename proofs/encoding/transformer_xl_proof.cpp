// Transformer-XL: the index maps equal the engines' reshaping, a visible entry always comes from its own
// query's row, and the four terms, the direct definition and both shifts give the same score. All in
// integers.

#include "ropewalk/encoding/transformer_xl.hpp"

#include <cstdint>
#include <vector>

namespace transformer_xl_proof {

using namespace ropewalk;
using whole = std::int64_t;
using whole_rows = matrix<whole>;

constexpr int most_queries = 5, most_memory = 5;

/// Whether holds(queries, memory_length) is true for all sizes up to most_queries and most_memory.
template <class Holds>
constexpr bool for_all_sizes(Holds holds) {
  for (int queries = 1; queries <= most_queries; ++queries)
    for (int memory = 0; memory <= most_memory; ++memory)
      if (!holds(queries, memory)) return false;
  return true;
}

/// The numbers 1, 2, 3, ... in row-major order: all different, and different from a padded 0.
constexpr whole_rows numbered(int rows, int columns) {
  return matrix_of(rows, columns, [&](int i, int j) { return whole{1} + i * columns + j; });
}

/// The numbers of x reshaped in row-major order to `rows` rows, without the first `dropped` rows.
constexpr whole_rows reshaped(const whole_rows& x, int rows, int columns, int dropped) {
  return matrix_of(rows - dropped, columns, [&](int i, int j) {
    const int place = (i + dropped) * columns + j;
    return x.at(place / x.columns(), place % x.columns());
  });
}

/// cat([zeros, x]); view(columns + 1, rows)[1:]; view as x.
constexpr whole_rows padded_and_reshaped(const whole_rows& x) {
  const whole_rows padded =
      matrix_of(x.rows(), x.columns() + 1, [&](int i, int j) { return j == 0 ? 0 : x.at(i, j - 1); });
  return reshaped(reshaped(padded, x.columns() + 1, x.rows(), 1), x.rows(), x.columns(), 0);
}

/// reshape(columns, rows)[1:]; reshape(rows, columns - 1)[:, :keys].
constexpr whole_rows cut_and_reshaped(const whole_rows& x, int keys) {
  const whole_rows rest = reshaped(reshaped(x, x.columns(), x.rows(), 1), x.rows(), x.columns() - 1, 0);
  return matrix_of(x.rows(), keys, [&](int i, int j) { return rest.at(i, j); });
}

consteval bool index_maps_are_what_reshaping_does() {
  return for_all_sizes([](int queries, int memory) {
    const int keys = memory + queries;
    const whole_rows products = numbered(queries, keys);
    if (shifted_as_transformer_xl(products) != padded_and_reshaped(products)) return false;
    for (const int columns : {keys + 1, keys + queries}) {
      const whole_rows further = numbered(queries, columns);
      if (shifted_as_xlnet(further, keys) != cut_and_reshaped(further, keys)) return false;
    }
    return true;
  });
}
static_assert(index_maps_are_what_reshaping_does());

/// Column c has distance keys - 1 - c in Transformer-XL's products, and keys - c in XLNet's.
consteval bool visible_entries_come_from_their_own_row_and_distance() {
  return for_all_sizes([](int queries, int memory) {
    const int keys = memory + queries;
    for (int query = 0; query < queries; ++query)
      for (int key = 0; key < keys; ++key) {
        const int distance = transformer_xl_distance(query, key, memory);
        const shifted_from both_sides{query, keys - distance}, one_side{query, keys - 1 - distance};
        if (xlnet_shift(query, key, queries, keys, keys + queries) != both_sides) return false;
        if (distance < 0) continue;
        if (transformer_xl_shift(query, key, queries, keys) != one_side) return false;
        if (xlnet_shift(query, key, queries, keys, keys + 1) != both_sides) return false;
      }
    return true;
  });
}
static_assert(visible_entries_come_from_their_own_row_and_distance());

/// In Transformer-XL the first key ahead gets padding and later ones get products of the next query; in
/// XLNet, with distances down to 0, every key ahead gets products of the next query. A mask must hide them.
consteval bool hidden_entries_are_padding_and_the_next_row() {
  return for_all_sizes([](int queries, int memory) {
    const int keys = memory + queries;
    for (int query = 0; query + 1 < queries; ++query) {
      const int ahead = query + memory + 1;
      if (!transformer_xl_shift(query, ahead, queries, keys).is_padding) return false;
      for (int key = ahead + 1; key < keys; ++key)
        if (transformer_xl_shift(query, key, queries, keys) != shifted_from{query + 1, key - ahead - 1})
          return false;
      for (int key = ahead; key < keys; ++key)
        if (xlnet_shift(query, key, queries, keys, keys + 1) != shifted_from{query + 1, key - ahead})
          return false;
    }
    return true;
  });
}
static_assert(hidden_entries_are_padding_and_the_next_row());

/// Numbers with no pattern common to the terms.
constexpr whole_rows scattered(int rows, int columns, int step) {
  return matrix_of(rows, columns,
                   [&](int i, int j) { return whole{(step * (i * i + 7 * j + 1) + i * j) % 101 - 50}; });
}

constexpr int d_head = 3;

constexpr transformer_xl_head<whole> head_of(int queries, int memory) {
  return {scattered(queries, d_head, 17), scattered(memory + queries, d_head, 29), scattered(1, d_head, 41),
          scattered(1, d_head, 59)};
}

/// Rows of every distance from keys to 1 - queries.
constexpr distance_rows<whole> every_distance(int queries, int keys) {
  return {scattered(keys + queries, d_head, 73), keys};
}

constexpr whole direct(const transformer_xl_head<whole>& head, const distance_rows<whole>& distances, int i,
                       int j) {
  const int row = distances.first_distance - transformer_xl_distance(i, j, memory_length_of(head));
  whole sum = 0;
  for (int c = 0; c < d_head; ++c)
    sum += (head.queries.at(i, c) + head.content_bias.at(0, c)) * head.keys.at(j, c) +
           (head.queries.at(i, c) + head.position_bias.at(0, c)) * distances.rows.at(row, c);
  return sum;
}

consteval bool four_terms_are_the_direct_definition() {
  return for_all_sizes([](int queries, int memory) {
    const auto head = head_of(queries, memory);
    const auto distances = every_distance(queries, memory + queries);
    return terms_of(head, distances).sum() ==
           matrix_of(queries, memory + queries, [&](int i, int j) { return direct(head, distances, i, j); });
  });
}
static_assert(four_terms_are_the_direct_definition());

consteval bool both_shifts_are_the_direct_definition_wherever_a_query_sees() {
  return for_all_sizes([](int queries, int memory) {
    const int keys = memory + queries;
    const auto head = head_of(queries, memory);
    const auto all = every_distance(queries, keys);
    const auto near = rows_between(all, keys - 1, 0), behind = rows_between(all, keys, 0);
    const auto padded = shifted_products(head, near, shift_form::transformer_xl);
    const auto one_sided = shifted_products(head, behind, shift_form::xlnet);
    const auto two_sided = shifted_products(head, all, shift_form::xlnet);
    for (int i = 0; i < queries; ++i)
      for (int j = 0; j < keys; ++j) {
        const whole expected = direct(head, all, i, j);
        if (two_sided.at(i, j) != expected) return false;
        if (j <= i + memory && (padded.at(i, j) != expected || one_sided.at(i, j) != expected)) return false;
      }
    return true;
  });
}
static_assert(both_shifts_are_the_direct_definition_wherever_a_query_sees());

/// The last queries have the same scores, whether earlier keys are memory or part of the segment.
consteval bool memory_is_an_earlier_part_of_the_segment() {
  return for_all_sizes([](int queries, int memory) {
    const int keys = memory + queries;
    const auto whole_segment = head_of(keys, 0);
    auto with_memory = whole_segment;
    with_memory.queries =
        matrix_of(queries, d_head, [&](int i, int c) { return whole_segment.queries.at(memory + i, c); });
    const auto distances = every_distance(keys, keys);
    const auto all = terms_of(whole_segment, distances).sum(), last = terms_of(with_memory, distances).sum();
    for (int i = 0; i < queries; ++i)
      for (int j = 0; j < keys; ++j)
        if (last.at(i, j) != all.at(memory + i, j)) return false;
    return true;
  });
}
static_assert(memory_is_an_earlier_part_of_the_segment());

}  // namespace transformer_xl_proof
