#pragma once
// Bounds on the error of a rotated pair against the exact a R(t) x, composed from the parts of a promise,
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
/// The rotation's own roundings, with cos and sin as given: sqrt 5 (theorem 5).
inline constexpr double rounding_factor = detail::root_up(5 * detail::one_squared);
/// The rotation's roundings and those of a correctly rounded table, for attention factor 1 (theorem 7):
/// kappa, the square root of 1 + (2 + 1/sqrt 2)^2 = 11/2 + sqrt 8.
inline constexpr double unit_pair_factor =
    detail::root_up(11 * (detail::one_squared / 2) + (detail::root_count(8 * detail::one_squared) << 30));
/// The same for any attention factor, relative to it: sqrt 10 (theorem 8).
inline constexpr double scaled_pair_factor = detail::root_up(10 * detail::one_squared);

/// Error of the norm alone, in units of u, for binary32 and binary64 (theorem 14): for attention factor 1,
/// and for any factor. Second-order terms are included.
inline constexpr double unit_norm_factor = 2.7894;
inline constexpr double scaled_norm_factor = 3.1211;

/// |error| <= relative * (the exact norm) + absolute; each function says which norm.
struct pair_bound {
  double relative = 0;
  double absolute = 0;
  friend constexpr bool operator==(const pair_bound&, const pair_bound&) = default;
};

namespace detail {

/// The parameters of a format that bounds depend on.
struct rounding_format {
  double u = 0;                   // unit roundoff
  double smallest_subnormal = 0;  // eta
  int precision = 0;
  int smallest_exponent = 0;  // of normal numbers
  int largest_exponent = 0;

  friend constexpr bool operator==(const rounding_format&, const rounding_format&) = default;
};

template <floating_format Float>
inline constexpr rounding_format rounding_to{unit_roundoff<Float>, smallest_subnormal<Float>,
                                             format<Float>::precision, format<Float>::smallest_exponent,
                                             format<Float>::largest_exponent};

/// Whether every number of the narrow format is a number of the wide one.
constexpr bool holds_numbers_of(const rounding_format& wide, const rounding_format& narrow) {
  return wide.precision >= narrow.precision && wide.largest_exponent >= narrow.largest_exponent &&
         wide.smallest_subnormal <= narrow.smallest_subnormal;
}

/// The format that a part of a promise names, for data of a given format.
///
/// domain  part is not ROPEWALK_UNROUNDED
constexpr rounding_format format_of(ropewalk_part part, const rounding_format& data) {
  const rounding_format named[] = {data, rounding_to<double>, rounding_to<float>, rounding_to<bfloat16>,
                                   data, rounding_to<float>};
  return named[part];
}

/// The format of products and sums: binary64 data is computed in binary64 where the part names binary32.
constexpr rounding_format work_format_of(ropewalk_part part, const rounding_format& data) {
  const rounding_format named = format_of(part, data);
  return data == rounding_to<double> && named == rounding_to<float> ? data : named;
}

/// factor u (1 + 4u): the second-order terms of theorems 5 to 8.
constexpr double with_second_order(double factor, const rounding_format& in) {
  return product_up(product_up(factor, in.u), 1 + 4 * in.u);
}

/// Error that subnormal table entries add, relative to the attention factor.
///
/// throws  std::invalid_argument where the attention factor is below 8 times the smallest normal number of
///         the table's format or above its largest power of two
constexpr double table_underflow(double attention_factor, const rounding_format& table) {
  require(attention_factor >= power_of_two(table.smallest_exponent + 3) &&
              attention_factor <= power_of_two(table.largest_exponent),
          "attention_factor", attention_factor, "8 x the smallest normal to 2^largest exponent of the table");
  return attention_factor == 1 ? 0 : quotient_up(table.smallest_subnormal, attention_factor);
}

/// Error that underflow adds to a rotated pair: in each component two products, each off by at most half the
/// smallest subnormal.
constexpr double rotation_underflow(const rounding_format& in) {
  return product_up(root_of_two, in.smallest_subnormal);
}

/// The quantity of a rotated pair that is bounded: the error of the pair, or of its norm alone.
enum class quantity { pair, norm };

/// Bound of a rotation and its correctly rounded table, both in one format (theorems 7 and 8; norm: 14).
constexpr pair_bound rotation_bound(quantity kind, double attention_factor, const rounding_format& in) {
  const bool is_unit = attention_factor == 1;
  const bool has_own_norm = kind == quantity::norm && in.u <= unit_roundoff<float>;
  const double relative = has_own_norm
                              ? product_up(is_unit ? unit_norm_factor : scaled_norm_factor, in.u)
                              : with_second_order(is_unit ? unit_pair_factor : scaled_pair_factor, in);
  return {sum_up(relative, table_underflow(attention_factor, in)), rotation_underflow(in)};
}

/// Bound of a rotation with table entries of error `table`, relative to the attention factor (theorem 9).
constexpr pair_bound rotation_bound_given_table(double table, const rounding_format& in) {
  const double roundings = product_up(with_second_order(rounding_factor, in), above(1 + table));
  return {sum_up(table, roundings), rotation_underflow(in)};
}

/// Error of a number formed in the format of a part; 0 if the part is unrounded. The theorems count roundings
/// in units of u; `in_binary32` is their bound in binary32.
constexpr double formed_error(ropewalk_part part, double in_binary32) {
  if (part == ROPEWALK_UNROUNDED) return 0;
  if (part == ROPEWALK_PART_F32 || part == ROPEWALK_PART_REPEATED_F32) return in_binary32;
  return product_up(in_binary32, format_of(part, {}).u / unit_roundoff<float>);
}

/// The part that gives the format of a table's coordinates.
constexpr ropewalk_part coordinate_part(const promise& promised) {
  return promised.coordinate == ROPEWALK_UNROUNDED ? promised.frequency : promised.coordinate;
}

/// The format of frequencies that a kernel forms.
///
/// domain  the promise lets a kernel form them
constexpr rounding_format frequency_format(const promise& promised) {
  return format_of(promised.frequency, {});
}

/// Error of an angle whose frequency, position and product are rounded (theorem 11).
///
/// units   radians
/// domain  positions of binary64 up to 2^31 in magnitude, frequencies up to 2^30
constexpr double angle_error(const promise& promised, double largest_angle, double frequency_error) {
  const double formed = formed_error(promised.frequency, frequency_error);
  if (promised.angle == ROPEWALK_UNROUNDED) return product_up(largest_angle, formed);
  const rounding_format in = format_of(promised.angle, {});
  const bool rounds_frequency =
      promised.frequency == ROPEWALK_UNROUNDED || !holds_numbers_of(in, frequency_format(promised));
  const bool rounds_position = !holds_numbers_of(in, rounding_to<double>);
  const int roundings = 1 + (rounds_frequency ? 1 : 0) + (rounds_position ? 1 : 0);
  const double relative =
      sum_up(product_up(formed, above(1 + 4 * in.u)), sum_up(roundings * in.u, 4 * in.u * in.u));
  // Underflow of the frequency, times 2^31; of the position, times 2^30; and of the product.
  return sum_up(product_up(largest_angle, relative), product_up(in.smallest_subnormal, power_of_two(31)));
}

/// Roundings of an attention factor that is formed in binary64, in units of u, higher orders included
/// (theorem 19).
inline constexpr int formed_factor_roundings = 14;

/// Error of table entries computed from an angle that is off by `angle`, relative to the attention factor
/// (theorems 11 and 19): cosine and sine to one ulp, then multiplied by that factor. The kernel forms the
/// factor itself if it forms frequencies in binary64.
constexpr double entries_of_angle(const promise& promised, double attention_factor, double angle) {
  const double chord = angle < 2 ? angle : 2;
  if (promised.angle == ROPEWALK_UNROUNDED) return chord;
  const rounding_format in = format_of(promised.angle, {});
  const int roundings = 1 + (promised.frequency == ROPEWALK_PART_F64 ? formed_factor_roundings : 1);
  const double scaling = attention_factor == 1 ? 0 : roundings * in.u;
  const double entries = sum_up(sum_up(product_up(root_of_two, in.u), scaling), 4 * in.u * in.u);
  return sum_up(chord, sum_up(entries, table_underflow(attention_factor, in)));
}

/// Error of table entries with the error `table` after one more rounding (theorem 13). `source_u` is the unit
/// roundoff of their previous format; 0 if they are exact.
constexpr double rounded_entries(double table, double source_u, double attention_factor,
                                 const rounding_format& in) {
  const bool is_within_one = attention_factor == 1 && 2 * source_u <= in.u;
  const double factor = is_within_one ? root_of_half : above(1 + table);
  return sum_up(sum_up(table, with_second_order(factor, in)), table_underflow(attention_factor, in));
}

/// Upper bound of u / (1 + u), the largest relative error of one rounding: u (1 - u + u^2).
constexpr double one_rounding(const rounding_format& in) {
  return product_up(in.u, sum_up(1 - in.u, in.u * in.u));
}

/// Bound after one more rounding, to the format of storage.
constexpr pair_bound stored_bound(const pair_bound& rotated, const rounding_format& data) {
  const double rounded = product_up(one_rounding(data), above(1 + rotated.relative));
  const double underflow = product_up(root_of_half, data.smallest_subnormal);
  return {sum_up(rotated.relative, rounded), sum_up(product_up(rotated.absolute, 1 + data.u), underflow)};
}

/// Bound after storing: unchanged where the rotation's format is the data's.
constexpr pair_bound stored_from(const pair_bound& rotated, const rounding_format& work,
                                 const rounding_format& data) {
  return work == data ? rotated : stored_bound(rotated, data);
}

/// Table entries as they pass from their angle through one format after another.
struct formed_entries {
  double attention_factor = 1;
  double error = 0;          // relative to the attention factor
  rounding_format source{};  // format of the entries so far; precision 0 while they are exact
  int roundings = 0;

  /// Rounds to a format, unless it represents the entries already.
  constexpr void round_to(const rounding_format& in) {
    if (source.precision != 0 && holds_numbers_of(in, source)) return;
    error = rounded_entries(error, source.u, attention_factor, in);
    source = in;
    ++roundings;
  }
};

constexpr bool has_exact_angle(const promise& promised) {
  return promised.angle == ROPEWALK_UNROUNDED && promised.frequency == ROPEWALK_UNROUNDED;
}

/// Entries as a promise stores them in a table, from an angle that is off by `angle`.
constexpr formed_entries kept_entries(const promise& promised, const rounding_format& data,
                                      double attention_factor, double angle) {
  formed_entries entries{attention_factor};
  if (!has_exact_angle(promised)) entries.error = entries_of_angle(promised, attention_factor, angle);
  if (promised.angle != ROPEWALK_UNROUNDED) entries.source = format_of(promised.angle, data);
  if (promised.table != ROPEWALK_UNROUNDED) entries.round_to(format_of(promised.table, data));
  return entries;
}

/// Bound of a promise that bounds its parts, composed in the order of the computation: angle, entries as
/// stored, entries as the rotation reads them, rotation, storage.
constexpr pair_bound bound_of_parts(quantity what, const promise& promised, const rounding_format& data,
                                    double attention_factor, double largest_angle, double frequency_error) {
  formed_entries entries =
      kept_entries(promised, data, attention_factor, angle_error(promised, largest_angle, frequency_error));
  if (promised.rotation == ROPEWALK_UNROUNDED) return stored_bound({entries.error, 0}, data);
  const rounding_format work = work_format_of(promised.rotation, data);
  entries.round_to(work);
  const bool is_correctly_rounded =
      has_exact_angle(promised) && entries.roundings == 1 && entries.source == work;
  return stored_from(is_correctly_rounded ? rotation_bound(what, attention_factor, work)
                                          : rotation_bound_given_table(entries.error, work),
                     work, data);
}

/// Bound of any promise.
template <floating_format Float>
constexpr pair_bound bound_of(quantity what, const promise& promised, double attention_factor,
                              double largest_angle, double frequency_error) {
  constexpr rounding_format data = rounding_to<Float>;
  constexpr rounding_format work = rounding_to<rotation_format<Float>>;
  if (promised.bits == ROPEWALK_EXACT)
    return {one_rounding(data), product_up(root_of_half, data.smallest_subnormal)};
  if (promised.bits == ROPEWALK_CANONICAL)
    return stored_from(rotation_bound(what, attention_factor, work), work, data);
  return bound_of_parts(what, promised, data, attention_factor, largest_angle, frequency_error);
}

}  // namespace detail

/// The largest a |x| in the domain of these bounds: no intermediate overflows, even where a table or an angle
/// is rounded to bfloat16, the coarsest format (proofs/kernel/rotation_bound.md, lemma 2).
template <floating_format Float>
inline constexpr double largest_rotated_norm = detail::power_of_two(format<Float>::largest_exponent) *
                                               (2 - 16 * unit_roundoff<bfloat16>);

/// Accuracy of a rotated pair: |observed - a R(t) x| <= relative a |x| + absolute, |.| the Euclidean norm.
///
/// units   relative: none; absolute: those of the elements
/// domain  a |x| <= largest_rotated_norm<Float>; attention_factor the binary64 nearest to a;
///         |position inv_freq| <= largest_angle, where an angle is rounded; frequency_error the relative
///         error of a frequency that is formed in binary32 (formed_frequency_error), whatever the promise
/// error   rounded up; proofs/kernel/rotation_bound.md, theorems 7 to 13
/// throws  std::invalid_argument naming attention_factor and its value
template <floating_format Float>
constexpr pair_bound accuracy_bound(const promise& promised, double attention_factor, double largest_angle,
                                    double frequency_error = 0) {
  return detail::bound_of<Float>(detail::quantity::pair, promised, attention_factor, largest_angle,
                                 frequency_error);
}

/// Smallest relative bound that decides nothing: an output of zeros is within 1 of the exact value. The
/// results of any two rotations are within 2 of each other.
inline constexpr double trivial_bound = 1;
inline constexpr double trivial_difference_bound = 2;

/// Bound on the difference of two results that should be equal, each within the accuracy bound.
constexpr pair_bound agreement_bound(const pair_bound& accuracy) {
  return {2 * accuracy.relative, 2 * accuracy.absolute};
}

/// Difference of two kernels' results of one call: |first - second| <= relative a |x| + absolute.
constexpr pair_bound difference_bound(const pair_bound& first, const pair_bound& second) {
  return {detail::sum_up(first.relative, second.relative), detail::sum_up(first.absolute, second.absolute)};
}

/// Norm preservation: | |observed| - a |x| | <= relative a |x| + absolute. An error of the angle does not
/// change the norm, so this bound does not grow with the position. Domain and throws as `accuracy_bound`.
///
/// error   rounded up; proofs/kernel/rotation_bound.md, theorem 14 and section 6
template <floating_format Float>
constexpr pair_bound norm_bound(const promise& promised, double attention_factor) {
  return detail::bound_of<Float>(detail::quantity::norm, promised, attention_factor, 0, 0);
}

/// Two rotations in sequence, with attention factors a and b:
/// |observed - a b R(t1 + t2) x| <= relative a b |x| + absolute.
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

/// Difference of two scores at one distance: twice score_bound, in the same form.
constexpr pair_bound score_difference_bound(const pair_bound& accuracy) {
  const pair_bound score = score_bound(accuracy);
  return {2 * score.relative, 2 * score.absolute};
}

}  // namespace ropewalk
