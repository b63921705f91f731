#pragma once
// Inverse frequencies under test: tables from any source, under their scaling rule. A table holds binary64
// numbers, each the exact frequency rounded once. Rounding keeps order, so every law compares bits and none
// has a tolerance.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "ropewalk/config/rope.hpp"
#include "ropewalk/encoding/rope_scaling.hpp"
#include "ropewalk/law/judge/measurement.hpp"
#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/entries.hpp"
#include "ropewalk/numeric/format.hpp"

namespace ropewalk {

/// Makes the table of a configuration: bits of binary64, one number per pair.
using frequency_source = std::function<std::vector<std::uint64_t>(const rope&)>;

/// A source of tables, and the configuration that is judged.
struct checked_frequencies {
  using case_type = whole_table;
  using needs_type = no_needs;

  frequency_source tables;  // for any configuration: some laws ask for variants of `config`
  rope config;
};

/// Range that a law allows one number: from `lowest` to `highest`, ends included, as bits of binary64 that
/// are not negative.
struct frequency_range {
  std::uint64_t lowest = 0;
  std::uint64_t highest = 0;
};

/// The range of one number.
constexpr frequency_range exactly(std::uint64_t bits) { return {bits, bits}; }

/// The range that admits the number itself: the law does not restrict this pair.
constexpr frequency_range anything(std::uint64_t got) { return exactly(got); }

/// Whether the rule gives some pair this treatment.
inline bool treats_some(treatment as, const rope& config) {
  for (int pair = 0; pair < pair_count(config); ++pair)
    if (treatment_of(pair, config) == as) return true;
  return false;
}

/// The same configuration for sequences of another length.
inline rope at_length(std::int64_t seq_len, rope config) {
  config.seq_len = seq_len;
  return config;
}

/// The same configuration with no scaling rule.
inline rope without_scaling(rope config) {
  config.scaling = {};
  return config;
}

/// The same configuration with another factor; unchanged if its rule has none.
inline rope with_factor(double factor, rope config) {
  config.scaling.visit([&](auto& rule) {
    if constexpr (requires { rule.factor = factor; }) rule.factor = factor;
  });
  return config;
}

namespace detail {

/// The table that a source makes for a configuration.
///
/// throws  std::invalid_argument when the table has another number of pairs
inline std::vector<std::uint64_t> table_of(const frequency_source& tables, const rope& config) {
  std::vector<std::uint64_t> table = tables(config);
  require(table.size() == static_cast<std::size_t>(pair_count(config)), "the table's length",
          static_cast<double>(table.size()), "rotary_dim / 2 numbers");
  return table;
}

/// Judges every number of a table against its range, allowed(pair, got) -> frequency_range.
template <class Allowed>
measurement judge_each_pair(const frequency_source& tables, const rope& config, Allowed allowed) {
  const std::vector<std::uint64_t> table = table_of(tables, config);
  measurement m;
  for (int pair = 0; pair < pair_count(config); ++pair) {
    const std::uint64_t got = table[static_cast<std::size_t>(pair)];
    const frequency_range range = allowed(pair, got);
    // As bits, NaNs, infinities and negative numbers are above every frequency.
    const bool holds = range.lowest <= got && got <= range.highest && got < format<double>::infinity;
    place where;
    where.pair = pair;
    record(m, judge_equal(holds), where, [&] {
      return evidence{ROPEWALK_F64, 1, {}, {got < range.lowest ? range.lowest : range.highest}, {got}};
    });
  }
  return m;
}

}  // namespace detail
}  // namespace ropewalk
