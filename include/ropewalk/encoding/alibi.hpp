#pragma once
// Attention with linear biases (ALiBi): slopes as powers of 2 with rational exponents, and the bias of a
// distance. Press et al. 2022 (arXiv:2108.12409). A bias is its slope times an integer, so the forms of
// different engines are compared as integers. Where the slope's exponent is an integer, the bias is computed
// exactly, so that a rounding tie is recognised.

#include <bit>
#include <cstdint>
#include <numeric>

#include "ropewalk/config/alibi.hpp"
#include "ropewalk/function/exp_log.hpp"
#include "ropewalk/numeric/enclosure.hpp"

namespace ropewalk {

/// Exponent of a slope 2^(-numerator / denominator), in lowest terms; the denominator is a power of two.
struct slope_exponent {
  int numerator = 0;
  int denominator = 1;
  friend constexpr bool operator==(slope_exponent, slope_exponent) = default;
};

namespace detail {

constexpr void validate_head(int head, const alibi& config) {
  validate(config);
  require(head >= 0 && head < config.heads, "head", head, "a number from 0 to heads - 1");
}

/// 2^floor(log2 heads): the number of heads, from head 0 on, whose slopes follow the paper's formula.
constexpr int formula_heads(int heads) {
  return static_cast<int>(std::bit_floor(static_cast<unsigned>(heads)));
}

}  // namespace detail

/// Exponent of one head's slope.
///
/// With P the largest power of two not above `heads`, the first P heads have 8 (head + 1) / P. Head P + k has
/// the exponent of head 2 k among 2 P heads: 8 (2 k + 1) / (2 P).
///
/// domain  0 <= head < heads
/// error   none
/// throws  std::invalid_argument naming the field and its value
/// source  `get_slopes` in ofirpress/attention_with_linear_biases; `build_alibi_tensor` in Hugging Face
///         transformers (BLOOM)
constexpr slope_exponent alibi_slope_exponent(int head, const alibi& config) {
  detail::validate_head(head, config);
  const int power = detail::formula_heads(config.heads);
  const int numerator = head < power ? 8 * (head + 1) : 8 * (2 * (head - power) + 1);
  const int denominator = head < power ? power : 2 * power;
  const int shared = std::gcd(numerator, denominator);
  return {numerator / shared, denominator / shared};
}

/// Slope of one head.
///
/// shape   scalar; tables give all heads
/// units   score per position
/// domain  0 <= head < heads
/// error   carried by the enclosure; exact where the exponent is an integer
/// throws  std::invalid_argument naming the field and its value
/// source  Press et al. 2022, sec. 3 (m)
template <int N>
constexpr enclosure<N> alibi_slope(int head, const alibi& config) {
  const slope_exponent exponent = alibi_slope_exponent(head, config);
  // NOLINTNEXTLINE(clang-analyzer-core.DivideZero): the gcd in alibi_slope_exponent leaves a denominator >= 1
  const int whole = exponent.numerator / exponent.denominator,
            rest = exponent.numerator % exponent.denominator;
  if (rest == 0) return times_power_of_two(enclosure<N>::of(1), -whole);
  const enclosure<N> fraction = times_power_of_two(
      enclosure<N>::of(rest), -std::countr_zero(static_cast<unsigned>(exponent.denominator)));
  return times_power_of_two(exp(-(ln_2<N>() * fraction)), -whole);
}

/// Position from which a form counts distances: the query's, the first key's (0), or the last key's. A
/// distance is this position minus the key's position.
///
/// source  `build_alibi_tensor` in Hugging Face's BLOOM and Falcon (arange x slopes, no query: the first
///         key), flash-attention 2 under a causal mask (alibi_slope x col_idx: the same),
///         `build_mpt_alibi_tensor` in its MPT (arange(1 - length, 1) x slopes: the last key)
constexpr std::int64_t alibi_origin(std::int64_t query, std::int64_t keys, alibi_form form) {
  if (form == alibi_form::last_key) return keys - 1;
  return form == alibi_form::key ? 0 : query;
}

/// Multiplier of the slope at a distance, alibi_origin - key position: -distance; in the symmetric form
/// -|distance|.
///
/// units   positions
/// error   none
constexpr std::int64_t alibi_steps(std::int64_t distance, alibi_form form) {
  return form == alibi_form::symmetric && distance < 0 ? distance : -distance;
}

/// Bias of one head at one distance, alibi_origin - key position: -slope distance, or -slope |distance|.
///
/// units   score, before the softmax
/// domain  0 <= head < heads
/// error   carried by the enclosure; exact where the slope's exponent is an integer, and at distance 0
/// throws  std::invalid_argument naming the field and its value
/// source  Press et al. 2022, sec. 3
template <int N>
constexpr enclosure<N> alibi_bias(int head, std::int64_t distance, const alibi& config) {
  return alibi_slope<N>(head, config) * enclosure<N>::of(alibi_steps(distance, config.form));
}

/// Multiplier of the slope for a query and a key among `keys` keys, in any form.
///
/// units   positions
/// error   none
constexpr std::int64_t alibi_steps(std::int64_t query, std::int64_t key, std::int64_t keys, alibi_form form) {
  return alibi_steps(alibi_origin(query, keys, form) - key, form);
}

}  // namespace ropewalk
