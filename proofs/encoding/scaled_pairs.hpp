#pragma once
// The statement shared by the proofs about ramps: the pairs that a scaling rule keeps, blends and divides,
// decided by comparing enclosures.

#include "ropewalk/encoding/rope.hpp"
#include "ropewalk/numeric/round.hpp"

namespace ropewalk::proofs {

/// Enough limbs to decide every comparison and rounding of the proofs; an undecided one fails its proof.
inline constexpr int limb_count = 2;
using real = enclosure<limb_count>;

constexpr rope without_scaling(rope config) {
  config.scaling = {};
  return config;
}

/// The binary64 nearest to an enclosed number, or all bits set if the enclosure leaves it undecided.
constexpr std::uint64_t nearest(const real& x) {
  const rounding<double> result = round<double>(x);
  return result.decided ? result.bits : ~std::uint64_t{0};
}

constexpr bool is_decided(std::uint64_t bits) { return bits != ~std::uint64_t{0}; }

/// Whether both enclosed numbers are decided and round to the same binary64.
constexpr bool round_alike(const real& x, const real& y) {
  return is_decided(nearest(x)) && nearest(x) == nearest(y);
}

/// Whether a ramp keeps the pairs below first_blended, divides those from first_divided on by `factor`, and
/// puts every pair in between strictly between its kept and its divided frequency.
constexpr bool ramp_blends_exactly(const rope& config, double factor, int first_blended, int first_divided) {
  const auto shared = share<limb_count>(config);
  for (int pair = 0; pair < pair_count(config); ++pair) {
    const real base_power = detail::base_power<limb_count>(pair, config, shared);
    const real f = real::of(1) / base_power, divided = f / real::of(factor);
    const real scaled = scaled_inv_freq(base_power, pair, config, shared);
    if (pair < first_blended && !round_alike(scaled, f)) return false;
    if (pair >= first_divided && !round_alike(scaled, divided)) return false;
    const bool is_between = compare(divided, scaled) == order::less && compare(scaled, f) == order::less;
    if (is_between != (pair >= first_blended && pair < first_divided)) return false;
  }
  return true;
}

}  // namespace ropewalk::proofs
