#pragma once
// Served: a lookup returns the table's row for every position of the table.

#include <cstddef>
#include <cstdint>

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/learned/learned.hpp"

namespace ropewalk {

namespace detail {

/// Every position of the table, bit for bit.
inline measurement measure_served(const held_learned_rows& of) {
  measurement m;
  const learned_lookup lookup = lookup_of(of);
  const auto width = static_cast<std::size_t>(of.config.d_model);
  for (std::int64_t position = 0; position < of.config.max_position_embeddings; ++position) {
    const auto got = lookup(position);
    place where;
    where.position = static_cast<std::int32_t>(position);
    bool equal = got && got->size() == width;
    for (int channel = 0; equal && channel < of.config.d_model; ++channel) {
      equal =
          (*got)[static_cast<std::size_t>(channel)] == learned_weight(of.dtype, of.config, position, channel);
      where.channel = channel;
    }
    record(m, judge_equal(equal), where, [] { return evidence{}; });
  }
  return m;
}

}  // namespace detail

namespace learned_laws {

inline constexpr law<held_learned_rows> served{
    .name = "served",
    .statement = "every position of the table returns its row",
    .equality = "equal bits",
    .proof = "proofs/encoding/learned_proof.cpp, rows_are_those_of_the_table",
    .catches = "a position returns its neighbour's row",
    .measure = [](const held_learned_rows& of, const whole_table&) { return detail::measure_served(of); }};

}  // namespace learned_laws

}  // namespace ropewalk
