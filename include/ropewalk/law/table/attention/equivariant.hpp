#pragma once
// Equivariant: without positions, reordering the tokens reorders scores and outputs.

#include <vector>

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/attention/attention.hpp"

namespace ropewalk {

namespace detail::attention_law {

inline measurement measure_equivariant(const attention_rule& rule, const attention_example& given) {
  measurement m;
  const result before = rule(given);
  for_each_order(given.queries.rows(), [&](const std::vector<int>& order) {
    judge_reordered(m, before, rule(reordered(given, order)), order);
  });
  return m;
}

}  // namespace detail::attention_law

namespace attention_laws {

inline constexpr law<held_attention> equivariant{
    .name = "equivariant",
    .statement = "tokens in another order have the same scores and outputs, in that order",
    .equality = "equal numbers: error radii below 2^-90, and enclosures that overlap",
    .proof = "proofs/encoding/attention_proof.cpp, scores_follow_every_order_of_the_tokens",
    .catches = "scores depend on the distance, where no positions are claimed",
    .applies = [](const held_attention& of) { return !of.traits.has_positions && !of.traits.is_causal; },
    .measure =
        [](const held_attention& of, const attention_example& given) {
          return detail::attention_law::measure_equivariant(of.attend, given);
        }};

}  // namespace attention_laws

}  // namespace ropewalk
