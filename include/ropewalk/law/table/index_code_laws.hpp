#pragma once
// Laws of index codes, for tables from any source. No law has a tolerance.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "ropewalk/encoding/index_code.hpp"
#include "ropewalk/law/judge/judge_pairs.hpp"
#include "ropewalk/law/judge/same_value.hpp"
#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/entries.hpp"
#include "ropewalk/numeric/round.hpp"

namespace ropewalk {

/// Makes the codes of a run of positions: bits of the table's format, [positions, width].
using index_code_source = std::function<std::vector<std::uint64_t>(position_range, const index_code&)>;

/// A source of codes, with their configuration and format.
///
/// domain  the code serves the positions of every case
struct checked_index_codes {
  using case_type = position_range;
  using needs_type = no_needs;

  ropewalk_dtype dtype = ROPEWALK_F64;
  index_code_source codes;
  index_code config;
};

namespace detail {

/// The codes that a source makes.
///
/// throws  std::invalid_argument when the source gives another number of entries
template <floating_format Float>
std::vector<bits_of<Float>> codes_of(const index_code_source& source, position_range positions,
                                     const index_code& config) {
  const std::vector<std::uint64_t> bits = source(positions, config);
  require(bits.size() == static_cast<std::size_t>(size(positions)) * static_cast<std::size_t>(config.width),
          "the table's length", static_cast<double>(bits.size()), "width numbers for each position");
  return {bits.begin(), bits.end()};
}

/// Judges whether every number equals wanted(position, column, got) -> bits, in value.
template <floating_format Float, class Wanted>
measurement judge_each_code(const std::vector<bits_of<Float>>& codes, position_range positions,
                            const index_code& config, Wanted wanted) {
  measurement measured;
  std::size_t at = 0;
  for (std::int64_t p = positions.begin; p < positions.end; ++p)
    for (int column = 0; column < config.width; ++column, ++at) {
      const bits_of<Float> got = codes[at], want = wanted(p, column, got);
      place where;
      where.position = static_cast<std::int32_t>(p);
      where.channel = column;
      record(measured, judge_equal(same_value<Float>(got, want)), where, [&] {
        return evidence{dtype_of<Float>, 1, {}, {want}, {got}};
      });
    }
  return measured;
}

template <floating_format Float>
inline constexpr bits_of<Float> one_as = round_magnitude<Float>(false, limbs_of<1>(1), 0, false);

constexpr bool is_binary(const checked_index_codes& codes) {
  return codes.config.kind == index_code_kind::binary;
}

}  // namespace detail

namespace index_code_laws {

measurement judge_code_range(const checked_index_codes& codes, const position_range& positions);
measurement judge_code_unique(const checked_index_codes& codes, const position_range& positions);
measurement judge_bit_period(const checked_index_codes& codes, const position_range& positions);
measurement judge_same_code(const checked_index_codes& codes, const position_range& positions);
measurement judge_code_rounded_once(const checked_index_codes& codes, const position_range& positions);

inline constexpr law<checked_index_codes> code_range{
    .name = "code-range",
    .statement = "normalised and binary codes lie in [0, 1], sines in [-1, 1]",
    .equality = "order, without tolerance",
    .catches = "digits are -1 and 1",
    .applies = [](const checked_index_codes& codes) { return codes.config.kind != index_code_kind::integer; },
    .measure = judge_code_range};

inline constexpr law<checked_index_codes> code_unique{
    .name = "code-unique",
    .statement = "no two positions share a binary code",
    .equality = "codes that differ",
    .proof = "proofs/encoding/index_code_proof.cpp, binary_codes_give_their_positions_back",
    .catches = "every position has the first one's code",
    .applies = detail::is_binary,
    .measure = judge_code_unique};

inline constexpr law<checked_index_codes> bit_period{
    .name = "bit-period",
    .statement = "position 0 has no bit set, and bit k changes every 2^k positions",
    .equality = "equal values",
    .proof = "proofs/encoding/index_code_proof.cpp, bit_k_changes_every_2_to_the_k_positions",
    .catches = "the code is a Gray code",
    .applies = detail::is_binary,
    .measure = judge_bit_period};

inline constexpr law<checked_index_codes> same_code{
    .name = "same-code",
    .statement = "a position has one code, however many positions are asked for",
    .equality = "equal values",
    .catches = "codes come from a cache whose key is the last position alone",
    .measure = judge_same_code};

inline constexpr law<checked_index_codes> code_rounded_once{
    .name = "code-rounded-once",
    .statement = "every number is the exact one rounded once, ties to even",
    .equality = "equal values",
    .catches = "positions are counted from one",
    .measure = judge_code_rounded_once};

inline constexpr std::array all{code_range, code_unique, bit_period, same_code, code_rounded_once};

}  // namespace index_code_laws

}  // namespace ropewalk
