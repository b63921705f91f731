#pragma once
// The rotary tables by MPFR: frequencies from `reference` in run-time precision; angles, cosines and sines
// by MPFR's own functions. Each rounding is decided from both ends of a bracket. One evaluation serves all
// formats.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <vector>

#include <boost/multiprecision/mpfr.hpp>

#include "oracle/mpfr_number.hpp"
#include "oracle/rounding.hpp"
#include "ropewalk/numeric/format.hpp"
#include "ropewalk/reference/rope.hpp"
#include "ropewalk/reference/rope_exact.hpp"

namespace ropewalk::oracle {

/// One real number, rounded to every format.
struct four_roundings {
  std::uint64_t binary64_bits = 0;
  std::uint32_t binary32_bits = 0;
  std::uint16_t binary16_bits = 0;
  std::uint16_t bfloat16_bits = 0;
  friend bool operator==(const four_roundings&, const four_roundings&) = default;

  template <floating_format Float>
  bits_of<Float> in() const {
    if constexpr (std::is_same_v<Float, double>) return binary64_bits;
    if constexpr (std::is_same_v<Float, float>) return binary32_bits;
    if constexpr (std::is_same_v<Float, binary16>) return binary16_bits;
    if constexpr (std::is_same_v<Float, bfloat16>) return bfloat16_bits;
  }
};

/// The roundings to all formats; nullopt unless every one is decided.
inline std::optional<four_roundings> round_to_all(const bracket& x) {
  const auto f64 = round_to<double>(x);
  const auto f32 = round_to<float>(x);
  const auto f16 = round_to<binary16>(x);
  const auto bf16 = round_to<bfloat16>(x);
  if (!f64 || !f32 || !f16 || !bf16) return std::nullopt;
  return four_roundings{*f64, *f32, *f16, *bf16};
}

/// Ziv's loop: rounds the bracket evaluate(bits) to all formats, with bits doubled from `first` up to 32768.
///
/// throws  std::runtime_error when that does not decide all roundings
template <class Evaluate>
four_roundings rounded_to_all(const Evaluate& evaluate, mpfr_prec_t first) {
  for (mpfr_prec_t bits = first; bits <= 32768; bits *= 2)
    if (const auto decided = round_to_all(evaluate(bits))) return *decided;
  throw std::runtime_error("oracle: a rounding is undecided");
}

namespace detail {

using boost_number = boost::multiprecision::number<boost::multiprecision::mpfr_float_backend<0>,
                                                   boost::multiprecision::et_off>;

/// Runs `evaluate` with Boost numbers of at least `bits` bits.
template <class Evaluate>
mpfr_number in_precision(mpfr_prec_t bits, const Evaluate& evaluate) {
  const unsigned saved = boost_number::thread_default_precision();
  boost_number::thread_default_precision(static_cast<unsigned>(static_cast<double>(bits) * 0.3011) + 2);
  const boost_number value = evaluate();
  boost_number::thread_default_precision(saved);
  mpfr_number result(mpfr_get_prec(value.backend().data()));
  mpfr_set(result, value.backend().data(), MPFR_RNDN);
  return result;
}

/// x - 2^error_exponent to x + 2^error_exponent.
inline bracket widened(const mpfr_number& x, mpfr_exp_t error_exponent) {
  mpfr_number error(2);
  mpfr_set_ui_2exp(error, 1, error_exponent, MPFR_RNDN);
  bracket widened{mpfr_number(x.bits()), mpfr_number(x.bits())};
  mpfr_sub(widened.low, x, error, MPFR_RNDD);
  mpfr_add(widened.high, x, error, MPFR_RNDU);
  return widened;
}

/// Bracket of a number of `reference`, accurate to its last place: two units in that place to either side.
inline bracket last_place_bracket(const mpfr_number& x) { return widened(x, mpfr_get_exp(x) - x.bits() + 1); }

/// Bracket of a rational number; exact if `bits` bits hold it.
inline bracket bracket_of(const reference::rational& x, mpfr_prec_t bits) {
  mpq_t quotient;
  mpq_init(quotient);
  mpq_set_str(quotient, x.str().c_str(), 10);
  bracket result{mpfr_number(bits), mpfr_number(bits)};
  mpfr_set_q(result.low, quotient, MPFR_RNDD);
  mpfr_set_q(result.high, quotient, MPFR_RNDU);
  mpq_clear(quotient);
  return result;
}

}  // namespace detail

/// Inverse frequency of one pair, from its exact value where that is rational, so that a tie is decided.
inline bracket inv_freq_bracket(int pair, const rope& config, mpfr_prec_t bits) {
  if (const auto exact = reference::rope_exact_inv_freq(pair, config))
    return detail::bracket_of(*exact, bits);
  return detail::last_place_bracket(detail::in_precision(
      bits, [&] { return reference::rope_inv_freq<detail::boost_number>(pair, config); }));
}

inline bracket turns_bracket(int pair, const rope& config, mpfr_prec_t bits) {
  if (reference::stands_still(pair, config)) return detail::bracket_of(reference::rational(0), bits);
  return detail::last_place_bracket(
      detail::in_precision(bits, [&] { return reference::rope_turns<detail::boost_number>(pair, config); }));
}

inline bracket attention_factor_bracket(const rope& config, mpfr_prec_t bits) {
  if (const auto exact = reference::rope_exact_attention_factor(config))
    return detail::bracket_of(*exact, bits);
  return detail::last_place_bracket(detail::in_precision(
      bits, [&] { return reference::rope_attention_factor<detail::boost_number>(config); }));
}

inline four_roundings inv_freq_in_all_formats(int pair, const rope& config) {
  return rounded_to_all([&](mpfr_prec_t bits) { return inv_freq_bracket(pair, config, bits); }, 256);
}

/// Cosines and sines of one configuration; frequencies are computed once, with table_bits bits.
class rope_oracle {
 public:
  struct entry {
    four_roundings cos;
    four_roundings sin;
  };

  /// `unit` omits the attention factor.
  explicit rope_oracle(const rope& config, bool unit = false, mpfr_prec_t table_bits = 1024)
      : factor_(unit ? mpfr_number(table_bits, 1.0) : attention_factor_bracket(config, table_bits).low),
        factor_is_one_(mpfr_cmp_ui(factor_, 1) == 0) {
    const auto factor = [&](mpfr_prec_t bits) { return attention_factor_bracket(config, bits); };
    rounded_factor_ = factor_is_one_ ? four_roundings{to_bits(1.0), to_bits(1.0f), 0x3c00, 0x3f80}
                                     : rounded_to_all(factor, table_bits);
    for (int pair = 0; pair < pair_count(config); ++pair)
      inv_freq_.push_back(inv_freq_bracket(pair, config, table_bits).low);
  }

  int pairs() const { return static_cast<int>(inv_freq_.size()); }

  /// throws  std::runtime_error when the entry needs more bits than the table has
  entry at(std::int64_t position, int pair) const {
    mpfr_number exact(64);
    mpfr_set_si(exact, position, MPFR_RNDN);
    return at(exact, pair);
  }
  entry at_real(double position, int pair) const { return at(mpfr_number(53, position), pair); }

 private:
  entry at(const mpfr_number& position, int pair) const {
    const mpfr_number& inv_freq = inv_freq_[static_cast<std::size_t>(pair)];
    if (mpfr_zero_p(position) || mpfr_zero_p(inv_freq)) return {rounded_factor_, {}};
    const mpfr_exp_t whole_bits = std::max<mpfr_exp_t>(0, mpfr_get_exp(position) + mpfr_get_exp(inv_freq));
    for (mpfr_prec_t bits = 112;; bits += 96) {
      // The table's error, below 2^(2 - its bits) of the angle, must be negligible against that of `bits`.
      if (bits + whole_bits + 8 > inv_freq.bits())
        throw std::runtime_error("oracle: a table entry is undecided");
      if (const auto decided = try_at(position, inv_freq, bits + whole_bits)) return *decided;
    }
  }

  std::optional<entry> try_at(const mpfr_number& position, const mpfr_number& inv_freq,
                              mpfr_prec_t bits) const {
    mpfr_number angle(bits), cos(bits), sin(bits);
    mpfr_mul(angle, position, inv_freq, MPFR_RNDN);
    mpfr_sin_cos(sin, cos, angle, MPFR_RNDN);
    // The angle is off by less than 2^(its exponent + 1 - bits). |sin x| <= |x|, and slopes are at most 1.
    const mpfr_exp_t sin_error = mpfr_get_exp(angle) + 2 - bits;
    const mpfr_exp_t cos_error = std::max<mpfr_exp_t>(mpfr_get_exp(angle), 1) + 2 - bits;
    const auto rounded_cos = round_to_all(with_factor(cos, cos_error));
    if (!rounded_cos) return std::nullopt;
    const auto rounded_sin = round_to_all(with_factor(sin, sin_error));
    if (!rounded_sin) return std::nullopt;
    return entry{*rounded_cos, *rounded_sin};
  }

  bracket with_factor(mpfr_number& value, mpfr_exp_t error) const {
    if (factor_is_one_) return detail::widened(value, error);
    // The product's rounding error is below half of `error` x the factor.
    mpfr_mul(value, value, factor_, MPFR_RNDN);
    return detail::widened(value, error + mpfr_get_exp(factor_) + 1);
  }

  mpfr_number factor_;
  bool factor_is_one_;
  four_roundings rounded_factor_;  // cosines of angle 0
  std::vector<mpfr_number> inv_freq_;
};

}  // namespace ropewalk::oracle
