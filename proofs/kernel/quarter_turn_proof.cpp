// The final sums of quarter_turn.md, in exact rational numbers: the error budget of quarter_turn.hpp covers
// what the certificates allow, the test's own roundings, and the phase.

#include <bit>
#include <cstdint>
#include <iterator>

#include "kernel/quarter_turn.hpp"
#include "quarter_turn_budget.hpp"
#include "ropewalk/function/constants.hpp"
#include "ropewalk/numeric/rational.hpp"

namespace ropewalk::quarter_turn {
namespace quarter_turn_proof {

using exact = rational<10>;
constexpr exact one = exact::of(1);
constexpr exact u = exact::of(unit_roundoff);

// The certificates evaluate polynomials of exactly this length.
static_assert(std::size(sine) == 7 && std::size(cosine) == 7);

/// A rational upper bound of pi, above the upper end of its enclosure.
constexpr exact above_pi = exact::of(355) / exact::of(113);
consteval bool above_pi_is_above_pi() {
  return compare(enclosure<4>::of(355) / enclosure<4>::of(113), pi<4>()) == order::greater;
}
static_assert(above_pi_is_above_pi());

/// rho: the error of a computed value against the exact one at the truncated phase, relative to the exact
/// value.
constexpr exact of_the_exact = (one + exact::of(approximation)) * (one + exact::of(evaluation)) - one;
/// That error relative to the computed value.
constexpr exact of_the_value = of_the_exact / (one - of_the_exact);

/// Lower bound of the test's reach for a budget, after the roundings of e and of v - e, v + e.
constexpr exact reached(double budget) { return (one - u) * (one - u) * exact::of(budget); }

consteval bool relative_error_covers_polynomials_evaluation_and_test() {
  return compare(reached(relative_error) - u, of_the_value) >= 0;
}
static_assert(relative_error_covers_polynomials_evaluation_and_test());

/// Error of the phase: turns of 96 bits times a position of up to 2^31, and the truncation to 64 bits. In
/// radians it is relative to the rounded factor a, where A <= (1 + u) a.
constexpr exact off_turns = exact::of(0x1p-97) * exact::of(0x1p31) + exact::of(0x1p-64);
constexpr exact off_radians = (one + u) * exact::of(2) * above_pi * off_turns;

consteval bool phase_error_covers_turns_and_cut() { return compare(reached(phase_error), off_radians) >= 0; }
static_assert(phase_error_covers_turns_and_cut());

/// Error of the phase of a position in binary64, X 2^E with an integer X < 2^real_bits: turns per 2^E of 128
/// bits times X, and less than three units of 2^-64: the lowest words' product, and the lower halves of two
/// others.
constexpr exact off_real_turns =
    exact::of(0x1p-129) * exact::of(std::int64_t{1} << real_bits) + exact::of(3) * exact::of(0x1p-64);
constexpr exact off_real_radians = (one + u) * exact::of(2) * above_pi * off_real_turns;

consteval bool real_phase_error_covers_turns_and_cuts() {
  return compare(reached(real_phase_error), off_real_radians) >= 0;
}
static_assert(real_phase_error_covers_turns_and_cuts());

/// A rest in quarter turns is a multiple of a phase's unit, which only scaled turns make smaller.
static_assert(std::bit_cast<std::uint64_t>(smallest_rest) == std::uint64_t{1023 - 62 - most_real_scale}
                                                                 << 52);

/// The last bit of 2^E F, in turns, is at least one unit of a phase where m 2^e F is a multiple of 1/4 for an
/// m < 2^53: the last bit of 2^e F is at least 2^(-2 - 52), and E is e or up to real_bits - 53 below.
consteval bool exact_quarter_turns_have_exact_phases() { return -2 - 52 - (real_bits - 53) >= -64; }
static_assert(exact_quarter_turns_have_exact_phases());

/// R: the error of the product of a seed's value and a step's, relative to the exact product.
constexpr exact of_the_product = (one + of_the_exact) * (one + of_the_exact) * (one + u) - one;
/// Relative to |C| + |S| w or |S| + |C| w, which bound |P| + |Q|: the errors of the products, the rounding of
/// their sum, and that of the test's ends.
constexpr exact of_the_sum =
    (of_the_product / (one - of_the_product) + u + u * (one + u)) * (one + u) * (one + of_the_exact);
/// Lower bound of the reach for a budget, after both roundings of the bound as well.
constexpr exact reached_by_sum(double budget) { return (one - u) * (one - u) * reached(budget); }

consteval bool sum_error_covers_products_sum_and_test() {
  return compare(reached_by_sum(sum_error), of_the_sum) >= 0;
}
static_assert(sum_error_covers_products_sum_and_test());

/// The phases of a seed and of a step are each off by at most off_radians.
consteval bool sum_phase_error_covers_both_phases() {
  return compare(reached(sum_phase_error), off_radians + off_radians) >= 0;
}
static_assert(sum_phase_error_covers_both_phases());

/// A seed at a position in binary64 and a step.
consteval bool real_sum_phase_error_covers_both_phases() {
  return compare(reached(real_sum_phase_error), off_real_radians + off_radians) >= 0;
}
static_assert(real_sum_phase_error_covers_both_phases());

/// No budget has a factor of 2 to spare: with half of any budget the inequality fails.
consteval bool half_of_any_budget_is_too_little() {
  return compare(reached(relative_error / 2) - u, of_the_value) < 0 &&
         compare(reached(phase_error / 2), off_radians) < 0 &&
         compare(reached_by_sum(sum_error / 2), of_the_sum) < 0 &&
         compare(reached(sum_phase_error / 2), off_radians + off_radians) < 0 &&
         compare(reached(real_phase_error / 2), off_real_radians) < 0 &&
         compare(reached(real_sum_phase_error / 2), off_real_radians + off_radians) < 0;
}
static_assert(half_of_any_budget_is_too_little());

/// A conversion to binary32 and the two roundings of its test, relative: v each.
constexpr exact v = exact::of(0x1p-24);
consteval bool narrowed_error_covers_conversion_and_test() {
  const exact least = exact::of(3) * v + exact::of(2) * v * v;
  return compare(exact::of(double{narrowed_error}), least) > 0 &&
         compare(exact::of(double{narrowed_error} / 2), least) < 0;
}
static_assert(narrowed_error_covers_conversion_and_test());

/// Roundings of a product of two pairs of binary64, relative to the product of the high parts: of t, 2 u^2,
/// of low, 3 u^2 + 2 u^3, and the omitted product of the low parts, u^2.
constexpr exact of_a_wide_product = (exact::of(6) + exact::of(2) * u) * u * u / (one - u);
/// Low parts relative to the sum of the products' high parts: of both products together, and of their sum.
constexpr exact low_of_products = (exact::of(3) + exact::of(6) * u) * u / (one - u);
constexpr exact low_of_sum = u + low_of_products * (one + u);
constexpr exact nearly_one = one + exact::of(0x1p-40);  // covers terms of higher order
constexpr exact of_a_wide_sum = (of_a_wide_product + u * low_of_products + u * low_of_sum) * nearly_one;

/// Lower bound of a reach, after the roundings of the reach, its inputs and the inner sums.
constexpr exact reached_by_wide_sum(double budget) {
  return reached(budget) * (one - u) * (one - u) * (one - u) * (one - u);
}

/// Relative to the factor: exact points lose u^2, and every level adds a step's error and its sum's
/// roundings.
consteval exact of_a_chain() {
  exact error = u * u;
  for (int level = 0; level < wide_levels; ++level) error = exact::of(1.5) * (error + u * u) + of_a_wide_sum;
  return error;
}

consteval bool wide_sum_error_covers_a_chain_and_the_test() {
  const exact test = u * (one + u) * low_of_sum * nearly_one;
  return compare(reached_by_wide_sum(wide_sum_error), of_a_chain() + test) >= 0 &&
         compare(reached_by_wide_sum(wide_sum_error / 2), of_a_chain() + test) < 0;
}
static_assert(wide_sum_error_covers_a_chain_and_the_test());

/// The check of seeds and steps reads the exponent of their bound.
static_assert(std::bit_cast<std::uint64_t>(wide_seed_error) == std::uint64_t{1023 + wide_seed_exponent}
                                                                   << 52);

/// Each of the wide_levels + 1 exact points is off by wide_seed_error, which every level may grow by half.
consteval bool wide_least_error_covers_every_point() {
  exact error = exact::of(wide_seed_error);
  for (int level = 0; level < wide_levels; ++level)
    error = exact::of(1.5) * (error + exact::of(wide_seed_error)) * nearly_one;
  return compare(reached_by_wide_sum(wide_least_error), error) >= 0;
}
static_assert(wide_least_error_covers_every_point());

/// |v| relative_error, a phase_error and their like are exact products: the errors are powers of two, and the
/// smallest value that is not 0, a product of two sines of phases of 2^-64 turns, stays normal.
consteval bool budgets_are_exact_powers_of_two() {
  const auto is_power = [](double value) {
    return decode<double>(to_bits(value)).significand == std::uint64_t{1} << 52;
  };
  return is_power(relative_error) && is_power(phase_error) && is_power(sum_error) &&
         is_power(sum_phase_error) && is_power(real_phase_error) && is_power(wide_sum_error) &&
         is_power(wide_least_error) && smallest_factor * 0x1p-124 * relative_error >= 0x1p-1021 &&
         smallest_factor * smallest_rest * 0x1p-62 * relative_error >= 0x1p-1021 &&
         largest_factor <= 0x1p1000;
}
static_assert(budgets_are_exact_powers_of_two());

}  // namespace quarter_turn_proof
}  // namespace ropewalk::quarter_turn
