#pragma once
// Switch: longrope uses the short list up to original_max_position_embeddings and the long list beyond it.

#include <cstdint>

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/frequencies/ends.hpp"
#include "ropewalk/law/table/frequencies/frequencies.hpp"
#include "ropewalk/law/table/frequencies/lengths.hpp"

namespace ropewalk {

namespace detail {

inline measurement measure_switch(const frequency_source& tables, const rope& config) {
  const longrope& rule = config.scaling.as<longrope>();
  const auto lengths = lengths_around(rule.original_max_position_embeddings);
  measurement m;
  for (const std::int64_t length : lengths) {
    const factor_list& list = length == lengths[2] ? rule.long_factor : rule.short_factor;
    merge(m, judge_each_pair(tables, at_length(length, config), [&](int pair, std::uint64_t) {
            return exactly(nearest_divided_by(list[pair], pair, config));
          }));
  }
  return m;
}

}  // namespace detail

namespace frequency_laws {

inline constexpr law<held_frequencies> switch_of_lists{
    .name = "switch",
    .statement = "up to the original length the short list applies, beyond it the long list",
    .equality = "equal bits",
    .proof = "proofs/encoding/longrope_proof.cpp, list_is_long_strictly_beyond_the_original_length",
    .catches = "the long list applies at the original length already",
    .applies =
        [](const held_frequencies& of) {
          const rope_scaling& scaling = of.config.scaling;
          return scaling.is<longrope>() &&
                 scaling.as<longrope>().original_max_position_embeddings < largest_seq_len;
        },
    .measure = [](const held_frequencies& of,
                  const whole_table&) { return detail::measure_switch(of.tables, of.config); }};

}  // namespace frequency_laws

}  // namespace ropewalk
