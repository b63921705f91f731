#pragma once
// Enclosures of real numbers: a midpoint of N limbs and a radius that bounds the number's distance from it.
// Every operation adds its own truncation to the radius, so no error analysis by hand is needed. An
// operation on exact numbers that truncates nothing keeps radius 0, so exact numbers stay exact.

#include <cstdint>
#include <type_traits>

#include "ropewalk/numeric/compiled_once.hpp"
#include "ropewalk/numeric/dyadic.hpp"
#include "ropewalk/numeric/radius.hpp"

namespace ropewalk {

inline constexpr int largest_limb_count = 24;

/// Some real number x with |x - midpoint| <= error.
template <int N>
struct enclosure {
  static_assert(N >= 1 && N <= largest_limb_count);
  dyadic<N> midpoint{};
  radius error{};

  /// The exact value of an integer or of a finite binary64.
  static constexpr enclosure of(std::int64_t value) { return {exact_dyadic<N>(value), {}}; }
  static constexpr enclosure of(int value) { return of(static_cast<std::int64_t>(value)); }
  static constexpr enclosure of(double value) {
    return {exact_dyadic_of_bits<N, double>(to_bits(value)), {}};
  }
};

/// Whether the enclosure holds only its midpoint.
template <int N>
constexpr bool is_exact(const enclosure<N>& x) {
  return is_zero(x.error);
}

namespace detail {

template <int N>
constexpr enclosure<N> with_truncation(const truncated<N>& result, const radius& error) {
  // Two units in the last place cover every truncation, that of `add` included (dyadic.hpp, `truncated`).
  return {result.value, result.inexact ? error + radius_at_least(1, result.value.exponent + 1) : error};
}

}  // namespace detail

/// Upper bound of |a|.
template <int N>
constexpr radius magnitude_above(const dyadic<N>& a) {
  if (is_zero(a)) return {};
  const std::uint64_t top = a.significand.word[N - 1];
  const int exponent = a.exponent + limb_bits * (N - 1);
  return radius_at_least((top >> 32) + 1, exponent + 32);
}

/// Upper bound of |x|.
template <int N>
constexpr radius magnitude_above(const enclosure<N>& x) {
  return magnitude_above(x.midpoint) + x.error;
}

/// Lower bound of |a|: its upper 32 bits; zero for zero.
template <int N>
constexpr radius magnitude_below(const dyadic<N>& a) {
  if (is_zero(a)) return {};
  return {static_cast<std::uint32_t>(a.significand.word[N - 1] >> 32), a.exponent + limb_bits * N - 32};
}

/// Lower bound of |x|: zero when x may be zero.
template <int N>
constexpr radius magnitude_below(const enclosure<N>& x) {
  if (is_exact(x)) return magnitude_below(x.midpoint);
  const dyadic<1> whole{false,
                        {{std::uint64_t{magnitude_below(x.midpoint).significand} << 32}},
                        magnitude_below(x.midpoint).exponent - 32};
  const dyadic<1> error{true, {{std::uint64_t{x.error.significand} << 32}}, x.error.exponent - 32};
  if (is_zero(whole) || compare_magnitude(whole, error) <= 0) return {};
  const truncated<1> rest = add(whole, error);
  // A truncated difference may be too large, by less than 2 units: subtract 4 units, or, if that could clear
  // the top bit, take half.
  dyadic<1> lower = rest.value;
  if (rest.inexact && lower.significand.word[0] > (std::uint64_t{1} << 63) + 4)
    lower.significand.word[0] -= 4;
  else if (rest.inexact)
    return {std::uint32_t{1} << 31, lower.exponent + 31};
  return magnitude_below(lower);
}

namespace detail {

/// Run-time versions of the operations below, compiled once (compiled_once.hpp).
template <int N>
struct arithmetic_at_run_time {
  static enclosure<N> sum(const enclosure<N>& x, const enclosure<N>& y);
  static enclosure<N> product(const enclosure<N>& x, const enclosure<N>& y);
  static enclosure<N> quotient(const enclosure<N>& x, const enclosure<N>& y);
  static enclosure<N> square_root(const enclosure<N>& x);
};

template <int N>
constexpr enclosure<N> sum_of(const enclosure<N>& x, const enclosure<N>& y) {
  return with_truncation(add(x.midpoint, y.midpoint), x.error + y.error);
}

template <int N>
constexpr enclosure<N> product_of(const enclosure<N>& x, const enclosure<N>& y) {
  radius error = x.error * y.error;
  if (!is_exact(y)) error = error + magnitude_above(x.midpoint) * y.error;
  if (!is_exact(x)) error = error + magnitude_above(y.midpoint) * x.error;
  return with_truncation(multiply(x.midpoint, y.midpoint), error);
}

}  // namespace detail

/// -x.
///
/// error   that of x
template <int N>
constexpr enclosure<N> operator-(enclosure<N> x) {
  x.midpoint = negate(x.midpoint);
  return x;
}

/// x + y.
///
/// error   the sum of the errors of x and y, plus the truncation
template <int N>
constexpr enclosure<N> operator+(const enclosure<N>& x, const enclosure<N>& y) {
  if (!std::is_constant_evaluated()) return detail::arithmetic_at_run_time<N>::sum(x, y);
  return detail::sum_of(x, y);
}

/// x - y.
///
/// error   the sum of the errors of x and y, plus the truncation
template <int N>
constexpr enclosure<N> operator-(const enclosure<N>& x, const enclosure<N>& y) {
  return x + (-y);
}

/// x y.
///
/// error   |X| r(y) + |Y| r(x) + r(x) r(y) for midpoints X, Y and errors r, plus the truncation; 0 for exact
///         factors whose product N limbs hold
template <int N>
constexpr enclosure<N> operator*(const enclosure<N>& x, const enclosure<N>& y) {
  if (!std::is_constant_evaluated()) return detail::arithmetic_at_run_time<N>::product(x, y);
  return detail::product_of(x, y);
}

/// Whether x may be zero.
template <int N>
constexpr bool may_be_zero(const enclosure<N>& x) {
  return is_zero(magnitude_below(x));
}

/// An enclosure so wide that its number is unknown: the result of an operation outside its domain.
template <int N>
constexpr enclosure<N> unbounded() {
  return {{}, {std::uint32_t{1} << 31, 1 << 28}};
}

/// Whether the error exceeds 2^(2^27), as that of `unbounded` does: the number is then unknown.
template <int N>
constexpr bool is_unbounded(const enclosure<N>& x) {
  return x.error.exponent >= 1 << 27;
}

namespace detail {

template <int N>
constexpr enclosure<N> quotient_of(const enclosure<N>& x, const enclosure<N>& y) {
  if (may_be_zero(y)) return unbounded<N>();
  const truncated<N> result = divide(x.midpoint, y.midpoint);
  radius error{};  // |x/y - X/Y| <= (rx + |X/Y| ry) / |y|
  if (!is_exact(x) || !is_exact(y)) {
    const radius size =
        magnitude_above(result.value) + radius_at_least(result.inexact, result.value.exponent + 1);
    error = (x.error + size * y.error) / magnitude_below(y);
  }
  return with_truncation(result, error);
}

}  // namespace detail

/// x / y; unbounded when y may be zero.
template <int N>
constexpr enclosure<N> operator/(const enclosure<N>& x, const enclosure<N>& y) {
  if (!std::is_constant_evaluated()) return detail::arithmetic_at_run_time<N>::quotient(x, y);
  return detail::quotient_of(x, y);
}

/// x 2^power.
///
/// error   that of x, scaled; nothing is truncated
template <int N>
constexpr enclosure<N> times_power_of_two(enclosure<N> x, int power) {
  if (!is_zero(x.midpoint)) x.midpoint.exponent += power;
  x.error = times_power_of_two(x.error, power);
  return x;
}

/// |x|.
///
/// error   that of x
template <int N>
constexpr enclosure<N> absolute(enclosure<N> x) {
  x.midpoint.negative = false;  // | |x| - |X| | <= |x - X|
  return x;
}

/// The radius as an exact enclosure.
template <int N>
constexpr enclosure<N> exact_radius(const radius& radius) {
  return {truncate<N>(false, limbs_of<1>(radius.significand), radius.exponent).value, {}};
}

enum class order { less, equal, greater, undecided };

/// Compares x with y: `equal` only for exact numbers, `undecided` if the enclosures overlap or nearly do.
template <int N>
constexpr order compare(const enclosure<N>& x, const enclosure<N>& y) {
  const enclosure<N> difference = x - y;
  if (is_exact(difference) && is_zero(difference.midpoint)) return order::equal;
  if (may_be_zero(difference)) return order::undecided;
  return difference.midpoint.negative ? order::less : order::greater;
}

/// The enclosure with M limbs; the radius grows by the truncation.
template <int M, int N>
constexpr enclosure<M> with_limbs(const enclosure<N>& x) {
  return detail::with_truncation(
      truncate<M>(x.midpoint.negative, x.midpoint.significand, x.midpoint.exponent), x.error);
}

namespace detail {

template <int N>
constexpr enclosure<N> root_by_newton(const enclosure<N>& x) {
  if (is_zero(x.midpoint) && is_exact(x)) return x;
  if (x.midpoint.negative || may_be_zero(x)) return unbounded<N>();
  const bool odd = (top_exponent(x.midpoint) & 1) != 0;
  // Initial value: 32 bits of the root of the top limb, by bisection.
  const std::uint64_t top =
      odd ? x.midpoint.significand.word[N - 1] >> 1 : x.midpoint.significand.word[N - 1];
  std::uint64_t root = 0;
  for (int bit = 31; bit >= 0; --bit) {
    const std::uint64_t trial = root | (std::uint64_t{1} << bit);
    if (trial * trial <= top) root = trial;
  }
  const int half = (top_exponent(x.midpoint) + (odd ? 1 : 0)) / 2;
  enclosure<N> y = times_power_of_two(enclosure<N>::of(static_cast<std::int64_t>(root)), half - 32);
  const enclosure<N> target{x.midpoint, {}};
  for (int bits = 30; bits < limb_bits * N + 2; bits *= 2) {
    y = times_power_of_two(y + target / y, -1);
    y.error = {};
  }
  // Newton's last step may end one unit away from an exact root: take the shorter number if its square is x.
  const enclosure<N> shorter{nearest_of_length(y.midpoint, limb_bits * N - 32), {}};
  const enclosure<N> miss = shorter * shorter - target;
  if (is_exact(miss) && is_zero(miss.midpoint)) y = shorter;
  y.error = magnitude_above(y * y - x) / magnitude_below(y.midpoint);
  return y;
}

}  // namespace detail

/// Square root, by Newton's iteration.
///
/// domain  x >= 0, else unbounded
/// error   |y^2 - x| / y for the computed root y, which bounds |y - sqrt x|; 0 where x is exact and N limbs
///         hold its root
template <int N>
constexpr enclosure<N> square_root(const enclosure<N>& x) {
  if (!std::is_constant_evaluated()) return detail::arithmetic_at_run_time<N>::square_root(x);
  return detail::root_by_newton(x);
}

namespace detail {

template <int N>
enclosure<N> arithmetic_at_run_time<N>::sum(const enclosure<N>& x, const enclosure<N>& y) {
  return detail::sum_of(x, y);
}
template <int N>
enclosure<N> arithmetic_at_run_time<N>::product(const enclosure<N>& x, const enclosure<N>& y) {
  return detail::product_of(x, y);
}
template <int N>
enclosure<N> arithmetic_at_run_time<N>::quotient(const enclosure<N>& x, const enclosure<N>& y) {
  return detail::quotient_of(x, y);
}
template <int N>
enclosure<N> arithmetic_at_run_time<N>::square_root(const enclosure<N>& x) {
  return root_by_newton(x);
}
ROPEWALK_COMPILED_ONCE(arithmetic_at_run_time);

}  // namespace detail

}  // namespace ropewalk
