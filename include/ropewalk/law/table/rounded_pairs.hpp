#pragma once
// Pairs of a cosine and a sine, each rounded once: error bounds of their norms and of their products.

#include "ropewalk/kernel/dtype.hpp"
#include "ropewalk/law/judge/bound.hpp"
#include "ropewalk/law/judge/measurement.hpp"
#include "ropewalk/law/table/entries.hpp"
#include "ropewalk/numeric/format.hpp"
#include "ropewalk/numeric/round.hpp"

namespace ropewalk {

/// Relative error bound of the squared norm of a rounded pair: 2 u + u^2, rounded up. Subnormal entries add
/// an absolute part.
template <floating_format Float>
inline constexpr double squared_norm_bound = detail::product_up(unit_roundoff<Float>,
                                                                detail::sum_up(2, unit_roundoff<Float>));

/// squared_norm_bound of a dtype.
constexpr double squared_norm_bound_in(ropewalk_dtype dtype) {
  return with_format(dtype, []<class Float>() { return squared_norm_bound<Float>; });
}

namespace detail::rounded_pairs {

/// u and eta of a format: rounding to nearest moves an entry by at most u |entry| + eta.
template <floating_format Float, int N>
struct rounding_error {
  enclosure<N> u = times_power_of_two(enclosure<N>::of(1), -format<Float>::precision);
  enclosure<N> eta =
      times_power_of_two(enclosure<N>::of(1), format<Float>::smallest_exponent - format<Float>::precision);
};

template <int N, floating_format Float>
enclosure<N> exact(std::uint64_t bits) {
  return {exact_dyadic_of_bits<N, Float>(static_cast<bits_of<Float>>(bits)), {}};
}

template <floating_format Float>
bool is_finite_entry(const cos_sin_entry& entry) {
  return is_finite<Float>(static_cast<bits_of<Float>>(entry.cos)) &&
         is_finite<Float>(static_cast<bits_of<Float>>(entry.sin));
}

template <floating_format Float>
struct rounded_block {
  rounding<Float> cos;
  rounding<Float> sin;
  bool decided;
};

}  // namespace detail::rounded_pairs

/// Cosine and sine of the exact block block.operator()<N>(), each rounded once. At position 0 the sine is 0
/// by definition, and not rounded.
///
/// throws  undecided at the cap of Ziv's loop
template <floating_format Float, class Block>
cos_sin_entry rounded_once_of(std::int64_t position, const Block& block) {
  using rounded = detail::rounded_pairs::rounded_block<Float>;
  const rounded result = with_enough_limbs("entry", [&]<int N>() {
    const auto exact = block.template operator()<N>();
    const rounding<Float> cos = round<Float>(exact.cos), sin = round<Float>(exact.sin);
    return rounded{cos, sin, cos.decided && (position == 0 || sin.decided)};
  });
  return {result.cos.bits, position == 0 ? std::uint64_t{0} : std::uint64_t{result.sin.bits}};
}

/// Judges |c^2 + s^2 - r^2| <= (2 u + u^2) r^2 + 4 r eta + 2 eta^2, where scale.operator()<N>() is r: a
/// rounded pair lies within u r + sqrt 2 eta of the exact one.
template <floating_format Float, class Scale>
verdict judge_rounded_norm(const cos_sin_entry& entry, const Scale& scale) {
  using namespace detail::rounded_pairs;
  if (!is_finite_entry<Float>(entry)) return judge_equal(false);
  return judge(squared_norm_bound<Float>, [&]<int N>() {
    const rounding_error<Float, N> e;
    const enclosure<N> c = exact<N, Float>(entry.cos), s = exact<N, Float>(entry.sin);
    const enclosure<N> bounds = scale.template operator()<N>(), two = enclosure<N>::of(2);
    return error_and_bound<N>{
        c * c + s * s - bounds * bounds,
        (two + e.u) * e.u * bounds * bounds + two * two * bounds * e.eta + two * e.eta * e.eta};
  });
}

/// The exact product of two pairs, and the norms of both.
template <int N>
struct exact_product {
  enclosure<N> value;
  enclosure<N> first_scale;
  enclosure<N> second_scale;
};

/// Judges c c' + s s', or s c' - c s' if `across`, of two rounded pairs against the exact product,
/// want.operator()<N>() -> exact_product<N>. Each pair has the error of judge_rounded_norm.
template <floating_format Float, class Want>
verdict judge_rounded_product(const cos_sin_entry& first, const cos_sin_entry& second, bool across,
                              const Want& want) {
  using namespace detail::rounded_pairs;
  if (!is_finite_entry<Float>(first) || !is_finite_entry<Float>(second)) return judge_equal(false);
  return judge(squared_norm_bound<Float>, [&]<int N>() {
    const rounding_error<Float, N> e;
    const enclosure<N> c = exact<N, Float>(first.cos), s = exact<N, Float>(first.sin);
    const enclosure<N> other_c = exact<N, Float>(second.cos), other_s = exact<N, Float>(second.sin);
    const enclosure<N> got = across ? s * other_c - c * other_s : c * other_c + s * other_s;
    const exact_product<N> product = want.template operator()<N>();
    const enclosure<N>&a = product.first_scale, &b = product.second_scale, two = enclosure<N>::of(2);
    return error_and_bound<N>{got - product.value,
                              (two + e.u) * e.u * a * b + two * (a + b) * e.eta + two * e.eta * e.eta};
  });
}

}  // namespace ropewalk
