#pragma once
// Encodings and positions in binary64 for tests of kernels, with frequencies rounded by MPFR.

#include <gmp.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "kernel/rotation_case.hpp"
#include "oracle/turns_oracle.hpp"

namespace ropewalk::test {

/// The frequencies and axes of the pairs of an encoding.
struct real_form {
  std::string name;
  int axes = 1;
  std::vector<int> axis{};
  std::vector<oracle::power_frequency> pairs{};
  double factor = 1;
};

/// Text on one axis: base^(-pair / pairs) radians.
inline real_form text_form(int pairs, double base = 10000, double factor = 1) {
  real_form form{.name = "text", .factor = factor};
  for (int pair = 0; pair < pairs; ++pair) {
    form.axis.push_back(0);
    form.pairs.push_back({base, -pair, pairs, oracle::turned_unit::radian});
  }
  return form;
}

/// DINOv3's: two axes in runs, 100^(-index / count) turns. Forms here have an odd count: 100^(-1/2) is 1/10,
/// whose exact quarter turns 256 bits do not decide.
inline real_form dino_form(int pairs) {
  real_form form{.name = "dino", .axes = 2};
  const int count = pairs / 2;
  for (int pair = 0; pair < 2 * count; ++pair) {
    form.axis.push_back(pair / count);
    form.pairs.push_back({100, -(pair % count), count, oracle::turned_unit::turn});
  }
  return form;
}

/// LTX-Video's: two pairs that stand still, and three axes in turn, 10000^(index / (count - 1)) quarter
/// turns, up to 2500 turns per unit.
inline real_form ltx_form(int count) {
  real_form form{.name = "ltx", .axes = 3, .axis = {0, 0}, .pairs = {{}, {}}};
  for (int index = 0; index < count; ++index)
    for (int axis = 0; axis < 3; ++axis) {
      form.axis.push_back(axis);
      form.pairs.push_back(
          index == count - 1
              ? oracle::power_frequency{10000, 1, 1, oracle::turned_unit::quarter_turn}
              : oracle::power_frequency{10000, index, count - 1, oracle::turned_unit::quarter_turn});
    }
  return form;
}

/// Four axes in turn, powers of two of quarter turns: exact phases.
inline real_form exact_form(int count) {
  real_form form{.name = "exact", .axes = 4};
  for (int index = 0; index < count; ++index)
    for (int axis = 0; axis < 4; ++axis) {
      form.axis.push_back(axis);
      form.pairs.push_back({2, index - 2, 1, oracle::turned_unit::quarter_turn});
    }
  return form;
}

/// Very slow and very fast pairs.
inline real_form wide_form() {
  real_form form{.name = "wide"};
  for (const long exponent : {-900L, -300L, -100L, -61L, -20L, -3L, 0L, 3L, 11L, 20L}) {
    form.axis.push_back(0);
    form.pairs.push_back({2, 3 * exponent + 1, 3, oracle::turned_unit::radian});
  }
  return form;
}

inline std::vector<real_form> real_forms() {
  return {text_form(20), text_form(9, 500000, 1.2079441541679836), dino_form(14), ltx_form(6), exact_form(6),
          wide_form()};
}

/// The resolved numbers of a form.
class real_encoding {
 public:
  explicit real_encoding(const real_form& form, int head_dim = 0, pairing both = pairing::half_split)
      : form_(form),
        head_dim_(head_dim != 0 ? head_dim : 2 * static_cast<int>(form.pairs.size())),
        both_(both) {
    for (const oracle::power_frequency& frequency : form.pairs) append(frequency);
  }

  ropewalk_rotation view() const {
    ropewalk_rotation view{};
    view.head = head_of<rotate, ropewalk_rotation>();
    view.head_dim = head_dim_;
    view.rotary_dim = 2 * static_cast<int>(form_.pairs.size());
    view.pairing_in = view.pairing_out =
        both_ == pairing::interleaved ? ROPEWALK_INTERLEAVED : ROPEWALK_HALF_SPLIT;
    view.axes = form_.axes;
    view.inv_freq = inv_freq_.data();
    view.turns = turns_.data();
    view.turns_256 = turns_256_.data();
    view.axis = form_.axis.data();
    view.attention_factor = form_.factor;
    view.turns_real = turns_real_.data();
    set_words(view.attention_real, oracle::mpfr_number(256, form_.factor));  // the factor is exact
    return view;
  }

 private:
  static constexpr mpfr_prec_t precise = 4096;

  void append(const oracle::power_frequency& frequency) {
    const oracle::mpfr_number turns = frequency.turns(precise);
    oracle::mpfr_number radians(precise), pi(precise);
    mpfr_const_pi(pi, MPFR_RNDN);
    mpfr_mul(radians, turns, pi, MPFR_RNDN);
    mpfr_mul_2ui(radians, radians, 1, MPFR_RNDN);
    inv_freq_.push_back(mpfr_get_d(radians, MPFR_RNDN));
    append_fraction(turns_, turns, 4);
    append_fraction(turns_256_, turns, 8);
    oracle::mpfr_number rounded(256);
    mpfr_set(rounded, turns, MPFR_RNDN);
    set_words(turns_real_.emplace_back(), rounded);
  }

  static void append_fraction(std::vector<std::uint32_t>& to, const oracle::mpfr_number& x, int words) {
    oracle::mpfr_number fraction(precise);
    mpfr_frac(fraction, x, MPFR_RNDN);
    mpfr_mul_2ui(fraction, fraction, static_cast<unsigned long>(32 * words), MPFR_RNDN);
    mpz_t whole;
    mpz_init(whole);
    mpfr_get_z(whole, fraction, MPFR_RNDN);
    for (int word = 0; word < words; ++word, mpz_tdiv_q_2exp(whole, whole, 32))
      to.push_back(static_cast<std::uint32_t>(mpz_get_ui(whole)));
    mpz_clear(whole);
  }

  static void set_words(ropewalk_real& to, const oracle::mpfr_number& x) {
    to = {};
    if (mpfr_zero_p(x) != 0) return;
    mpz_t whole;
    mpz_init(whole);
    to.exponent = static_cast<std::int32_t>(mpfr_get_z_2exp(whole, x));
    for (std::uint32_t& word : to.significand) {
      word = static_cast<std::uint32_t>(mpz_get_ui(whole));
      mpz_tdiv_q_2exp(whole, whole, 32);
    }
    mpz_clear(whole);
  }

  real_form form_;
  int head_dim_;
  pairing both_;
  std::vector<double> inv_freq_;
  std::vector<std::uint32_t> turns_;
  std::vector<std::uint32_t> turns_256_;
  std::vector<ropewalk_real> turns_real_;
};

/// Positions where mistakes would show: zeros, the smallest, ties of binary32 beside which sines lie,
/// neighbours of whole numbers, the largest, the coordinates of grids, and quarter turns of many forms.
inline std::vector<double> hard_positions() {
  constexpr double end = 0x1p31;
  std::vector<double> positions{0.0,
                                -0.0,
                                std::numeric_limits<double>::denorm_min(),
                                0x3p-1074,
                                0x1.fffffffffffffp-1023,
                                0x1p-1022,
                                1e-300,
                                0x1p-150,
                                0x1.8p-149,
                                0x1.000001p-140,
                                0x1.0000010000001p-130,
                                0x1.000001p-100,
                                1e-30,
                                1e-10,
                                0x1p-52,
                                0.1,
                                0.25,
                                0.5,
                                std::nextafter(0.5, 1),
                                0.75,
                                std::nextafter(1.0, 0),
                                1,
                                std::nextafter(1.0, 2),
                                1.5,
                                2,
                                7.5,
                                std::nextafter(1000.0, 0),
                                65535.5,
                                65536,
                                std::nextafter(65536.0, 1e6),
                                16777217.25,
                                end - 1,
                                end - 0.5,
                                std::nextafter(end, 0)};
  for (const int side : {14, 37})
    for (int j = 0; j < side; j += 5) positions.push_back(2 * (j + 0.5) / side - 1);
  for (const int frame : {1, 8, 97}) positions.push_back(frame / 25.0);
  const std::size_t count = positions.size();
  for (std::size_t i = 0; i < count; ++i) positions.push_back(-positions[i]);
  return positions;
}

/// A position of any exponent, a coordinate of a grid, or a whole number with a fraction of few bits.
inline double random_real_position(std::mt19937_64& random) {
  const double size = [&] {
    switch (random() % 4) {
      case 0: return std::ldexp(static_cast<double>(random() >> 11), -static_cast<int>(random() % 120) - 22);
      case 1: return static_cast<double>(random() % 4096) / static_cast<double>(1 + random() % 2048);
      case 2: return std::ldexp(static_cast<double>(random() >> 33), -static_cast<int>(random() % 12));
      default:
        return std::ldexp(static_cast<double>(random() >> 11), -static_cast<int>(random() % 1053) - 22);
    }
  }();
  return random() % 2 == 0 ? size : -size;
}

/// A position that turns a pair by nearly a multiple of a quarter turn: an entry near 0, where the phase's
/// error shows most.
inline double near_quarter_turn(const oracle::power_frequency& frequency, std::mt19937_64& random) {
  if (frequency.stands_still()) return random_real_position(random);
  oracle::mpfr_number position(120);
  mpfr_set_ui(position, 1 + (random() >> (random() % 63 + 1)), MPFR_RNDN);
  mpfr_div(position, position, frequency.turns(120), MPFR_RNDN);
  mpfr_div_2ui(position, position, 2, MPFR_RNDN);
  const double nearest = mpfr_get_d(position, MPFR_RNDN);
  return nearest < 0x1p31 ? (random() % 2 == 0 ? nearest : -nearest) : random_real_position(random);
}

}  // namespace ropewalk::test
