#pragma once
// Cosines and sines of real positions by MPFR, for frequencies that are powers: base^exponent radians, turns
// or quarter turns per unit of the position. Phases are reduced in turns, so that exact quarter turns are
// named.

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <vector>

#include "oracle/mpfr_number.hpp"
#include "oracle/rope_oracle.hpp"
#include "oracle/rounding.hpp"

namespace ropewalk::oracle {

enum class turned_unit { radian, turn, quarter_turn };

/// base^(numerator / denominator) units per unit of the position; base 0: the pair stands still.
struct power_frequency {
  double base = 0;
  long numerator = 0;
  long denominator = 1;
  turned_unit unit = turned_unit::radian;

  bool stands_still() const { return base == 0; }
  /// Whether few bits hold it in turns: a power of two, or a whole power.
  bool is_exact() const {
    int exponent = 0;
    const bool is_dyadic =
        numerator == 0 || (denominator == 1 && (numerator == 1 || std::frexp(base, &exponent) == 0.5));
    return unit != turned_unit::radian && is_dyadic;
  }

  /// Turns per unit of the position, within 2^(4 - bits) of itself; exact if is_exact.
  mpfr_number turns(mpfr_prec_t bits) const {
    const mpfr_prec_t more = bits + 48;
    mpfr_number value(more), power(more), pi(more);
    if (stands_still()) return mpfr_number(bits, 0);
    mpfr_set_si(power, numerator, MPFR_RNDN);
    mpfr_div_si(power, power, denominator, MPFR_RNDN);
    mpfr_set_d(value, base, MPFR_RNDN);
    mpfr_pow(value, value, power, MPFR_RNDN);
    if (unit == turned_unit::quarter_turn) mpfr_div_2ui(value, value, 2, MPFR_RNDN);
    if (unit == turned_unit::radian) {
      mpfr_const_pi(pi, MPFR_RNDN);
      mpfr_div(value, value, pi, MPFR_RNDN);
      mpfr_div_2ui(value, value, 1, MPFR_RNDN);
    }
    mpfr_number turns(bits);
    mpfr_set(turns, value, MPFR_RNDN);
    return turns;
  }
};

class turns_oracle {
 public:
  /// throws  std::runtime_error when 16384 bits do not decide a rounding
  static rope_oracle::entry at(double position, const power_frequency& frequency, double factor = 1) {
    const bracket named{mpfr_number(53, factor), mpfr_number(53, factor)};
    if (position == 0 || frequency.stands_still()) return {*round_to_all(named), {}};
    for (mpfr_prec_t bits = 160; bits <= 16384; bits *= 2)
      if (const auto decided = try_at(position, frequency, factor, bits)) return *decided;
    throw std::runtime_error("oracle: an entry is undecided");
  }

 private:
  static std::optional<rope_oracle::entry> try_at(double position, const power_frequency& frequency,
                                                  double factor, mpfr_prec_t bits) {
    const mpfr_prec_t whole = 64 + std::max<mpfr_prec_t>(0, 32 + mpfr_get_exp(frequency.turns(64)));
    const mpfr_prec_t precise = bits + whole;
    const mpfr_number where(53, position);
    mpfr_number quarters(precise + 64), nearest(precise + 64), angle(bits), pi(bits), cos(bits), sin(bits);
    mpfr_mul(quarters, frequency.turns(precise), where, MPFR_RNDN);  // exact
    mpfr_mul_2ui(quarters, quarters, 2, MPFR_RNDN);
    mpfr_rint(nearest, quarters, MPFR_RNDN);
    const long quarter = quarter_of(nearest);
    const mpfr_exp_t quarters_error = mpfr_get_exp(quarters) + 5 - precise;
    mpfr_sub(quarters, quarters, nearest, MPFR_RNDN);  // exact
    if (mpfr_zero_p(quarters) != 0) {
      if (!frequency.is_exact()) return std::nullopt;
      return at_quarter(quarter, factor);
    }
    mpfr_const_pi(pi, MPFR_RNDN);
    mpfr_mul(angle, quarters, pi, MPFR_RNDN);
    mpfr_div_2ui(angle, angle, 1, MPFR_RNDN);
    mpfr_sin_cos(sin, cos, angle, MPFR_RNDN);
    const mpfr_exp_t error = std::max(frequency.is_exact() ? mpfr_get_exp(angle) - bits : quarters_error,
                                      mpfr_get_exp(angle) - bits) +
                             4;
    const mpfr_exp_t cos_error = std::max<mpfr_exp_t>(error, 4 - bits);
    const auto as_cos = quarter % 2 == 0 ? scaled(cos, cos_error, quarter == 2, factor)
                                         : scaled(sin, error, quarter == 1, factor);
    const auto as_sin = quarter % 2 == 0 ? scaled(sin, error, quarter == 2, factor)
                                         : scaled(cos, cos_error, quarter == 3, factor);
    if (!as_cos || !as_sin) return std::nullopt;
    return rope_oracle::entry{*as_cos, *as_sin};
  }

  /// A whole number modulo 4.
  static long quarter_of(const mpfr_number& whole) {
    mpfr_number result(whole.bits());
    const mpfr_number four(53, 4);
    mpfr_fmod(result, whole, four, MPFR_RNDN);
    return (mpfr_get_si(result, MPFR_RNDN) + 4) % 4;
  }

  static rope_oracle::entry at_quarter(long quarter, double factor) {
    const auto exactly = [](double value) {
      return *round_to_all({mpfr_number(53, value), mpfr_number(53, value)});
    };
    const double cos[] = {factor, 0, -factor, 0}, sin[] = {0, factor, 0, -factor};
    return {exactly(cos[quarter]), exactly(sin[quarter])};
  }

  static std::optional<four_roundings> scaled(const mpfr_number& value, mpfr_exp_t error, bool negated,
                                              double factor) {
    mpfr_number product(value.bits() + 53);
    const mpfr_number result(53, negated ? -factor : factor);
    mpfr_mul(product, value, result, MPFR_RNDN);  // exact
    return round_to_all(detail::widened(product, error + mpfr_get_exp(result)));
  }
};

}  // namespace ropewalk::oracle
