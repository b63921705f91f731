#pragma once
// Laws of inverse frequencies under their scaling rule, for tables from any source. A table holds binary64
// numbers, each the exact frequency rounded once. Rounding preserves order, so every law compares bits and
// none has a tolerance.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "ropewalk/config/rope.hpp"
#include "ropewalk/encoding/rope.hpp"
#include "ropewalk/encoding/rope_scaling.hpp"
#include "ropewalk/law/judge/before_rounding.hpp"
#include "ropewalk/law/judge/measurement.hpp"
#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/entries.hpp"
#include "ropewalk/numeric/format.hpp"
#include "ropewalk/numeric/round.hpp"

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
constexpr frequency_range anything(std::uint64_t bits) { return exactly(bits); }

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

/// Bits of a pair's unscaled frequency divided by `divisor`, rounded to binary64.
///
/// error   correctly rounded; `divisor` is exact
inline std::uint64_t nearest_divided_by(double divisor, int pair, const rope& config) {
  return round_with_enough_limbs<double>("a divided frequency", [&]<int N>() {
    return enclosure<N>::of(1) /
           (detail::base_power<N>(pair, config, share<N>(config)) * enclosure<N>::of(divisor));
  });
}

/// Bits of a pair's unscaled frequency, rounded to binary64.
inline std::uint64_t nearest_unscaled(int pair, const rope& config) {
  return nearest_divided_by(1, pair, config);
}

/// Bits of a pair's unscaled frequency divided by the rule's whole factor, rounded to binary64.
inline std::uint64_t nearest_divided(int pair, const rope& config) {
  return round_with_enough_limbs<double>("a divided frequency", [&]<int N>() {
    const exact_factor<N> factor = whole_factor<N>(config);
    return factor.denominator / (detail::base_power<N>(pair, config, share<N>(config)) * factor.numerator);
  });
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
  measurement measured;
  for (int pair = 0; pair < pair_count(config); ++pair) {
    const std::uint64_t bits = table[static_cast<std::size_t>(pair)];
    const frequency_range range = allowed(pair, bits);
    // As bits, NaNs, infinities and negative numbers are above every frequency.
    const bool holds = range.lowest <= bits && bits <= range.highest && bits < format<double>::infinity;
    place where;
    where.pair = pair;
    record(measured, judge_equal(holds), where, [&] {
      return evidence{ROPEWALK_F64, 1, {}, {bits < range.lowest ? range.lowest : range.highest}, {bits}};
    });
  }
  return measured;
}

/// Lengths L - 1, L and L + 1 for a rule that changes beyond L. L is rounded down to an integer.
inline std::array<std::int64_t, 3> lengths_around(double original) {
  const auto last = static_cast<std::int64_t>(original);
  return {std::max<std::int64_t>(last - 1, 0), last, last + 1};
}

/// Whether a rule has a factor, replaces no pair's divisor, and divides by 1 if its factor is 1.
bool is_none_with_factor_one(const rope& config);

/// Whether |f'1 / f1 - f'2 / f2| <= |1 - 1 / factor| |distance on the ramp / its length| for two neighbouring
/// pairs and some of the scaled frequencies f' that are given; f is the unscaled frequency.
template <int N, has_ramp Rule>
bool may_be_continuous(const Rule& rule, int pair, const rope& config, const enclosure<N>& first,
                       const enclosure<N>& second) {
  using real = enclosure<N>;
  const auto shared = share<N>(config);
  const real here = first * base_power<N>(pair, config, shared);
  const real there = second * base_power<N>(pair + 1, config, shared);
  const place_on_ramp<N> from = place_on_ramp_of<N>(rule, pair, config, shared),
                         to = place_on_ramp_of<N>(rule, pair + 1, config, shared);
  const exact_factor<N> factor = whole_factor<N>(rule, config);
  const real step = (to.at - from.at) / (from.divided_end - from.kept_end);
  const real allowed = (factor.numerator - factor.denominator) / factor.numerator * step;
  return compare(absolute(here - there), absolute(allowed)) != order::greater;
}

}  // namespace detail

namespace frequency_laws {

measurement judge_kept(const checked_frequencies& frequencies, const whole_table&);
measurement judge_divided(const checked_frequencies& frequencies, const whole_table&);
measurement judge_between(const checked_frequencies& frequencies, const whole_table&);
measurement judge_monotone(const checked_frequencies& frequencies, const whole_table&);
measurement judge_factor_one(const checked_frequencies& frequencies, const whole_table&);
measurement judge_continuity(const checked_frequencies& frequencies, const whole_table&);
measurement judge_switch_of_lists(const checked_frequencies& frequencies, const whole_table&);
measurement judge_growth(const checked_frequencies& frequencies, const whole_table&);
measurement judge_slowest_pair(const checked_frequencies& frequencies, const whole_table&);
measurement judge_still(const checked_frequencies& frequencies, const whole_table&);

inline constexpr law<checked_frequencies> kept{
    .name = "kept",
    .statement = "a pair that the rule leaves alone has its unscaled frequency",
    .equality = "equal bits",
    .proof =
        "proofs/encoding/yarn_proof.cpp, ramp_blends_exactly; "
        "proofs/encoding/llama3_proof.cpp, ramp_blends_exactly",
    .catches = "kept pairs are one ulp too large",
    .applies =
        [](const checked_frequencies& frequencies) {
          return treats_some(treatment::kept, frequencies.config);
        },
    .measure = judge_kept};

inline constexpr law<checked_frequencies> divided{
    .name = "divided",
    .statement = "a pair beyond the ramp has its frequency divided by the factor",
    .equality = "equal bits",
    .proof =
        "proofs/encoding/yarn_proof.cpp, ramp_blends_exactly; "
        "proofs/encoding/llama3_proof.cpp, ramp_blends_exactly",
    .catches = "divided pairs are one ulp too large",
    .applies =
        [](const checked_frequencies& frequencies) {
          return treats_some(treatment::divided, frequencies.config);
        },
    .measure = judge_divided};

inline constexpr law<checked_frequencies> between{
    .name = "between",
    .statement = "a scaled frequency lies between f and f / factor",
    .equality = "order, without tolerance",
    .proof =
        "proofs/encoding/yarn_proof.cpp, ramp_blends_exactly; "
        "proofs/encoding/llama3_proof.cpp, ramp_blends_exactly",
    .catches = "pairs on the ramp turn at four times the frequency of its faster end",
    .applies =
        [](const checked_frequencies& frequencies) {
          return !treats_some(treatment::replaced, frequencies.config);
        },
    .measure = judge_between};

inline constexpr law<checked_frequencies> monotone{
    .name = "monotone",
    .statement = "frequencies never rise with the pair",
    .equality = "order, without tolerance",
    .proof = "proofs/encoding/rope_proof.cpp, rotary_frequencies_fall_strictly_with_the_pair",
    .catches = "pairs that should stand still turn as fast as the first",
    .applies = [](const checked_frequencies& frequencies) { return never_rises(frequencies.config); },
    .measure = judge_monotone};

inline constexpr law<checked_frequencies> factor_one{
    .name = "factor-one",
    .statement = "a factor of 1 changes nothing",
    .equality = "equal bits",
    .proof = "proofs/encoding/rope_scaling_proof.cpp, factor_of_one_changes_nothing",
    .catches = "tables come from a cache whose key lacks the factor",
    .applies =
        [](const checked_frequencies& frequencies) {
          return detail::is_none_with_factor_one(frequencies.config);
        },
    .measure = judge_factor_one};

inline constexpr law<checked_frequencies> continuity{
    .name = "continuity",
    .statement = "neighbours differ by no more than the ramp's slope allows",
    .equality = "some real numbers that round to the entries keep the law: no tolerance",
    .catches = "pairs on the ramp keep their frequency, so that it jumps at the end",
    .applies =
        [](const checked_frequencies& frequencies) {
          return frequencies.config.scaling.visit([](const auto& rule) { return has_ramp<decltype(rule)>; });
        },
    .measure = judge_continuity};

inline constexpr law<checked_frequencies> switch_of_lists{
    .name = "switch",
    .statement = "up to the original length the short list applies, beyond it the long list",
    .equality = "equal bits",
    .proof = "proofs/encoding/longrope_proof.cpp, list_is_long_strictly_beyond_the_original_length",
    .catches = "the long list applies at the original length already",
    .applies =
        [](const checked_frequencies& frequencies) {
          const rope_scaling& scaling = frequencies.config.scaling;
          return scaling.is<longrope>() &&
                 scaling.as<longrope>().original_max_position_embeddings < largest_seq_len;
        },
    .measure = judge_switch_of_lists};

inline constexpr law<checked_frequencies> growth{
    .name = "growth",
    .statement = "nothing changes up to max_position_embeddings; beyond, all pairs fall but pair 0",
    .equality = "equal bits up to max_position_embeddings; beyond, order without tolerance",
    .proof =
        "proofs/encoding/ntk_proof.cpp, dynamic_is_default_up_to_max_position_embeddings; "
        "proofs/encoding/ntk_proof.cpp, dynamic_falls_with_every_token_beyond",
    .catches = "the base stops growing at twice max_position_embeddings",
    .applies =
        [](const checked_frequencies& frequencies) {
          const rope_scaling& scaling = frequencies.config.scaling;
          return scaling.is<dynamic>() && scaling.as<dynamic>().max_position_embeddings < largest_seq_len;
        },
    .measure = judge_growth};

/// NTK grows the base so that this holds.
inline constexpr law<checked_frequencies> slowest_pair{
    .name = "slowest-pair",
    .statement = "the slowest pair is divided by exactly the factor",
    .equality = "equal bits",
    .proof = "proofs/encoding/ntk_proof.cpp, slowest_pair_is_divided_by_exactly_the_factor",
    .catches = "the slowest pair is one ulp nearer to its unscaled frequency",
    .applies =
        [](const checked_frequencies& frequencies) {
          return frequencies.config.scaling.visit(
              [](const auto& rule) { return growing_base<decltype(rule)>; });
        },
    .measure = judge_slowest_pair};

inline constexpr law<checked_frequencies> still{
    .name = "still",
    .statement = "pairs beyond the rotated ones have frequency 0",
    .equality = "equal bits",
    .proof =
        "proofs/encoding/rope_scaling_proof.cpp, "
        "dead_pairs_are_exactly_zero_and_live_ones_as_in_the_whole_head",
    .catches = "pairs that should stand still turn, at their divided frequency",
    .applies =
        [](const checked_frequencies& frequencies) {
          return treats_some(treatment::still, frequencies.config);
        },
    .measure = judge_still};

inline constexpr std::array all{kept,       divided,         between, monotone,     factor_one,
                                continuity, switch_of_lists, growth,  slowest_pair, still};

}  // namespace frequency_laws

}  // namespace ropewalk
