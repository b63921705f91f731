#pragma once
// Diagonal: the bias is 0 at distance 0.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/biases/biases.hpp"

namespace ropewalk {

namespace detail::alibi_law {

inline measurement measure_diagonal(const bias_source& biases, int length, const alibi& config) {
  return judge_biases(biases, length, config, [](const bias_table& table, int head, int query, int key) {
    return query != key || magnitude<double>(table.at(head, query, key)) == 0;
  });
}

}  // namespace detail::alibi_law

namespace bias_laws {

inline constexpr law<held_biases> diagonal{
    .name = "diagonal",
    .statement = "a token has no bias to itself",
    .equality = "equal values",
    .proof = "proofs/encoding/alibi_proof.cpp, bias_is_toeplitz_and_falls_with_distance",
    .catches = "the bias is BLOOM's: slope x key",
    .measure = [](const held_biases& of, const table_length& given) {
      return detail::alibi_law::measure_diagonal(of.biases, static_cast<int>(given.length), of.config);
    }};

}  // namespace bias_laws

}  // namespace ropewalk
