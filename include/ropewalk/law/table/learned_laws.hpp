#pragma once
// Laws of learned rows, for lookups from any source. A lookup must return the rows of its table, and an error
// for every other position.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "ropewalk/config/learned.hpp"
#include "ropewalk/law/judge/measurement.hpp"
#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/entries.hpp"

namespace ropewalk {

/// Looks one position up: returns the bits of its row, or nullopt if it has none.
using learned_lookup = std::function<std::optional<std::vector<std::uint64_t>>(std::int64_t position)>;

/// Makes the lookup of a table from its weights: bits, [max_position_embeddings, d_model].
using learned_source = std::function<learned_lookup(const learned&, std::vector<std::uint64_t> weights)>;

/// A source of lookups, with their configuration and format.
struct checked_learned_rows {
  using case_type = whole_table;
  using needs_type = no_needs;

  ropewalk_dtype dtype = ROPEWALK_F32;
  learned config;
  learned_source source;
};

namespace detail {

/// Weight at a position and channel. Weights are distinct in a table of up to 2^16 numbers. They may be any
/// bit pattern, NaNs included, because a lookup returns the bits unchanged.
///
/// domain  position x d_model + channel below 2^16 in the formats of 16 bits
inline std::uint64_t learned_weight(ropewalk_dtype dtype, const learned& config, std::int64_t position,
                                    int channel) {
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;  // multiplying by it is one-to-one modulo powers of two
  const auto index = static_cast<std::uint64_t>(position * config.d_model + channel);
  const int unused = 64 - 8 * size_of(dtype);
  return (index + 1) * odd << unused >> unused;
}

/// A lookup in a table of these weights.
inline learned_lookup lookup_of(const checked_learned_rows& rows) {
  std::vector<std::uint64_t> weights;
  for (std::int64_t position = 0; position < rows.config.max_position_embeddings; ++position)
    for (int channel = 0; channel < rows.config.d_model; ++channel)
      weights.push_back(learned_weight(rows.dtype, rows.config, position, channel));
  return rows.source(rows.config, std::move(weights));
}

}  // namespace detail

namespace learned_laws {

measurement judge_served(const checked_learned_rows& rows, const whole_table&);
measurement judge_refused(const checked_learned_rows& rows, const whole_table&);

inline constexpr law<checked_learned_rows> served{
    .name = "served",
    .statement = "every position of the table returns its row",
    .equality = "equal bits",
    .proof = "proofs/encoding/learned_proof.cpp, rows_are_those_of_the_table",
    .catches = "a position returns its neighbour's row",
    .measure = judge_served};

inline constexpr law<checked_learned_rows> refused{.name = "refused",
                                                   .statement = "a position outside the table is refused",
                                                   .equality = "an error in place of a row",
                                                   .catches = "positions outside the table are clamped to it",
                                                   .measure = judge_refused};

inline constexpr std::array all{served, refused};

}  // namespace learned_laws

}  // namespace ropewalk
