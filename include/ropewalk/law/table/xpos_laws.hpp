#pragma once
// Laws of the rows of xPos, for tables from any source. A pair's norm is z^exponent in place of 1. Scores
// depend only on the distance, because keys are scaled by the inverse of the queries' scale.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "ropewalk/encoding/xpos.hpp"
#include "ropewalk/law/judge/same_value.hpp"
#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/rounded_pairs.hpp"

namespace ropewalk {

/// Makes the row of one position: rotary_dim / 2 cosines and sines, scale included.
using xpos_source = std::function<std::vector<cos_sin_entry>(std::int64_t position, xpos_side, const xpos&)>;

/// A source of rows, with their configuration and format.
struct checked_xpos_rows {
  using case_type = listed_positions;
  using needs_type = no_needs;

  ropewalk_dtype dtype = ROPEWALK_F64;
  xpos_source rows;
  xpos config;
};

namespace detail::xpos_laws {

inline std::vector<cos_sin_entry> checked_row(const xpos_source& source, std::int64_t position,
                                              xpos_side side, const xpos& config) {
  auto row = source(position, side, config);
  require(row.size() == static_cast<std::size_t>(config.rotary_dim / 2), "the row's size",
          static_cast<double>(row.size()), "rotary_dim / 2 pairs");
  return row;
}

}  // namespace detail::xpos_laws

namespace xpos_laws {

measurement judge_norm(const checked_xpos_rows& rows, const listed_positions& test_case);
measurement judge_relative(const checked_xpos_rows& rows, const listed_positions& test_case);
measurement judge_rounded_once(const checked_xpos_rows& rows, const listed_positions& test_case);

inline constexpr law<checked_xpos_rows> norm{
    .name = "norm",
    .statement = "a pair grows by z^exponent in queries and shrinks by it in keys",
    .norm = "scale^2",
    .proof =
        "proofs/encoding/xpos_proof.cpp, pair_has_the_norm_of_its_scale; "
        "proofs/kernel/rotation_bound.md, lemma 1, for each entry",
    .catches = "the scale is missing",
    .bound_in = squared_norm_bound_in,
    .measure = judge_norm};

inline constexpr law<checked_xpos_rows> relative{
    .name = "relative",
    .statement = "a score depends on the distance alone, and falls with it by z^(1 / scale_base)",
    .norm = "scale^2",
    .proof =
        "proofs/encoding/xpos_proof.cpp, score_depends_on_the_distance_alone; "
        "proofs/kernel/rotation_bound.md, lemma 1, for each entry",
    .catches = "every sine is negated: angles turn the other way",
    .bound_in = squared_norm_bound_in,
    .measure = judge_relative};

inline constexpr law<checked_xpos_rows> rounded_once{
    .name = "rounded-once",
    .statement = "every cosine and sine is the exact one, scale included, rounded once",
    .equality = "equal values",
    .catches = "every pair is half a turn too far",
    .measure = judge_rounded_once};

inline constexpr std::array all{norm, relative, rounded_once};

}  // namespace xpos_laws

}  // namespace ropewalk
