#pragma once
// Numbers that all pairs of a rotary embedding share, and the reciprocal of an unscaled frequency.

#include <cstdint>

#include "ropewalk/config/rope.hpp"
#include "ropewalk/function/power.hpp"
#include "ropewalk/numeric/enclosure.hpp"

namespace ropewalk {

/// Ends of YaRN's ramp, as pair indices.
template <int N>
struct yarn_ramp {
  enclosure<N> low;
  enclosure<N> high;
};

/// Numbers that are computed once and used for every pair.
template <int N>
struct rope_shared {
  enclosure<N> log_base{};
  yarn_ramp<N> ramp{};
  enclosure<N> inverse_growth{};  // 1 / growth of NTK
  enclosure<N> log_inverse_growth{};
};

namespace detail {

/// base^(2 pair / rotary_dim), the reciprocal of the unscaled frequency.
template <int N>
constexpr enclosure<N> base_power(int pair, const rope& config, const rope_shared<N>& shared) {
  if (pair == 0) return enclosure<N>::of(1);
  std::uint32_t numerator = 2 * static_cast<std::uint32_t>(pair);
  std::uint32_t denominator = static_cast<std::uint32_t>(config.rotary_dim);
  while (numerator % 2 == 0 && denominator % 2 == 0) numerator /= 2, denominator /= 2;
  return power_from_log(enclosure<N>::of(config.base), shared.log_base, numerator, denominator);
}

/// base^(-2 pair / rotary_dim), before any scaling rule.
template <int N>
constexpr enclosure<N> unscaled_inv_freq(int pair, const rope& config, const rope_shared<N>& shared) {
  return enclosure<N>::of(1) / base_power<N>(pair, config, shared);
}

}  // namespace detail

}  // namespace ropewalk
