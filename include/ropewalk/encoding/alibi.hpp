#pragma once
// Attention with linear biases (ALiBi): slopes as powers of 2 with rational exponents, and the bias of a
// distance. Press et al. 2022 (arXiv:2108.12409). A bias is its slope times a whole number, so that the forms
// of different engines are compared in whole numbers; where the exponent is whole the bias is rational, ties
// included, and comes out exact.

#include <bit>
#include <cstdint>
#include <numeric>

#include "ropewalk/config/alibi.hpp"
#include "ropewalk/function/exp_log.hpp"
#include "ropewalk/numeric/enclosure.hpp"

namespace ropewalk {

/// A slope is 2^(-numerator / denominator), in lowest terms; the denominator is a power of two.
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

/// 2^floor(log2 heads): the heads of these numbers have the slopes of the paper's formula.
constexpr int formula_heads(int heads) {
  return static_cast<int>(std::bit_floor(static_cast<unsigned>(heads)));
}

}  // namespace detail

/// Exponent of one head's slope. With P the largest power of two not above `heads`: 8 (head + 1) / P for the
/// first P heads; the others take every second one of 2 P heads, from the first on: 8 (2 k + 1) / (2 P), k =
/// head - P.
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
/// error   carried by the enclosure; exact where the exponent is whole
/// throws  std::invalid_argument naming the field and its value
/// source  Press et al. 2022, sec. 3 (m)
template <int N>
constexpr enclosure<N> alibi_slope(int head, const alibi& config) {
  const slope_exponent exponent = alibi_slope_exponent(head, config);
  // NOLINTNEXTLINE(clang-analyzer-core.DivideZero): alibi_slope_exponent divides by a divisor of the denominator
  const int whole = exponent.numerator / exponent.denominator,
            rest = exponent.numerator % exponent.denominator;
  if (rest == 0) return times_power_of_two(enclosure<N>::of(1), -whole);
  const enclosure<N> fraction = times_power_of_two(
      enclosure<N>::of(rest), -std::countr_zero(static_cast<unsigned>(exponent.denominator)));
  return times_power_of_two(exp(-(ln_2<N>() * fraction)), -whole);
}

/// What the slope is multiplied by: -(query - key), or -|query - key|.
///
/// units   positions
/// error   none
constexpr std::int64_t alibi_steps(std::int64_t distance, alibi_form form) {
  return form == alibi_form::symmetric && distance < 0 ? distance : -distance;
}

/// The bias of one head at one distance, query position - key position: -slope x distance, or -slope x
/// |distance|.
///
/// units   score, before the softmax
/// domain  0 <= head < heads
/// error   carried by the enclosure; exact where the slope's exponent is whole; 0 at distance 0
/// throws  std::invalid_argument naming the field and its value
/// source  Press et al. 2022, sec. 3
template <int N>
constexpr enclosure<N> alibi_bias(int head, std::int64_t distance, const alibi& config) {
  return alibi_slope<N>(head, config) * enclosure<N>::of(alibi_steps(distance, config.form));
}

/// What the slope is multiplied by in BLOOM: the key's position, whatever the query's. Under a causal mask it
/// is the query's position more than in the paper, the same for a whole row of scores, which a softmax does
/// not see.
///
/// source  `build_alibi_tensor` in Hugging Face's BLOOM and Falcon (arange x slopes, no query)
constexpr std::int64_t bloom_steps(std::int64_t key) { return key; }

/// What the slope is multiplied by in MPT, for `keys` keys: 0 at the last one, whatever the query's position.
///
/// source  `build_mpt_alibi_tensor` in Hugging Face's MPT (arange(1 - length, 1) x slopes)
constexpr std::int64_t mpt_steps(std::int64_t key, std::int64_t keys) { return key - (keys - 1); }

}  // namespace ropewalk
