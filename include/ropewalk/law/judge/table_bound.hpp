#pragma once
// Bounds on the entries of a rotary table against the exact ones, from the parts of a promise that a table
// has: frequency, angle, table. Derived in proofs/kernel/rotation_bound.md.

#include "ropewalk/law/judge/bound.hpp"

namespace ropewalk {

/// Error of the entries (cos, sin) of a pair in a table that is stored in a format:
/// |observed - a (cos t, sin t)| <= relative a + absolute.
///
/// units   none
/// domain  attention_factor, largest_angle and frequency_error as accuracy_bound has them; a promise of parts
/// error   rounded up; proofs/kernel/rotation_bound.md, theorems 11 and 13, and "Tables"
/// throws  std::invalid_argument naming attention_factor and its value
template <floating_format Stored>
constexpr pair_bound table_bound(const promise& of, double attention_factor, double largest_angle,
                                 double frequency_error = 0) {
  constexpr detail::rounding_format stored = detail::rounding_to<Stored>;
  detail::formed_entries entries =
      detail::kept_entries(of, stored, attention_factor, largest_angle, frequency_error);
  entries.round_to(stored);
  return {entries.error, 0};
}

/// Error of a stored inverse frequency: |observed - inv_freq| <= relative inv_freq + absolute.
///
/// domain  frequency_error as formed_frequency_error has it; it counts where the promise forms frequencies
/// error   rounded up; proofs/kernel/rotation_bound.md, theorem 12, and "Tables"
template <floating_format Stored>
constexpr pair_bound frequency_bound(const promise& of, double frequency_error) {
  constexpr detail::rounding_format stored = detail::rounding_to<Stored>;
  double relative = of.frequency == ROPEWALK_UNROUNDED ? 0 : frequency_error;
  const bool is_held =
      of.frequency != ROPEWALK_UNROUNDED && detail::holds_numbers_of(stored, detail::rounding_to<float>);
  if (!is_held)
    relative = detail::sum_up(relative, detail::product_up(stored.u, detail::above(1 + relative)));
  return {relative, is_held ? 0 : detail::product_up(0.5, stored.smallest_subnormal)};
}

}  // namespace ropewalk
