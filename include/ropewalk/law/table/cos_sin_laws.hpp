#pragma once
// Laws of a rotary embedding's cosines and sines, for tables from any source. The laws hold for the correctly
// rounded table.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "ropewalk/config/rope.hpp"
#include "ropewalk/encoding/rope.hpp"
#include "ropewalk/law/judge/same_value.hpp"
#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/rounded_pairs.hpp"

namespace ropewalk {

/// Makes the row of one position: rotary_dim / 2 cosines and sines, attention factor included.
using cos_sin_source = std::function<std::vector<cos_sin_entry>(std::int64_t position, const rope&)>;

/// A source of rows, with their configuration and format.
struct checked_cos_sin {
  using case_type = listed_positions;
  using needs_type = no_needs;

  ropewalk_dtype dtype = ROPEWALK_F64;
  cos_sin_source rows;
  rope config;
};

namespace detail::cos_sin_laws {

inline std::vector<cos_sin_entry> checked_row(const checked_cos_sin& cos_sin, std::int64_t position) {
  auto row = cos_sin.rows(position, cos_sin.config);
  require(row.size() == static_cast<std::size_t>(pair_count(cos_sin.config)), "the row's size",
          static_cast<double>(row.size()), "rotary_dim / 2 pairs");
  return row;
}

inline place place_of(std::int64_t position, int pair) {
  place where;
  where.position = static_cast<std::int32_t>(position);
  where.pair = pair;
  return where;
}

/// Records judged(entry, pair, position) -> verdict for every entry of the case's positions.
template <class Judged>
measurement judge_each_entry(const checked_cos_sin& cos_sin, const listed_positions& test_case,
                             Judged judged) {
  measurement measured;
  for (const std::int64_t position : test_case.positions) {
    const std::vector<cos_sin_entry> row = checked_row(cos_sin, position);
    for (int pair = 0; pair < pair_count(cos_sin.config); ++pair) {
      const cos_sin_entry& entry = row[static_cast<std::size_t>(pair)];
      record(measured, judged(entry, pair, position), place_of(position, pair), [&] {
        return evidence{cos_sin.dtype, 2, {}, {}, {entry.cos, entry.sin}};
      });
    }
  }
  return measured;
}

}  // namespace detail::cos_sin_laws

namespace cos_sin_laws {

measurement judge_origin(const checked_cos_sin& cos_sin, const listed_positions& test_case);
measurement judge_norm(const checked_cos_sin& cos_sin, const listed_positions& test_case);
measurement judge_distance_only(const checked_cos_sin& cos_sin, const listed_positions& test_case);
measurement judge_rounded_once(const checked_cos_sin& cos_sin, const listed_positions& test_case);

inline constexpr law<checked_cos_sin> origin{
    .name = "origin",
    .statement = "at position 0 every cosine is the attention factor and every sine 0",
    .equality = "equal values",
    .catches = "the attention factor is missing at position 0",
    .measure = judge_origin};

inline constexpr law<checked_cos_sin> norm{
    .name = "norm",
    .statement = "cosine and sine of a pair lie on the circle of the attention factor",
    .norm = "a^2",
    .proof = "proofs/kernel/rotation_bound.md, lemma 1, for each entry",
    .catches = "cosines and sines are eight ulps too large, except at position 0",
    .bound_in = squared_norm_bound_in,
    .measure = judge_norm};

inline constexpr law<checked_cos_sin> distance_only{
    .name = "distance-only",
    .statement = "cosine and sine of two positions give those of their distance",
    .norm = "a^2",
    .proof =
        "proofs/encoding/attention_proof.cpp, transposed_rotation_times_rotation_is_that_of_the_distance; "
        "proofs/kernel/rotation_bound.md, lemma 1, for each entry",
    .catches = "every sine is negated: angles turn the other way",
    .bound_in = squared_norm_bound_in,
    .measure = judge_distance_only};

inline constexpr law<checked_cos_sin> rounded_once{
    .name = "rounded-once",
    .statement = "every cosine and sine is the exact one, attention factor included, rounded once",
    .equality = "equal values",
    .catches = "numbers below 2^-6 are one ulp too far from zero",
    .measure = judge_rounded_once};

inline constexpr std::array all{origin, norm, distance_only, rounded_once};

}  // namespace cos_sin_laws

}  // namespace ropewalk
