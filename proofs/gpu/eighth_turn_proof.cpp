// The sums of eighth_turn.md, in exact rational numbers: the error constants of the rounding tests in
// turn.glsl and real_turn.glsl cover the errors of the polynomials, the integer arithmetic, the factor and
// the phase.

#include "eighth_turn_budget.hpp"
#include "gpu/eighth_turn.hpp"
#include "ropewalk/numeric/rational.hpp"

namespace ropewalk::eighth_turn {
namespace eighth_turn_proof {

using exact = rational<8>;
constexpr exact one = exact::of(1);
constexpr exact number(double value) { return exact::of(value); }
constexpr exact two_to(int exponent) {
  return number(from_bits<double>(static_cast<std::uint64_t>(1023 + exponent) << 52));
}
constexpr exact sum(std::initializer_list<exact> terms) {
  exact sum = exact::of(0);
  for (const exact& term : terms) sum = sum + term;
  return sum;
}

constexpr exact unit = number(0x1p-64);                    // the last place of two words
constexpr exact square_cut = exact::of(5) * unit;          // w minus W, its two words
constexpr exact short_cut = number(0x1p-32) + square_cut;  // w minus W', its upper word
constexpr exact product_cut = exact::of(3) * unit;         // a product minus that of multiply64
constexpr exact least = exact::of(7) / exact::of(10);      // below cos(y pi / 4) and sin(y pi / 4) / y

constexpr exact coefficient(std::uint64_t bits, double last_place) {
  return (number(static_cast<double>(bits >> 32)) * number(0x1p32) +
          number(static_cast<double>(bits & 0xffffffff))) *
         number(last_place);
}

// Errors of the steps of Horner's rule, from the innermost: each is the sum of the floors after a shift, the
// floor of the product, the truncation of w times the coefficient, and w <= 1 times the error of the step
// before.
constexpr exact sine_4 = sum({number(0x1p-53), number(0x1p-60), coefficient(sine[5], 0x1p-60) * short_cut});
constexpr exact sine_3 =
    sum({number(0x1p-46), number(0x1p-53), coefficient(sine[4], 0x1p-53) * short_cut, sine_4});
constexpr exact sine_2 = sum({unit, coefficient(sine[3], 0x1p-46) * short_cut, sine_3});
constexpr exact sine_1 = sum({product_cut, coefficient(sine[2], 0x1p-64) * square_cut, sine_2});
constexpr exact sine_0 = sum({product_cut, coefficient(sine[1], 0x1p-64) * square_cut, sine_1});

constexpr exact cosine_5 = sum({number(0x1p-56), unit, coefficient(cosine[6], 0x1p-64) * short_cut});
constexpr exact cosine_4 =
    sum({number(0x1p-49), number(0x1p-56), coefficient(cosine[5], 0x1p-56) * short_cut, cosine_5});
constexpr exact cosine_3 = sum({unit, coefficient(cosine[4], 0x1p-49) * short_cut, cosine_4});
constexpr exact cosine_2 = sum({product_cut, coefficient(cosine[3], 0x1p-64) * square_cut, cosine_3});
constexpr exact cosine_1 = sum({product_cut, coefficient(cosine[2], 0x1p-64) * square_cut, cosine_2});
constexpr exact cosine_0 = sum({product_cut, coefficient(cosine[1], 0x1p-64) * square_cut, cosine_1, unit});

/// Relative error of the factor's two words and of the product with it, which is at least 1/4.
constexpr exact of_factor = exact::of(2) * unit + exact::of(4) * product_cut;
/// Relative error of the phase: 2^-129 turns per row, 2^-94 eighths in all, of at least 2^-places / 2
/// eighths.
constexpr exact of_phase(int places) {
  exact result = number(0x1p-93);
  for (int i = 0; i < places; ++i) result = result * exact::of(2);
  return result;
}

constexpr exact of_sine = sum({number(sine_approximation) * exact::of(2), sine_0 / least, exact::of(2) * unit,
                               product_cut / (least / exact::of(2)), of_factor, of_phase(fast_places)});
constexpr exact of_cosine =
    sum({number(cosine_approximation) / least, cosine_0 / least, of_factor, of_phase(0)});

/// Products of these errors with each other are below 2^-20 of their sum.
constexpr bool is_covered(const exact& relative, const exact& budget) {
  return compare(relative * (one + number(0x1p-20)), budget) <= 0;
}

consteval bool fast_error_covers_sine_and_cosine() {
  const exact budget = number(static_cast<double>(fast_error)) * unit;
  return is_covered(of_sine, budget) && is_covered(of_cosine, budget);
}
static_assert(fast_error_covers_sine_and_cosine());

consteval bool half_of_the_fast_error_is_too_little() {
  return !is_covered(of_sine, number(static_cast<double>(fast_error / 2)) * unit);
}
static_assert(half_of_the_fast_error_is_too_little());

/// Twice (4/5)^power / power!: an upper bound of the series' remainder, since pi / 4 is below 4/5.
constexpr exact left_out(int power) {
  exact left = one;
  for (int k = 1; k <= power; ++k) left = left * (exact::of(4) / exact::of(5 * k));
  return exact::of(2) * left;  // the later terms sum to less than the first
}

/// In units of 2^-128: at most fourteen steps, each of which truncates a coefficient, a square and a product
/// by a unit, and two units each for the products with y and with the factor, relative to numbers of at least
/// 1/8.
constexpr exact of_words = exact::of(14 * 3 + 2 * 8 * 2) * number(0x1p-128);

consteval bool slow_error_covers_series_and_words() {
  const exact budget = number(static_cast<double>(slow_error)) * number(0x1p-96);
  return is_covered((left_out(2 * sine_terms + 1) + of_words) / (least / exact::of(2)), budget) &&
         is_covered((left_out(2 * cosine_terms) + of_words) / least, budget);
}
static_assert(slow_error_covers_series_and_words());

/// The slow test adds 8 units of 2^-96, times 2^places, for the phase.
consteval bool slow_phase_is_covered() {
  return compare(of_phase(slow_places), number(8) * number(0x1p45) * number(0x1p-96)) <= 0 &&
         slow_places == 45;
}
static_assert(slow_phase_is_covered());

/// The error of y of a position in binary64: the cut of the window, times the significand; the error of the
/// turns' 256 bits; and the unit by which y = 1 is replaced. For a whole position the error is 2^-94.
consteval bool real_phase_is_covered() {
  const exact most = two_to(position_bits) - one;
  const exact cut = most * two_to(-192), of_turns = most * two_to(most_dropped - 257);
  return compare(two_to(3) * (cut + of_turns) + two_to(-192), two_to(-94 - real_places)) <= 0;
}
static_assert(real_phase_is_covered());

/// In addition to the errors of a whole position: the cut of y to 128 bits from its leading one on, and that
/// of y in the polynomials, which are at least 1/4.
consteval bool slow_error_covers_real_positions() {
  const exact budget = number(static_cast<double>(slow_error)) * number(0x1p-96);
  const exact cut = number(0x1p-127) + number(0x1p-126);
  return is_covered((left_out(2 * sine_terms + 1) + of_words) / (least / exact::of(2)) + cut, budget) &&
         is_covered((left_out(2 * cosine_terms) + of_words) / least + cut, budget);
}
static_assert(slow_error_covers_real_positions());

/// A slope and its product have a relative error of 2^-128; the test reads the 96 highest bits of the
/// product.
consteval bool slope_error_covers_slope_and_cut() {
  return is_covered(number(0x1p-128) + number(0x1p-96),
                    number(static_cast<double>(slope_error)) * number(0x1p-96));
}
static_assert(slope_error_covers_slope_and_cut());

}  // namespace eighth_turn_proof
}  // namespace ropewalk::eighth_turn
