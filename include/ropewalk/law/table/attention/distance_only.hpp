#pragma once
// Distance only: moving all positions by one distance changes no score and no output.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/attention/attention.hpp"

namespace ropewalk {

namespace detail::attention_law {

inline measurement measure_distance_only(const attention_rule& rule, const attention_example& given) {
  measurement m;
  const result here = rule(given);
  for (const double distance : {1.0, -3.5, 4096.0, 1048576.0}) {
    const result there = rule(moved(given, distance));
    judge_entries(m, here.scores.rows(), here.scores.columns(), entries_of(here.scores),
                  entries_of(there.scores));
    judge_entries(m, here.outputs.rows(), here.outputs.columns(), entries_of(here.outputs),
                  entries_of(there.outputs));
  }
  return m;
}

}  // namespace detail::attention_law

namespace attention_laws {

inline constexpr law<held_attention> distance_only{
    .name = "distance-only",
    .statement = "all tokens moved by one distance have the same scores and outputs",
    .equality = "equal numbers: error radii below 2^-90, and enclosures that overlap",
    .proof =
        "proofs/encoding/attention_proof.cpp, transposed_rotation_times_rotation_is_that_of_the_distance; "
        "proofs/encoding/alibi_proof.cpp, bias_is_toeplitz_and_falls_with_distance",
    .catches = "scores depend on the key's position in place of the distance",
    .applies = [](const held_attention& of) { return !of.traits.has_positions || of.traits.is_relative; },
    .measure =
        [](const held_attention& of, const attention_example& given) {
          return detail::attention_law::measure_distance_only(of.attend, given);
        }};

}  // namespace attention_laws

}  // namespace ropewalk
