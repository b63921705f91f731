#pragma once
// By how much a rotated pair may differ from the exact a R(t) x: one constant for each promise and format,
// rounded up, second-order terms and underflow included. Derived in proofs/kernel/rotation_bound.md.

#include <algorithm>
#include <type_traits>

#include "ropewalk/config/require.hpp"
#include "ropewalk/kernel/dtype.hpp"
#include "ropewalk/kernel/promise.hpp"
#include "ropewalk/law/judge/upward.hpp"
#include "ropewalk/numeric/format.hpp"

namespace ropewalk {

/// u: half the spacing of a format's numbers in [1, 2).
template <floating_format Float>
inline constexpr double unit_roundoff = detail::power_of_two(-format<Float>::precision);
template <floating_format Float>
inline constexpr double smallest_subnormal = detail::power_of_two(format<Float>::smallest_ulp_exponent);

// First-order factors of u, each rounded up to a multiple of 2^-30.
inline constexpr double root_of_half = detail::root_up(detail::one_squared / 2);
inline constexpr double root_of_two = detail::root_up(2 * detail::one_squared);
/// The rotation's own roundings, cos and sin taken as they are: sqrt 5 (theorem 5).
inline constexpr double rounding_factor = detail::root_up(5 * detail::one_squared);
/// Roundings and a correctly rounded table, attention factor 1 (theorem 7): kappa, the root of
/// 1 + (2 + 1/sqrt 2)^2 = 11/2 + sqrt 8.
inline constexpr double unit_pair_factor =
    detail::root_up(11 * (detail::one_squared / 2) + (detail::root_count(8 * detail::one_squared) << 30));
/// The same for any attention factor, relative to it: sqrt 10 (theorem 8).
inline constexpr double scaled_pair_factor = detail::root_up(10 * detail::one_squared);

/// |error| <= relative * (the exact norm) + absolute; each function says which norm.
struct pair_bound {
  double relative = 0;
  double absolute = 0;
  friend constexpr bool operator==(const pair_bound&, const pair_bound&) = default;
};

namespace detail {

/// factor u (1 + 4u): the second-order terms of theorems 5 to 8.
template <floating_format Float>
constexpr double with_second_order(double factor) {
  return product_up(product_up(factor, unit_roundoff<Float>), 1 + 4 * unit_roundoff<Float>);
}

/// What subnormal table entries add, relative to the attention factor.
///
/// throws  std::invalid_argument where the table's format does not hold the attention factor comfortably
template <floating_format Table>
constexpr double table_underflow(double attention_factor) {
  require(attention_factor >= power_of_two(format<Table>::smallest_exponent + 3) &&
              attention_factor <= power_of_two(format<Table>::largest_exponent),
          "attention_factor", attention_factor, "8 x the smallest normal to 2^largest exponent of the table");
  return attention_factor == 1 ? 0 : quotient_up(smallest_subnormal<Table>, attention_factor);
}

/// Two underflows a component, half a smallest subnormal each.
template <floating_format Float>
inline constexpr double rotation_underflow = product_up(root_of_two, smallest_subnormal<Float>);

/// A correctly rounded table and the rotation, both in one format.
template <floating_format Float>
constexpr pair_bound rotation_bound(double attention_factor) {
  const double factor = attention_factor == 1 ? unit_pair_factor : scaled_pair_factor;
  const double relative = sum_up(with_second_order<Float>(factor), table_underflow<Float>(attention_factor));
  return {relative, rotation_underflow<Float>};
}

/// A rotation whose table is wrong by `table`, relative to the attention factor.
template <floating_format Float>
constexpr pair_bound rotation_bound_given_table(double table) {
  const double roundings = product_up(with_second_order<Float>(rounding_factor), above(1 + table));
  return {sum_up(table, roundings), rotation_underflow<Float>};
}

/// A correctly rounded binary32 table alone.
constexpr double binary32_table(double attention_factor) {
  const double rounding = with_second_order<float>(attention_factor == 1 ? root_of_half : 1);
  return sum_up(rounding, table_underflow<float>(attention_factor));
}

/// An angle formed in binary32, cos and sin of it to one ulp, times a binary32 attention factor (theorem 11).
constexpr double angle_f32_table(double attention_factor, double largest_angle) {
  const double u = unit_roundoff<float>;
  const double angle = sum_up(product_up(largest_angle, 3 * u + 4 * u * u), power_of_two(-118));
  const double chord = angle < 2 ? angle : 2;
  const double scaling = attention_factor == 1 ? 0 : 2 * u;
  const double entries = sum_up(sum_up(product_up(root_of_two, u), scaling), 4 * u * u);
  return sum_up(chord, sum_up(entries, table_underflow<float>(attention_factor)));
}

/// u / (1 + u), the largest relative error of one rounding (it is below u (1 - u + u^2)).
template <floating_format Float>
constexpr double one_rounding() {
  const double u = unit_roundoff<Float>;
  return product_up(u, sum_up(1 - u, u * u));
}

/// One more rounding, to storage; nothing where the data's format is that of the rotation.
template <floating_format Float>
constexpr pair_bound stored_bound(const pair_bound& rotated) {
  if constexpr (std::is_same_v<Float, rotation_format<Float>>) {
    return rotated;
  } else {
    const double u = unit_roundoff<Float>;
    const double rounding = product_up(one_rounding<Float>(), above(1 + rotated.relative));
    const double underflow = product_up(root_of_half, smallest_subnormal<Float>);
    return {sum_up(rotated.relative, rounding), sum_up(product_up(rotated.absolute, 1 + u), underflow)};
  }
}

// Each promise's bound; the angle is that of the largest position.

template <floating_format Float>
constexpr pair_bound accuracy_bound_of(member<promise::exact>, double, double) {
  return {one_rounding<Float>(), product_up(root_of_half, smallest_subnormal<Float>)};
}

template <floating_format Float>
constexpr pair_bound accuracy_bound_of(member<promise::canonical>, double attention_factor, double) {
  return stored_bound<Float>(rotation_bound<rotation_format<Float>>(attention_factor));
}

template <floating_format Float>
constexpr pair_bound accuracy_bound_of(member<promise::rounded_table>, double attention_factor, double) {
  if constexpr (std::is_same_v<Float, double>)
    return rotation_bound_given_table<double>(binary32_table(attention_factor));
  else
    return stored_bound<Float>(rotation_bound<rotation_format<Float>>(attention_factor));
}

template <floating_format Float>
constexpr pair_bound accuracy_bound_of(member<promise::dtype_table>, double attention_factor, double) {
  return rotation_bound<Float>(attention_factor);
}

template <floating_format Float>
constexpr pair_bound accuracy_bound_of(member<promise::angle_f32>, double attention_factor,
                                       double largest_angle) {
  const double table = angle_f32_table(attention_factor, largest_angle);
  return stored_bound<Float>(rotation_bound_given_table<rotation_format<Float>>(table));
}

}  // namespace detail

/// The largest a |x| for which the bounds of this header speak: nothing rounds to infinity on the way.
template <floating_format Float>
inline constexpr double largest_rotated_norm = (2 -
                                                16 * std::max(unit_roundoff<Float>, unit_roundoff<float>)) *
                                               detail::power_of_two(format<Float>::largest_exponent);

/// Accuracy of a rotated pair: |observed - a R(t) x| <= relative a |x| + absolute, |.| the Euclidean norm.
///
/// units   relative: none; absolute: those of the elements
/// domain  a |x| <= largest_rotated_norm<Float>; attention_factor the binary64 nearest to a;
///         |position inv_freq| <= largest_angle (promise::angle_f32 alone)
/// error   rounded up; proofs/kernel/rotation_bound.md, theorems 7 to 12
/// throws  std::invalid_argument naming attention_factor and its value
template <floating_format Float>
constexpr pair_bound accuracy_bound(promise of, double attention_factor, double largest_angle) {
  return visit_promise(
      of, [&](auto one) { return detail::accuracy_bound_of<Float>(one, attention_factor, largest_angle); });
}

/// The smallest relative bound that a kernel which knows nothing keeps: of one answer against the exact one, zeros; of two
/// answers against each other, any rotation. A bound that reaches it decides nothing.
inline constexpr double trivial_bound = 1;
inline constexpr double trivial_difference_bound = 2;

/// Two answers to one question, of two kernels: |first - second| <= relative a |x| + absolute.
constexpr pair_bound difference_bound(const pair_bound& first, const pair_bound& second) {
  return {detail::sum_up(first.relative, second.relative), detail::sum_up(first.absolute, second.absolute)};
}

/// Norm preservation: | |observed| - a |x| | <= relative a |x| + absolute.
constexpr pair_bound norm_bound(const pair_bound& accuracy) { return accuracy; }

/// Two rotations, by factors a, then b: |observed - a b R(t1 + t2) x| <= relative a b |x| + absolute.
/// A round trip is the case t2 = -t1.
constexpr pair_bound composition_bound(const pair_bound& first, const pair_bound& second,
                                       double second_factor) {
  const double growth = detail::product_up(second_factor, detail::above(1 + second.relative));
  const double carried = detail::product_up(growth, first.absolute);
  const double relative = detail::sum_up(detail::sum_up(first.relative, second.relative),
                                         detail::product_up(first.relative, second.relative));
  return {relative, detail::sum_up(carried, second.absolute)};
}

/// Relative position: the score of two rotated heads of d pairs against the exact a^2 q . R(n - m) k.
/// |error| <= relative a^2 |q||k| + absolute sqrt(d) a (|q| + |k|) + absolute^2 d
constexpr pair_bound score_bound(const pair_bound& accuracy) {
  const double rho = accuracy.relative;
  return {detail::sum_up(detail::sum_up(rho, rho), detail::product_up(rho, rho)),
          detail::product_up(accuracy.absolute, detail::above(1 + rho))};
}

/// Two scores at one distance against each other: both errors of score_bound, in the same form.
constexpr pair_bound score_difference_bound(const pair_bound& accuracy) {
  const pair_bound score = score_bound(accuracy);
  return {2 * score.relative, 2 * score.absolute};
}

}  // namespace ropewalk
