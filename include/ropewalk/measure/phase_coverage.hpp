#pragma once
// Measures the phases of a longer sequence that did not occur in training: for each pair, the share of the
// phases below the target length that no position below the trained length had. This is a measurement, not a
// verdict. It holds for positions and for distances.

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <vector>

#include "ropewalk/config/sinusoidal.hpp"
#include "ropewalk/encoding/frequency_divisor.hpp"
#include "ropewalk/encoding/rope.hpp"
#include "ropewalk/encoding/sinusoidal.hpp"
#include "ropewalk/numeric/round.hpp"

namespace ropewalk {

/// Shares for one pair. Positions below a length sweep an arc that starts at phase 0: length x frequency, at
/// most one turn.
struct pair_coverage {
  double trained = 0;  // share of the circle swept below the trained length
  double met = 0;      // share of the circle swept below the target length
  double unseen = 0;   // share of the phases met that are new: 1 - trained / met, or 0
  double step = 1;     // angle between neighbours, relative to training: 1 / divisor of the frequency
};

/// Two lengths: positions 0 .. trained - 1 occurred in training, positions 0 .. target - 1 are measured.
struct length_pair {
  std::int64_t trained = 0;
  std::int64_t target = 0;
};

/// Refuses lengths out of range.
///
/// throws  std::invalid_argument naming the field, its value and what is allowed
constexpr void validate(const length_pair& lengths) {
  require(lengths.trained >= 1 && lengths.trained <= largest_seq_len, "trained",
          static_cast<double>(lengths.trained), "a whole number from 1 to 2147483648");
  require(lengths.target >= 1 && lengths.target <= largest_seq_len, "target",
          static_cast<double>(lengths.target), "a whole number from 1 to 2147483648");
}

namespace detail {

inline constexpr int coverage_limbs = 4;
using coverage_number = enclosure<coverage_limbs>;

/// The binary64 nearest to the midpoint: for display, not for decisions.
template <std::same_as<coverage_number> Number = coverage_number>
double shown_number(const Number& x) {
  return from_bits<double>(round<double>(x.midpoint));
}

inline coverage_number at_most_one(const coverage_number& x) {
  const coverage_number number = coverage_number::of(1);
  return compare(x, number) == order::greater ? number : x;
}

/// Coverage of one pair, from its turns per position in training and the divisor of its frequency afterwards.
template <std::same_as<coverage_number> Number = coverage_number>
pair_coverage coverage_of(const Number& turns, const coverage_number& divisor, const length_pair& lengths) {
  const coverage_number number = coverage_number::of(1);
  const coverage_number swept = turns * coverage_number::of(lengths.trained);
  // Exact if the divisor is exact, so that interpolation by target / trained leaves an unseen share of
  // exactly 0, not of 2^-200.
  const coverage_number growth =
      coverage_number::of(lengths.target) / (coverage_number::of(lengths.trained) * divisor);
  const coverage_number trained = at_most_one(swept), met = at_most_one(swept * growth);
  pair_coverage pair{shown_number(trained), shown_number(met), 0, shown_number(number / divisor)};
  if (compare(swept, number) == order::less && compare(growth, number) == order::greater)
    pair.unseen = shown_number(number - trained / met);
  return pair;
}

}  // namespace detail

/// Coverage of every pair for a model that was trained without the scaling rule and runs at the target length
/// with it. The rule `proportional` extends no context and is used in training, too.
///
/// shape   [rotary_dim / 2]
/// error   each number is the binary64 nearest to one within 2^-200 of the exact one
/// throws  std::invalid_argument naming the field and its value
template <std::same_as<rope> Config = rope>
std::vector<pair_coverage> phase_coverage(const Config& config, const length_pair& lengths) {
  using number = detail::coverage_number;
  validate(config);
  validate(lengths);
  rope before = config;
  const bool was_there = before.scaling.is<proportional>();
  if (!was_there) before.scaling = {};
  const auto shared = share<detail::coverage_limbs>(before),
             shared_after = share<detail::coverage_limbs>(config);
  std::vector<pair_coverage> pairs;
  for (int pair = 0; pair < pair_count(config); ++pair) {
    const number turns = rope_turns<detail::coverage_limbs>(pair, before, shared);
    if (is_exact(turns) && is_zero(turns.midpoint)) {
      pairs.push_back({});  // frequency 0: its only phase was seen in training
      continue;
    }
    const number divisor = was_there
                               ? number::of(1)
                               : rope_frequency_divisor<detail::coverage_limbs>(pair, config, shared_after);
    pairs.push_back(detail::coverage_of(turns, divisor, lengths));
  }
  return pairs;
}

/// Coverage of every pair of a sinusoidal encoding, which has no scaling rule.
template <std::same_as<sinusoidal> Config = sinusoidal>
std::vector<pair_coverage> phase_coverage(const Config& config, const length_pair& lengths) {
  validate(lengths);
  const auto shared = share<detail::coverage_limbs>(config);
  std::vector<pair_coverage> pairs;
  for (int pair = 0; pair < pair_count(config); ++pair)
    pairs.push_back(detail::coverage_of(sinusoidal_turns<detail::coverage_limbs>(pair, config, shared),
                                        detail::coverage_number::of(1), lengths));
  return pairs;
}

/// Summary of the coverage of all pairs.
struct coverage_summary {
  int pairs = 0;
  int unseen_pairs = 0;  // pairs that meet unseen phases
  double mean_unseen = 0;
  double worst_unseen = 0;
  // Over the pairs whose whole circle training covered: the cost of a rule where no phase was unseen.
  double least_step = 1;
};

/// Summarises the shares of all pairs; the defaults for an empty list.
inline coverage_summary summarise(const std::vector<pair_coverage>& pairs) {
  coverage_summary summary;
  for (const pair_coverage& pair : pairs) {
    ++summary.pairs;
    summary.unseen_pairs += pair.unseen > 0;
    summary.mean_unseen += pair.unseen;
    summary.worst_unseen = std::max(summary.worst_unseen, pair.unseen);
    if (pair.trained == 1) summary.least_step = std::min(summary.least_step, pair.step);
  }
  if (summary.pairs > 0) summary.mean_unseen /= summary.pairs;
  return summary;
}

}  // namespace ropewalk
