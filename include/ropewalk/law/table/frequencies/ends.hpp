#pragma once
// Between which numbers a scaling rule may leave a frequency, and which pairs it leaves at an end: decided
// exactly.

#include <cstdint>

#include "ropewalk/config/rope.hpp"
#include "ropewalk/encoding/rope.hpp"
#include "ropewalk/function/constants.hpp"
#include "ropewalk/numeric/round.hpp"

namespace ropewalk {

/// What a rule does to one pair: nothing, a blend of both ends, division by its whole factor, a number of its
/// own, or holding it still.
enum class treatment { kept, blended, divided, replaced, still };

namespace detail {

/// The factor of a rule as a quotient of enclosures; for dynamic, how much its base has grown.
template <int N>
struct exact_factor {
  enclosure<N> numerator = enclosure<N>::of(1);
  enclosure<N> denominator = enclosure<N>::of(1);
};

template <int N>
constexpr exact_factor<N> factor_of(const rope& config) {
  using real = enclosure<N>;
  const rope_scaling& scaling = config.scaling;
  const auto whole = [](double factor) { return exact_factor<N>{real::of(factor), real::of(1)}; };
  switch (scaling.rule) {
    case scaling_rule::none:
    case scaling_rule::longrope: break;
    case scaling_rule::linear: return whole(scaling.as_linear.factor);
    case scaling_rule::dynamic: {
      const dynamic& rule = scaling.as_dynamic;
      const real longest = real::of(rule.max_position_embeddings), length = real::of(config.seq_len);
      if (compare(length, longest) != order::greater) break;
      return {real::of(rule.factor) * (length - longest) + longest, longest};
    }
    case scaling_rule::ntk: return whole(scaling.as_ntk.factor);
    case scaling_rule::llama3: return whole(scaling.as_llama3.factor);
    case scaling_rule::yarn: {
      const quotient scale = scale_of(scaling.as_yarn);
      return {real::of(scale.numerator), real::of(scale.denominator)};
    }
    case scaling_rule::proportional: return whole(scaling.as_proportional.factor);
  }
  return {};
}

/// Where a pair stands on a rule's ramp, and where the ramp begins to divide and has divided.
template <int N>
struct place_on_ramp {
  enclosure<N> at;
  enclosure<N> kept_end;
  enclosure<N> divided_end;
};

/// YaRN counts pairs, Llama 3.1 turns within the original length. domain  those two rules
template <int N>
constexpr place_on_ramp<N> place_on_ramp_of(int pair, const rope& config) {
  using real = enclosure<N>;
  const auto shared = share<N>(config);
  if (config.scaling.rule == scaling_rule::yarn) return {real::of(pair), shared.ramp.low, shared.ramp.high};
  const llama3& rule = config.scaling.as_llama3;
  const real turns = real::of(rule.original_max_position_embeddings) * inverse_two_pi<N>() /
                     base_power<N>(pair, config, shared);
  return {turns, real::of(rule.high_freq_factor), real::of(rule.low_freq_factor)};
}

struct decided_treatment {
  treatment value = treatment::blended;
  bool decided = false;
};

template <int N>
constexpr decided_treatment treatment_on_ramp(int pair, const rope& config) {
  const place_on_ramp<N> place = place_on_ramp_of<N>(pair, config);
  const enclosure<N> share = (place.at - place.kept_end) / (place.divided_end - place.kept_end);
  const order to_zero = compare(share, enclosure<N>::of(0)), to_one = compare(share, enclosure<N>::of(1));
  if (to_zero == order::undecided || to_one == order::undecided) return {};
  if (to_zero != order::greater) return {treatment::kept, true};
  return {to_one == order::less ? treatment::blended : treatment::divided, true};
}

}  // namespace detail

/// throws  undecided when 24 limbs do not tell a pair from the end of a ramp
inline treatment treatment_of(int pair, const rope& config) {
  const rope_scaling& scaling = config.scaling;
  switch (scaling.rule) {
    case scaling_rule::none: return treatment::kept;
    case scaling_rule::linear: return treatment::divided;
    case scaling_rule::dynamic:
    case scaling_rule::ntk: return pair == 0 ? treatment::kept : treatment::blended;
    case scaling_rule::llama3:
    case scaling_rule::yarn:
      return with_enough_limbs("the end of a ramp",
                               [&]<int N>() { return detail::treatment_on_ramp<N>(pair, config); })
          .value;
    case scaling_rule::longrope: return treatment::replaced;
    case scaling_rule::proportional:
      return pair < scaling.as_proportional.live_pairs ? treatment::divided : treatment::still;
  }
  return treatment::kept;
}

/// Bits of the binary64 next to a pair's frequency divided by `divisor`, exactly given.
///
/// error   correctly rounded
inline std::uint64_t nearest_divided_by(double divisor, int pair, const rope& config) {
  return round_with_enough_limbs<double>("a divided frequency", [&]<int N>() {
    return enclosure<N>::of(1) /
           (detail::base_power<N>(pair, config, share<N>(config)) * enclosure<N>::of(divisor));
  });
}

/// Bits of the binary64 next to the frequency that no rule touched.
inline std::uint64_t nearest_unscaled(int pair, const rope& config) {
  return nearest_divided_by(1, pair, config);
}

/// Bits of the binary64 next to the frequency divided by the rule's whole factor.
inline std::uint64_t nearest_divided(int pair, const rope& config) {
  return round_with_enough_limbs<double>("a divided frequency", [&]<int N>() {
    const auto factor = detail::factor_of<N>(config);
    return factor.denominator / (detail::base_power<N>(pair, config, share<N>(config)) * factor.numerator);
  });
}

}  // namespace ropewalk
