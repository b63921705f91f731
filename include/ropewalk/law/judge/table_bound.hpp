#pragma once
// Bounds on the entries of a table of cosines and sines against the exact ones, from the parts of a promise
// that a table has: frequency, angle, and table, which is `entry` for sinusoids. Derived in
// proofs/kernel/rotation_bound.md.

#include "ropewalk/law/judge/bound.hpp"

namespace ropewalk {

namespace detail {

/// Error of entries as a file stores them, relative to the attention factor.
template <floating_format Stored>
constexpr double stored_entries(const promise& promised, double attention_factor, double angle) {
  constexpr rounding_format stored = rounding_to<Stored>;
  formed_entries entries = kept_entries(promised, stored, attention_factor, angle);
  entries.round_to(stored);
  return entries.error;
}

/// Error of the angle scale x row x frequency, whose numbers and products are rounded (theorem 15). A row may
/// be any binary64 number; a scale of 1 multiplies nothing.
///
/// units   radians
constexpr double sinusoid_angle_error(const promise& promised, double scale, double largest_angle,
                                      double frequency_error) {
  if (scale == 1 || promised.angle == ROPEWALK_UNROUNDED)
    return angle_error(promised, largest_angle, frequency_error);
  const double scaled = angle_error(promised, largest_angle, frequency_error);
  const rounding_format in = format_of(promised.angle, {});
  // (1 + angle)(1 + u)^2: the scale's own rounding, and that of its product.
  const double roundings = sum_up(2 * in.u, 4 * in.u * in.u);
  const double relative = product_up(roundings, above(largest_angle + scaled));
  const double underflow = product_up(product_up(in.smallest_subnormal, power_of_two(33)), above(1 + scale));
  return sum_up(sum_up(scaled, relative), underflow);
}

}  // namespace detail

/// Error of the entries (cos, sin) of a pair in a table that is stored in a format:
/// |observed - a (cos t, sin t)| <= relative a + absolute.
///
/// units   none
/// domain  attention_factor, largest_angle and frequency_error as for accuracy_bound; a promise of parts;
///         coordinate_error in radians, of a coordinate formed in binary32
/// error   rounded up; proofs/kernel/rotation_bound.md, theorems 11, 13 and 18, and "Tables"
/// throws  std::invalid_argument naming attention_factor and its value
template <floating_format Stored>
constexpr pair_bound table_bound(const promise& promised, double attention_factor, double largest_angle,
                                 double frequency_error = 0, double coordinate_error = 0) {
  const double coordinates = detail::formed_error(detail::coordinate_part(promised), coordinate_error);
  const double angle = detail::angle_error(promised, largest_angle, frequency_error);
  return {detail::stored_entries<Stored>(promised, attention_factor, detail::sum_up(angle, coordinates)), 0};
}

/// Error of the entries (cos, sin) of a pair in a table of sinusoids that is stored in a format:
/// |observed - (cos t, sin t)| is at most this. The angle t is scale x row x frequency, in any order.
///
/// units   none
/// domain  |row| <= 2^31, |t| <= largest_angle, scale as `validate(sinusoidal)` allows; frequency_error of
///         base^(-pair / n) as formed; a promise of parts
/// error   rounded up; proofs/kernel/rotation_bound.md, theorems 13 and 15
template <floating_format Stored>
constexpr double sinusoid_bound(const promise& promised, double scale, double largest_angle,
                                double frequency_error = 0) {
  return detail::stored_entries<Stored>(
      promised, 1, detail::sinusoid_angle_error(promised, scale, largest_angle, frequency_error));
}

/// Error of a stored inverse frequency: |observed - inv_freq| <= relative inv_freq + absolute.
///
/// domain  frequency_error of formed_frequency_error; it is used if the promise forms frequencies
/// error   rounded up; proofs/kernel/rotation_bound.md, theorem 12, and "Tables"
template <floating_format Stored>
constexpr pair_bound frequency_bound(const promise& promised, double frequency_error) {
  constexpr detail::rounding_format stored = detail::rounding_to<Stored>;
  double relative = detail::formed_error(promised.frequency, frequency_error);
  const bool is_held = promised.frequency != ROPEWALK_UNROUNDED &&
                       detail::holds_numbers_of(stored, detail::frequency_format(promised));
  if (!is_held)
    relative = detail::sum_up(relative, detail::product_up(stored.u, detail::above(1 + relative)));
  return {relative, is_held ? 0 : detail::product_up(0.5, stored.smallest_subnormal)};
}

}  // namespace ropewalk
