#pragma once
// Toeplitz: equal tokens at consecutive positions have scores that are constant along diagonals.

#include <vector>

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/attention/attention.hpp"

namespace ropewalk {

namespace detail::attention_law {

/// All tokens are the first one, so that scores can differ by positions alone.
inline measurement measure_toeplitz(const attention_rule& rule, const attention_example& given) {
  const std::vector<int> first(given.positions.size(), 0);
  const result r = rule(reordered(given, first));
  measurement m;
  for (int i = 1; i < r.scores.rows(); ++i)
    for (int j = 1; j < r.scores.columns(); ++j)
      judge_entry(m, agree(r.scores.at(i, j), r.scores.at(i - 1, j - 1)), i, j);
  return m;
}

}  // namespace detail::attention_law

namespace attention_laws {

inline constexpr law<held_attention> toeplitz{
    .name = "toeplitz",
    .statement = "equal tokens at neighbouring positions have scores constant along diagonals",
    .equality = "equal numbers: error radii below 2^-90, and enclosures that overlap",
    .proof =
        "proofs/encoding/attention_proof.cpp, transposed_rotation_times_rotation_is_that_of_the_distance; "
        "proofs/encoding/alibi_proof.cpp, bias_is_toeplitz_and_falls_with_distance",
    .catches = "scores depend on the key's position, counted from the first position given",
    .applies = [](const held_attention& of) { return !of.traits.has_positions || of.traits.is_relative; },
    .measure =
        [](const held_attention& of, const attention_example& given) {
          return detail::attention_law::measure_toeplitz(of.attend, given);
        }};

}  // namespace attention_laws

}  // namespace ropewalk
