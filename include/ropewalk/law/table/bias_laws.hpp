#pragma once
// Laws of ALiBi's biases, for tables from any source. A table holds binary64 numbers, each an exact bias
// rounded once. A law that subtracts biases checks whether some real numbers that round to the entries
// satisfy it, so no law has a tolerance.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/slope_laws.hpp"

namespace ropewalk {

/// Makes the biases of `length` queries and as many keys: bits of binary64, row-major [heads, query, key].
using bias_source = std::function<std::vector<std::uint64_t>(int length, const alibi&)>;

/// A source of biases and their configuration. A case gives the number of queries, and of keys.
struct checked_biases {
  using case_type = table_length;
  using needs_type = no_needs;

  bias_source biases;
  alibi config;
};

namespace detail::alibi_law {

/// A table of biases, with access to its entries.
struct bias_table {
  std::vector<std::uint64_t> bits;
  int length = 0;

  std::uint64_t at(int head, int query, int key) const {
    return bits[(static_cast<std::size_t>(head) * static_cast<std::size_t>(length) +
                 static_cast<std::size_t>(query)) *
                    static_cast<std::size_t>(length) +
                static_cast<std::size_t>(key)];
  }
  /// Whether two entries have equal values; -0 equals +0.
  bool same(std::uint64_t a, std::uint64_t b) const {
    return a == b || (magnitude<double>(a) | magnitude<double>(b)) == 0;
  }
};

/// Judges holds(table, head, query, key) for every key that a query sees: in the causal form, up to its own.
template <class Holds>
measurement judge_biases(const bias_source& biases, int length, const alibi& config, Holds holds) {
  validate(config);
  require(length >= 1, "length", length, "a number above 0");
  const bias_table table{biases(length, config), length};
  require(table.bits.size() == static_cast<std::size_t>(config.heads) * static_cast<std::size_t>(length) *
                                   static_cast<std::size_t>(length),
          "the table's size", static_cast<double>(table.bits.size()), "heads x length x length numbers");
  measurement measured;
  for (int head = 0; head < config.heads; ++head)
    for (int query = 0; query < length; ++query)
      for (int key = 0; key < (config.form == alibi_form::causal ? query + 1 : length); ++key) {
        const std::uint64_t bits = table.at(head, query, key);
        place where;
        where.head = head;
        where.token = query;
        where.channel = key;
        record(measured, judge_equal(is_finite<double>(bits) && holds(table, head, query, key)), where, [&] {
          return evidence{ROPEWALK_F64, 1, {}, {}, {bits}};
        });
      }
  return measured;
}

}  // namespace detail::alibi_law

// Laws of ALiBi's biases. Only `row` affects a softmax; the others check that a table has the paper's form.
namespace bias_laws {

measurement judge_diagonal(const checked_biases& biases, const table_length& length);
measurement judge_toeplitz(const checked_biases& biases, const table_length& length);
measurement judge_farther_is_less(const checked_biases& biases, const table_length& length);
measurement judge_mirrored(const checked_biases& biases, const table_length& length);
measurement judge_row(const checked_biases& biases, const table_length& length);

inline constexpr law<checked_biases> diagonal{
    .name = "diagonal",
    .statement =
        "the bias is 0 at the key that distances are counted from: the query's own, of bloom the "
        "first, of mpt the last",
    .equality = "equal values",
    .proof = "proofs/encoding/alibi_proof.cpp, bias_is_toeplitz_and_falls_with_distance",
    .catches = "the bias is BLOOM's: slope x key",
    .measure = judge_diagonal};

/// In a form by key, the bias depends only on the key.
inline constexpr law<checked_biases> toeplitz{
    .name = "toeplitz",
    .statement = "the bias depends on the distance alone",
    .equality = "equal values",
    .proof = "proofs/encoding/alibi_proof.cpp, bias_is_toeplitz_and_falls_with_distance",
    .catches = "the bias of the key before the query is one ulp off from the third query on",
    .measure = judge_toeplitz};

/// In a form by key, the bias falls from each key to the key before it.
inline constexpr law<checked_biases> farther_is_less{
    .name = "farther-is-less",
    .statement = "the bias falls as the distance grows",
    .equality = "order, without tolerance",
    .proof = "proofs/encoding/alibi_proof.cpp, bias_is_toeplitz_and_falls_with_distance",
    .catches = "the bias rises with the distance",
    .measure = judge_farther_is_less};

inline constexpr law<checked_biases> mirrored{
    .name = "mirrored",
    .statement = "keys ahead and behind have the same bias",
    .equality = "equal values",
    .proof = "proofs/encoding/alibi_proof.cpp, bias_is_toeplitz_and_falls_with_distance",
    .catches = "keys ahead have twice the slope",
    .applies = [](const checked_biases& biases) { return biases.config.form == alibi_form::symmetric; },
    .measure = judge_mirrored};

inline constexpr law<checked_biases> row{
    .name = "row",
    .statement = "the biases of a query are the paper's up to a constant",
    .equality = "some real numbers that round to the entries keep the law: no tolerance",
    .proof = "proofs/encoding/alibi_proof.cpp, forms_differ_by_a_constant_along_every_causal_row",
    .catches = "the distance is squared",
    .measure = judge_row};

inline constexpr std::array all{diagonal, toeplitz, farther_is_less, mirrored, row};

}  // namespace bias_laws

}  // namespace ropewalk
