#pragma once
// Treatment of one pair by a scaling rule, and the rule's whole factor, for frequency laws and `explain`.

#include "ropewalk/config/scaling_lengths.hpp"
#include "ropewalk/numeric/enclosure.hpp"
#include "ropewalk/numeric/round.hpp"

namespace ropewalk {

/// Effect of a rule on a frequency: kept; blended between kept and divided; divided by the whole factor;
/// replaced, divided by its own divisor; or still, set to 0.
enum class treatment { kept, blended, divided, replaced, still };

/// The factor of a rule as a quotient of enclosures; for `dynamic`, the growth.
template <int N>
struct exact_factor {
  enclosure<N> numerator = enclosure<N>::of(1);
  enclosure<N> denominator = enclosure<N>::of(1);

  /// A factor whose numerator and denominator are both exact.
  static constexpr exact_factor of(const quotient& scale) {
    return {enclosure<N>::of(scale.numerator), enclosure<N>::of(scale.denominator)};
  }
};

/// Place of a pair on a rule's ramp, and the ramp's two ends: frequencies up to kept_end are kept, those from
/// divided_end on are divided in full.
template <int N>
struct place_on_ramp {
  enclosure<N> at;
  enclosure<N> kept_end;
  enclosure<N> divided_end;
};

namespace detail {

struct decided_treatment {
  treatment value = treatment::blended;
  bool decided = false;
};

template <int N>
constexpr decided_treatment treatment_at(const place_on_ramp<N>& place) {
  const enclosure<N> share = (place.at - place.kept_end) / (place.divided_end - place.kept_end);
  const order to_zero = compare(share, enclosure<N>::of(0)), to_one = compare(share, enclosure<N>::of(1));
  if (to_zero == order::undecided || to_one == order::undecided) return {};
  if (to_zero != order::greater) return {treatment::kept, true};
  return {to_one == order::less ? treatment::blended : treatment::divided, true};
}

}  // namespace detail

/// Treatment of the pair whose place on the ramp is place_of.operator()<N>().
///
/// throws  undecided when 24 limbs do not separate the pair from the end of the ramp
template <class PlaceOf>
constexpr treatment treatment_on_ramp(PlaceOf place_of) {
  return with_enough_limbs("the end of a ramp",
                           [&]<int N>() { return detail::treatment_at(place_of.template operator()<N>()); })
      .value;
}

}  // namespace ropewalk
