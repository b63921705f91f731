#pragma once
// Laws of query scales, for tables from any source. No law has a tolerance.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "ropewalk/config/query_scale.hpp"
#include "ropewalk/law/judge/judge_pairs.hpp"
#include "ropewalk/law/judge/same_value.hpp"
#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/entries.hpp"
#include "ropewalk/table/query_scale_table.hpp"

namespace ropewalk {

/// Makes the scales of a run of positions: bits of the table's format, [positions].
using query_scale_source = std::function<std::vector<std::uint64_t>(position_range, const query_scale&)>;

/// A source of scales, with their configuration and format.
///
/// domain  positions from 0 up
struct checked_query_scales {
  using case_type = position_range;
  using needs_type = no_needs;

  ropewalk_dtype dtype = ROPEWALK_F64;
  query_scale_source scales;
  query_scale config;
};

namespace detail {

/// The scales that a source makes.
///
/// throws  std::invalid_argument when the source gives another number of entries
template <floating_format Float>
std::vector<bits_of<Float>> scales_of(const checked_query_scales& scales, position_range positions) {
  const std::vector<std::uint64_t> bits = scales.scales(positions, scales.config);
  require(bits.size() == static_cast<std::size_t>(size(positions)), "the table's length",
          static_cast<double>(bits.size()), "one number for each position");
  return {bits.begin(), bits.end()};
}

/// Records whether the scale at an index is right; `wanted` are the bits that a failure names.
template <floating_format Float>
void judge_scale(measurement& measured, bool is_right, position_range positions, std::size_t at,
                 bits_of<Float> wanted, bits_of<Float> got) {
  place where;
  where.position = static_cast<std::int32_t>(positions.begin + static_cast<std::int64_t>(at));
  record(measured, judge_equal(is_right), where, [&] {
    return evidence{dtype_of<Float>, 1, {}, {wanted}, {got}};
  });
}

/// Judges holds(scale, next scale) for each position and the next, where applies(position). A failure has the
/// place of the first.
template <floating_format Float, class Applies, class Holds>
measurement judge_neighbours(const std::vector<bits_of<Float>>& scales, position_range positions,
                             Applies applies, Holds holds) {
  measurement measured;
  for (std::size_t at = 0; at + 1 < scales.size(); ++at)
    if (applies(positions.begin + static_cast<std::int64_t>(at)))
      judge_scale<Float>(measured, holds(scales[at], scales[at + 1]), positions, at, scales[at],
                         scales[at + 1]);
  return measured;
}

}  // namespace detail

namespace query_scale_laws {

measurement judge_scale_rising(const checked_query_scales& scales, const position_range& positions);
measurement judge_scale_steps(const checked_query_scales& scales, const position_range& positions);
measurement judge_scale_one(const checked_query_scales& scales, const position_range& positions);
measurement judge_scale_rounded_once(const checked_query_scales& scales, const position_range& positions);

inline constexpr law<checked_query_scales> scale_rising{
    .name = "scale-rising",
    .statement = "no scale is below the one before it",
    .equality = "order, without tolerance",
    .proof = "proofs/encoding/query_scale_proof.cpp, scales_never_fall",
    .catches = "the query is divided by the scale",
    .measure = judge_scale_rising};

inline constexpr law<checked_query_scales> scale_steps{
    .name = "scale-steps",
    .statement = "the scale changes only where position + shift is a multiple of the length",
    .equality = "equal values",
    .catches = "the quotient is not rounded down",
    .measure = judge_scale_steps};

inline constexpr law<checked_query_scales> scale_one{
    .name = "scale-one",
    .statement = "the scale is 1 where position + shift is below the length",
    .equality = "equal values",
    .proof = "proofs/encoding/query_scale_proof.cpp, first_step_is_one",
    .catches = "the first step is scaled as the second is",
    .measure = judge_scale_one};

inline constexpr law<checked_query_scales> scale_rounded_once{
    .name = "scale-rounded-once",
    .statement = "every scale is the exact one rounded once",
    .equality = "equal values",
    .catches = "the logarithm is of base 2",
    .measure = judge_scale_rounded_once};

inline constexpr std::array all{scale_rising, scale_steps, scale_one, scale_rounded_once};

}  // namespace query_scale_laws

}  // namespace ropewalk
