#pragma once
// ALiBi in Boost.Multiprecision numbers of any precision, as its authors' program computes it: a first slope
// and its powers and, if the number of heads is not a power of two, slopes of the next larger power of two.
// Press et al. 2022 (arXiv:2108.12409).

#include <cstdint>
#include <optional>

#include <boost/multiprecision/cpp_int.hpp>

#include "ropewalk/config/alibi.hpp"
#include "ropewalk/reference/number.hpp"

namespace ropewalk::reference {

namespace detail {

// At most 16 square roots, each of which halves the relative error of its argument and adds its own, then a
// power up to 2^16 by squaring: an error below 2^20 ulp.
inline constexpr int alibi_guard_bits = 64;

/// The first of `heads` slopes, 2^(-8 / heads), by repeated square roots.
///
/// domain  heads a power of two
template <real_number Number>
Number first_slope(int heads) {
  Number slope = Number(1) / 256;
  for (; heads > 1; heads /= 2) slope = sqrt(slope);
  return slope;
}

template <real_number Number>
Number nth_power(Number x, int exponent) {
  Number result = 1;
  for (; exponent != 0; exponent /= 2) {
    if (exponent % 2 != 0) result *= x;
    x *= x;
  }
  return result;
}

/// A slope as a power of a first slope: first_slope(heads)^power.
struct slope_power {
  int power = 0;
  int heads = 0;
};

/// The slope of a head, in the order of the authors' program, with slope_power::heads as small as possible.
inline slope_power slope_of(int head, int heads) {
  int closest = 1;
  while (2 * closest <= heads) closest *= 2;
  if (head >= closest) return slope_of(2 * (head - closest), 2 * closest);  // slopes(2 closest)[0::2]
  slope_power slope{head + 1, closest};
  for (; slope.power % 2 == 0 && slope.heads > 1; slope.power /= 2) slope.heads /= 2;
  return slope;
}

template <real_number Number>
Number slope(int head, int heads) {
  const slope_power power = slope_of(head, heads);
  return nth_power(first_slope<Number>(power.heads), power.power);
}

inline void require_head(int head, const alibi& config) {
  validate(config);
  require(head >= 0 && head < config.heads, "head", head, "a number from 0 to heads - 1");
}

}  // namespace detail

/// Slope of one head.
///
/// units   score per position
/// domain  0 <= head < heads
/// error   below one ulp of Number
/// throws  std::invalid_argument naming the field and its value
/// source  `get_slopes` in ofirpress/attention_with_linear_biases
template <real_number Number>
Number alibi_slope(int head, const alibi& config) {
  detail::require_head(head, config);
  return detail::with_guard_bits<Number>(
      detail::alibi_guard_bits, [&]<class Wide>() { return detail::slope<Wide>(head, config.heads); });
}

/// The slope if it is rational, and so a power of two; nullopt if it is irrational.
///
/// domain, throws  as alibi_slope
inline std::optional<boost::multiprecision::cpp_rational> alibi_exact_slope(int head, const alibi& config) {
  detail::require_head(head, config);
  const detail::slope_power power = detail::slope_of(head, config.heads);
  if (8 % power.heads != 0) return std::nullopt;  // of.power is odd, or of.heads 1
  const boost::multiprecision::cpp_int first = 1;
  return boost::multiprecision::cpp_rational(
      first, boost::multiprecision::cpp_int(first << (8 / power.heads * power.power)));
}

/// Multiplier of the slope for a query and a key, as each form's program computes it. Only MPT's form uses
/// `keys`, the number of keys.
///
/// domain  |query - key| < 2^63
/// throws  std::invalid_argument naming keys
inline std::int64_t alibi_multiplier(std::int64_t query, std::int64_t key, std::int64_t keys,
                                     const alibi& config) {
  switch (config.form) {
    case alibi_form::causal: break;
    case alibi_form::symmetric: return query < key ? query - key : key - query;
    case alibi_form::key: return key;  // arange(keys)
    case alibi_form::last_key:
      require(keys >= 1, "keys", static_cast<double>(keys), "a number above 0, for this form");
      return 1 - keys + key;  // arange(1 - keys, 1)
  }
  return key - query;
}

/// The bias that one head adds to the score of a query and a key.
///
/// units   score, before the softmax
/// domain  0 <= head < heads, |query - key| < 2^63; keys as alibi_multiplier
/// error   below one ulp of Number
/// throws  std::invalid_argument naming the field and its value
template <real_number Number>
Number alibi_bias(int head, std::int64_t query, std::int64_t key, const alibi& config,
                  std::int64_t keys = 0) {
  detail::require_head(head, config);
  return detail::with_guard_bits<Number>(detail::alibi_guard_bits, [&]<class Wide>() {
    return Wide(detail::slope<Wide>(head, config.heads) * Wide(alibi_multiplier(query, key, keys, config)));
  });
}

}  // namespace ropewalk::reference
