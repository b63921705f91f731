// Frequencies of one axis: every spacing against the reference, exact values, refusals.

#include "ropewalk/encoding/frequencies.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "oracle/enclosure_bracket.hpp"
#include "oracle/rope_oracle.hpp"
#include "ropewalk/numeric/round.hpp"
#include "ropewalk/reference/frequencies.hpp"

namespace ropewalk {
namespace {

constexpr double frequency_list[] = {0, 0.1, 2.5, 0x1p-1074, 1e300};

struct named_frequencies {
  const char* name;
  frequencies shared;
  int pairs;
};
const std::vector<named_frequencies> every_form = {
    {"embedding", falling_from_one(10000), 64},
    {"tensor2tensor", falling_from_one(10000, 1), 160},
    {"timestep of max_period 100", falling_from_one(100), 7},
    {"paper on an odd width", falling_from_one(10000, -0.5), 3},
    {"fine shift", falling_from_one(3, 1.0 / 65536), 32},
    {"most pairs, least shift", falling_from_one(10000, -32767), 32768},
    {"last beyond n", falling_from_one(10000, 31), 32},
    {"DINOv3", falling_from_one(100, 0, angle_unit::turn), 16},
    {"LTX, rising", geometric_between({1, 1}, {10000, 1}, angle_unit::quarter_turn), 341},
    {"periods of DINOv3", geometric_between({1, 0.5}, {1, 90}, angle_unit::turn), 16},
    {"falling, no power of two", geometric_between({12, 7}, {3, 11}), 9},
    {"equal ends", geometric_between({3, 10}, {6, 20}), 5},
    {"extreme ends", geometric_between({0x1p-1074, 1}, {largest_number, 0.1}), 9},
    {"EVA-02 pixel", linear_between({1, 1}, {5, 1}, angle_unit::half_turn), 8},
    {"linear, falling", linear_between({2, 3}, {1, 7}), 6},
    {"linear, far apart", linear_between({1e300, 1}, {1, 1e300}), 6},
    {"one pair of a geometric", falling_from_one(10000, 1), 1},
    {"one pair of a linear", linear_between({2, 3}, {9, 1}), 1},
    {"listed", listed_frequencies(frequency_list), 5},
    {"listed in turns", listed_frequencies(frequency_list, angle_unit::turn), 5},
};

/// Pairs of a form: all, or the ends and every 997th of many.
std::vector<int> pairs_of(const named_frequencies& form) {
  std::vector<int> pairs;
  for (int k = 0; k < form.pairs; ++k)
    if (form.pairs < 400 || k % 997 == 0 || k < 3 || k > form.pairs - 3) pairs.push_back(k);
  return pairs;
}

template <class Evaluate>
oracle::bracket by_reference(const Evaluate& evaluate) {
  return oracle::detail::last_place_bracket(oracle::detail::in_precision(512, evaluate));
}

TEST(Frequencies, EveryPairHoldsTheReference) {
  using number = oracle::detail::boost_number;
  for (const named_frequencies& form : every_form) {
    const auto shared = share<4>(form.shared, form.pairs);
    for (const int k : pairs_of(form)) {
      const enclosure<4> bounds = frequency<4>(k, form.pairs, form.shared, shared);
      if (is_zero(bounds.midpoint)) {
        EXPECT_TRUE(is_exact(bounds)) << form.name;
        EXPECT_EQ(reference::frequency<number>(k, form.pairs, form.shared), 0) << form.name;
        continue;
      }
      EXPECT_TRUE(oracle::contains(
          bounds, by_reference([&] { return reference::frequency<number>(k, form.pairs, form.shared); })))
          << form.name << ", pair " << k;
      EXPECT_TRUE(oracle::contains(turns_of(bounds, form.shared.unit), by_reference([&] {
                                     return reference::frequency_turns<number>(k, form.pairs, form.shared);
                                   })))
          << form.name << ", pair " << k;
      // 4 limbs have 256 bits. exp magnifies by the exponent, and powers of whole exponents by their size.
      constexpr int lost_bits = 48;
      if (!is_exact(bounds)) {
        EXPECT_LT(oracle::relative_error_exponent(bounds), lost_bits - 256) << form.name << ", pair " << k;
      }
    }
  }
}

TEST(Frequencies, ReferenceIsGoodToTheLastPlace) {
  using namespace boost::multiprecision;
  using narrow = number<cpp_bin_float<64, digit_base_2, void, std::int64_t>, et_off>;
  using wide = number<cpp_bin_float<512, digit_base_2, void, std::int64_t>, et_off>;
  for (const named_frequencies& form : every_form)
    for (const int k : pairs_of(form)) {
      const wide truth = reference::frequency<wide>(k, form.pairs, form.shared),
                 turns = reference::frequency_turns<wide>(k, form.pairs, form.shared);
      const wide ulp = ldexp(wide(1), -63);
      EXPECT_LE(abs(wide(wide(reference::frequency<narrow>(k, form.pairs, form.shared)) - truth)),
                ulp * truth)
          << form.name << ", pair " << k;
      EXPECT_LE(abs(wide(wide(reference::frequency_turns<narrow>(k, form.pairs, form.shared)) - turns)),
                ulp * turns)
          << form.name << ", pair " << k;
    }
}

/// Whether the frequency is exact, and this number.
template <int N = 4>
constexpr bool is_exactly(double value, int k, int pairs, const frequencies& f) {
  return compare(frequency<N>(k, pairs, f), enclosure<N>::of(value)) == order::equal;
}

TEST(Frequencies, ExactResultsStayExact) {
  static_assert(is_exactly(1, 0, 64, falling_from_one(10000)));
  static_assert(is_exactly(6, 1, 3, geometric_between({3, 1}, {12, 1})));  // 12 and 3 have no root, 4 has
  static_assert(is_exactly(0x1p-5, 5, 11, geometric_between({1, 1}, {1, 1024})));
  static_assert(is_exactly(12, 2, 3, geometric_between({3, 1}, {12, 1})));
  static_assert(is_exactly(2.5, 1, 3, linear_between({1, 1}, {4, 1})));
  static_assert(is_exactly(4, 2, 3, linear_between({1, 1}, {4, 1})));
  static_assert(is_exactly(0.3, 7, 9, geometric_between({0.3, 1}, {0.3, 1})));
  // Falling: 1 / 100 is no binary number, and so an enclosure that holds it and is not exact.
  static_assert(!is_exact(frequency<4>(1, 2, falling_from_one(10000))));
  EXPECT_TRUE(is_exactly<2>(frequency_list[1], 1, 5, listed_frequencies(frequency_list)));
  EXPECT_TRUE(is_exactly(0x1p-64, 31, 32, falling_from_one(0x1p64, 1)));
  EXPECT_TRUE(is_exactly(0x1p-512, 1, 2, falling_from_one(0x1p512, 1)));
  EXPECT_TRUE(is_exactly(27, 3, 4, geometric_between({1, 1}, {27, 1})));
}

TEST(Frequencies, PartsOfATurnAreExact) {
  const enclosure<2> three = enclosure<2>::of(3);
  const auto is = [](const enclosure<2>& x, double turns) {
    return compare(x, enclosure<2>::of(turns)) == order::equal;
  };
  EXPECT_TRUE(is(turns_of(three, angle_unit::quarter_turn), 0.75));
  EXPECT_TRUE(is(turns_of(three, angle_unit::half_turn), 1.5));
  EXPECT_TRUE(is(turns_of(three, angle_unit::turn), 3));
  EXPECT_FALSE(is_exact(turns_of(three, angle_unit::radian)));
  EXPECT_EQ(round<double>(turns_of(three, angle_unit::radian)).bits, to_bits(0.477464829275686));
}

TEST(Frequencies, EveryFormRoundsInEveryFormat) {
  for (const named_frequencies& form : every_form)
    for (const int k : pairs_of(form)) {
      const auto each = [&]<class Float>(Float) {
        return round_with_enough_limbs<Float>(
            "frequency", [&]<int N>() { return frequency<N>(k, form.pairs, form.shared); });
      };
      EXPECT_EQ(
          static_cast<double>(from_bits<float>(each(float{}))),
          static_cast<double>(static_cast<float>(
              reference::frequency<boost::multiprecision::cpp_bin_float_100>(k, form.pairs, form.shared))))
          << form.name << ", pair " << k;
      each(double{}), each(binary16{}), each(bfloat16{});
    }
}

std::string refusal(int k, int pairs, const frequencies& f) {
  try {
    frequency<2>(k, pairs, f);
  } catch (const std::invalid_argument& refused) {
    try {
      reference::frequency<boost::multiprecision::cpp_bin_float_50>(k, pairs, f);
    } catch (const std::invalid_argument& too) {
      if (std::string(too.what()) == refused.what()) return refused.what();
    }
    return "the reference does not refuse alike";
  }
  return "";
}

TEST(Frequencies, RefusesWhatItDoesNotDefine) {
  const frequencies falling = falling_from_one(10000);
  EXPECT_EQ(refusal(0, 8, {}),
            "spacing is 0; allowed: geometric, linear or listed, where no embedding gives a base");
  EXPECT_EQ(refusal(8, 8, falling), "pair is 8; allowed: a number from 0 to the number of pairs - 1");
  EXPECT_EQ(refusal(-1, 8, falling), "pair is -1; allowed: a number from 0 to the number of pairs - 1");
  EXPECT_EQ(refusal(0, 0, falling), "pairs is 0; allowed: a number from 1 to 32768");
  EXPECT_EQ(refusal(0, 32769, falling), "pairs is 32769; allowed: a number from 1 to 32768");
  EXPECT_EQ(refusal(0, 8, falling_from_one(10000, 7.5)),
            "shift is 7.5; allowed: a number up to the number of pairs - 1");
  EXPECT_EQ(refusal(0, 8, falling_from_one(10000, 0.1)),
            "shift is 0.1; allowed: a multiple of 1/65536 from -32767 to 32767");
  EXPECT_EQ(refusal(0, 8, falling_from_one(10000, std::numeric_limits<double>::quiet_NaN())),
            "shift is nan; allowed: a multiple of 1/65536 from -32767 to 32767");
  EXPECT_EQ(refusal(0, 4, listed_frequencies(frequency_list)),
            "frequencies' length is 5; allowed: one number for each pair");
  EXPECT_EQ(refusal(0, 4, falling_from_one(-1)),
            "denominator of first or last is -1; allowed: a finite number above 0");
}

}  // namespace
}  // namespace ropewalk
