#pragma once
// Farther is less: the bias falls as the distance grows.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/biases/biases.hpp"

namespace ropewalk {

namespace detail::alibi_law {

inline measurement measure_falling_bias(const bias_source& biases, int length, const alibi& config) {
  return judge_biases(biases, length, config, [](const bias_table& table, int head, int query, int key) {
    if (query == key) return true;
    const int nearer = key < query ? key + 1 : key - 1;
    return from_bits<double>(table.at(head, query, key)) < from_bits<double>(table.at(head, query, nearer));
  });
}

}  // namespace detail::alibi_law

namespace bias_laws {

inline constexpr law<held_biases> farther_is_less{
    .name = "farther-is-less",
    .statement = "the bias falls as the distance grows",
    .equality = "order, without tolerance",
    .proof = "proofs/encoding/alibi_proof.cpp, bias_is_toeplitz_and_falls_with_distance",
    .catches = "the bias rises with the distance",
    .measure = [](const held_biases& of, const table_length& given) {
      return detail::alibi_law::measure_falling_bias(of.biases, static_cast<int>(given.length), of.config);
    }};

}  // namespace bias_laws

}  // namespace ropewalk
