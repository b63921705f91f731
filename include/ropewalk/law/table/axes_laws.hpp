#pragma once
// Laws of the rows of a rotary embedding on several axes, for tables from any source. They compare bits,
// because a correctly rounded table is determined bit for bit.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "ropewalk/encoding/rope_axes.hpp"
#include "ropewalk/law/judge/measurement.hpp"
#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/entries.hpp"
#include "ropewalk/law/table/rounded_pairs.hpp"

namespace ropewalk {

/// Makes the row of a token from its positions, one per axis: rotary_dim / 2 cosines and sines.
using rope_axes_source = std::function<std::vector<cos_sin_entry>(const std::vector<std::int32_t>& positions,
                                                                  const rope_axes&, const rope&)>;

/// A source of rows, with their configuration and format.
struct checked_axes_rows {
  using case_type = listed_positions;
  using needs_type = no_needs;

  ropewalk_dtype dtype = ROPEWALK_F64;
  rope_axes_source rows;
  rope_axes axes;
  rope config;
};

namespace detail::rope_axes_laws {

inline std::vector<cos_sin_entry> checked_row(const rope_axes_source& source,
                                              const std::vector<std::int32_t>& positions,
                                              const rope_axes& axes, const rope& config) {
  auto row = source(positions, axes, config);
  require(row.size() == static_cast<std::size_t>(pair_count(config)), "the row's size",
          static_cast<double>(row.size()), "rotary_dim / 2 pairs");
  return row;
}

/// Judges same(pair) for every pair.
template <class Same>
void record_pairs(measurement& measured, int pairs, std::int32_t position, Same same) {
  for (int pair = 0; pair < pairs; ++pair) {
    place where;
    where.pair = pair;
    where.position = position;
    record(measured, judge_equal(same(pair)), where, [] { return evidence{}; });
  }
}

/// Whether cosine and sine have equal bits; every NaN equals every NaN.
template <floating_format Float>
bool same_entry(const cos_sin_entry& a, const cos_sin_entry& b) {
  const auto is_same = [](std::uint64_t x, std::uint64_t y) {
    return same_bits<Float>(static_cast<bits_of<Float>>(x), static_cast<bits_of<Float>>(y));
  };
  return is_same(a.cos, b.cos) && is_same(a.sin, b.sin);
}

}  // namespace detail::rope_axes_laws

namespace axes_laws {

measurement judge_text(const checked_axes_rows& rows, const listed_positions& test_case);
measurement judge_own_axis(const checked_axes_rows& rows, const listed_positions& test_case);

inline constexpr law<checked_axes_rows> text{
    .name = "text",
    .statement = "with one position on all axes, each pair turns as on one axis",
    .equality = "equal bits",
    .proof = "proofs/encoding/rope_axes_proof.cpp, tokens_of_text_turn_as_on_one_axis",
    .catches = "every position is one too small",
    .measure = judge_text};

inline constexpr law<checked_axes_rows> own_axis{
    .name = "own-axis",
    .statement = "a pair depends on the position on its own axis alone",
    .equality = "equal bits",
    .catches = "height and width are exchanged",
    .measure = judge_own_axis};

inline constexpr std::array all{text, own_axis};

}  // namespace axes_laws

}  // namespace ropewalk
