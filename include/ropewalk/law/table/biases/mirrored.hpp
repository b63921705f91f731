#pragma once
// Mirrored: in the symmetric form, keys ahead and behind have the same bias.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/biases/biases.hpp"

namespace ropewalk {

namespace detail::alibi_law {

inline measurement measure_mirrored(const bias_source& biases, int length, const alibi& config) {
  return judge_biases(biases, length, config, [](const bias_table& table, int head, int query, int key) {
    return table.same(table.at(head, query, key), table.at(head, key, query));
  });
}

}  // namespace detail::alibi_law

namespace bias_laws {

inline constexpr law<held_biases> mirrored{
    .name = "mirrored",
    .statement = "keys ahead and behind have the same bias",
    .equality = "equal values",
    .proof = "proofs/encoding/alibi_proof.cpp, bias_is_toeplitz_and_falls_with_distance",
    .catches = "keys ahead have twice the slope",
    .applies = [](const held_biases& of) { return of.config.form == alibi_form::symmetric; },
    .measure =
        [](const held_biases& of, const table_length& given) {
          return detail::alibi_law::measure_mirrored(of.biases, static_cast<int>(given.length), of.config);
        }};

}  // namespace bias_laws

}  // namespace ropewalk
