#pragma once
// Long-term decay of rotary embeddings: the curve that bounds a score at a distance. Su et al. 2021
// (arXiv:2104.09864), sec. 3.4.3. The curve falls on the whole, but not monotonically.

#include "ropewalk/encoding/rope.hpp"

namespace ropewalk {

/// Mean of |S_j| over j = 1 .. rotary_dim / 2, S_j being the sum of e^(i distance f_l) over the pairs l < j.
/// With h_l = (query pair l) conj(key pair l) as complex numbers and h_(rotary_dim / 2) = 0, summation by
/// parts gives |q . R_distance k| <= max_l |h_(l + 1) - h_l| x rotary_dim / 2 x this mean.
///
/// shape   scalar
/// domain  any finite distance; attention factors are left out
/// error   carried by the enclosure; exact at distance 0, (rotary_dim / 2 + 1) / 2
/// throws  std::invalid_argument naming the field and its value
/// source  Su et al. 2021, sec. 3.4.3, equations 35 to 37 and figure 2
template <int N>
constexpr enclosure<N> long_term_decay(double distance, const rope& config) {
  using real = enclosure<N>;
  validate(config);
  require(distance >= -largest_number && distance <= largest_number, "distance", distance, "a finite number");
  const rope_shared<N> shared =
      share<N>(config);  // once: compilers limit the steps of a constant's evaluation
  real cosines = real::of(0), sines = real::of(0), sum = real::of(0);
  for (int pair = 0; pair < pair_count(config); ++pair) {
    const cos_sin<N> result = cos_sin_of_turns(real::of(distance) * rope_turns<N>(pair, config, shared));
    cosines = cosines + result.cos;
    sines = sines + result.sin;
    sum = sum + square_root(cosines * cosines + sines * sines);
  }
  return sum / real::of(pair_count(config));
}

}  // namespace ropewalk
