#pragma once
// NTK-aware scaling: frequencies of a base that grows with the sequence, or by a fixed factor.

#include <cstdint>
#include <numeric>

#include "ropewalk/config/ntk.hpp"
#include "ropewalk/function/power.hpp"
#include "ropewalk/numeric/enclosure.hpp"

namespace ropewalk {

/// How much the base of dynamic NTK has grown, inverted: max / (factor max(seq_len, max) - (factor - 1) max).
/// Where this is a number of few bits it comes out exact.
template <int N>
constexpr enclosure<N> inverse_growth(const dynamic& rule, std::int64_t seq_len) {
  using real = enclosure<N>;
  const real longest = real::of(rule.max_position_embeddings), factor = real::of(rule.factor);
  const real length = real::of(seq_len);
  if (compare(length, longest) != order::greater) return real::of(1);
  return longest / (factor * (length - longest) + longest);
}

/// The same for NTK at a fixed factor.
template <int N>
constexpr enclosure<N> inverse_growth(const ntk& rule) {
  return enclosure<N>::of(1) / enclosure<N>::of(rule.factor);
}

/// NTK: base x growth^(rotary_dim / (rotary_dim - 2)) in place of the base, which multiplies a frequency by
/// growth^(-2 pair / (rotary_dim - 2)). Both roots come out exact where the quotient is a number of few bits,
/// because no divisor but 1 is common to rotary_dim / 2 and rotary_dim / 2 - 1.
///
/// source  `_compute_dynamic_ntk_parameters` in Hugging Face transformers
template <int N>
constexpr enclosure<N> ntk_inv_freq(const enclosure<N>& base_power, int pair, int rotary_dim,
                                    const enclosure<N>& inverse_growth,
                                    const enclosure<N>& log_inverse_growth) {
  if (compare(inverse_growth, enclosure<N>::of(1)) == order::equal) return enclosure<N>::of(1) / base_power;
  const int shared = std::gcd(2 * pair, rotary_dim - 2);
  return power_from_log(inverse_growth, log_inverse_growth, static_cast<std::uint32_t>(2 * pair / shared),
                        static_cast<std::uint32_t>((rotary_dim - 2) / shared)) /
         base_power;
}

}  // namespace ropewalk
