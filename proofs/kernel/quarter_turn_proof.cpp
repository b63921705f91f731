// The final sums of quarter_turn.md, in exact rational numbers: the error budget of quarter_turn.hpp covers
// what the certificates allow, the test's own roundings, and the phase.

#include <iterator>

#include "kernel/quarter_turn.hpp"
#include "quarter_turn_budget.hpp"
#include "ropewalk/function/constants.hpp"
#include "ropewalk/numeric/rational.hpp"

namespace ropewalk::quarter_turn {
namespace {

using exact = rational<4>;
constexpr exact one = exact::of(1);
constexpr exact u = exact::of(unit_roundoff);

// The certificates evaluate polynomials of this length and no other.
static_assert(std::size(sine) == 7 && std::size(cosine) == 7);

/// A rational number not below pi: 355 / 113, above the enclosure's upper end.
constexpr exact above_pi = exact::of(355) / exact::of(113);
consteval bool above_pi_is_above_pi() {
  return compare(enclosure<4>::of(355) / enclosure<4>::of(113), pi<4>()) == order::greater;
}
static_assert(above_pi_is_above_pi());

/// A computed value against the exact one of its cut phase, relative to the exact one: rho.
constexpr exact of_the_exact_value() {
  return (one + exact::of(approximation)) * (one + exact::of(evaluation)) - one;
}

/// What the test reaches, relative to |v|, after the roundings of v e + h and of v - e, v + e.
constexpr exact reached(double budget) { return (one - u) * (one - u) * exact::of(budget); }

consteval bool relative_error_covers_polynomials_evaluation_and_test() {
  const exact rho = of_the_exact_value();
  return compare(reached(relative_error) - u, rho / (one - rho)) >= 0;
}
static_assert(relative_error_covers_polynomials_evaluation_and_test());

/// Turns that have 96 bits, times a position of up to 2^31, and the cut to 64 bits.
constexpr exact phase_off_turns = exact::of(0x1p-97) * exact::of(0x1p31) + exact::of(0x1p-64);

consteval bool phase_error_covers_turns_and_cut() {
  const exact radians = exact::of(2) * above_pi * phase_off_turns;
  return compare(reached(phase_error), (one + u) * radians) >= 0;
}
static_assert(phase_error_covers_turns_and_cut());

/// The budgets are not idle: with half of either the sums fail.
consteval bool half_of_either_budget_is_too_little() {
  const exact rho = of_the_exact_value(), radians = exact::of(2) * above_pi * phase_off_turns;
  return compare(reached(relative_error / 2) - u, rho / (one - rho)) < 0 &&
         compare(reached(phase_error / 2), (one + u) * radians) < 0;
}
static_assert(half_of_either_budget_is_too_little());

/// |v| relative_error and a phase_error are exact products: both errors are powers of two, and the smallest
/// value that is not 0, that of a phase of 2^-64 turns, stays normal.
consteval bool budgets_are_exact_powers_of_two() {
  const auto is_power = [](double value) {
    return decode<double>(to_bits(value)).significand == std::uint64_t{1} << 52;
  };
  return is_power(relative_error) && is_power(phase_error) &&
         smallest_factor * 0x1p-62 * relative_error >= 0x1p-1021 && largest_factor <= 0x1p1000;
}
static_assert(budgets_are_exact_powers_of_two());

}  // namespace
}  // namespace ropewalk::quarter_turn
