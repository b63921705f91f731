#pragma once
// Toeplitz: the bias depends on the distance alone.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/biases/biases.hpp"

namespace ropewalk {

namespace detail::alibi_law {

inline measurement measure_toeplitz(const bias_source& biases, int length, const alibi& config) {
  return judge_biases(biases, length, config, [](const bias_table& table, int head, int query, int key) {
    return query == 0 || key == 0 ||
           table.same(table.at(head, query, key), table.at(head, query - 1, key - 1));
  });
}

}  // namespace detail::alibi_law

namespace bias_laws {

inline constexpr law<held_biases> toeplitz{
    .name = "toeplitz",
    .statement = "the bias depends on the distance alone",
    .equality = "equal values",
    .proof = "proofs/encoding/alibi_proof.cpp, bias_is_toeplitz_and_falls_with_distance",
    .catches = "the bias of the key before the query is one ulp off from the third query on",
    .measure = [](const held_biases& of, const table_length& given) {
      return detail::alibi_law::measure_toeplitz(of.biases, static_cast<int>(given.length), of.config);
    }};

}  // namespace bias_laws

}  // namespace ropewalk
