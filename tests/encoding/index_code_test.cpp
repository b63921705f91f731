// Index codes: literal values, both bit orders, codes added and appended to a token, refusals.

#include "ropewalk/encoding/index_code.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "ropewalk/numeric/round.hpp"

namespace ropewalk {
namespace {

double nearest(const enclosure<4>& x) { return from_bits<double>(round<double>(x).bits); }

double entry(std::int64_t position, int column, const index_code& config) {
  return nearest(index_code_entry<4>(position, column, config));
}

constexpr index_code integer{};
constexpr index_code of_100{.kind = index_code_kind::normalised, .length = 100};
constexpr index_code five_bits{.kind = index_code_kind::binary, .width = 5};
constexpr index_code sines{.kind = index_code_kind::sine_only, .width = 4};

TEST(IndexCode, IntegerIsThePosition) {
  for (const std::int64_t position : {-7L, 0L, 1L, 16777217L, 2147483647L})
    EXPECT_EQ(entry(position, 0, integer), static_cast<double>(position));
}

TEST(IndexCode, NormalisedRunsFromZeroToOne) {
  EXPECT_EQ(entry(0, 0, of_100), 0);
  EXPECT_EQ(entry(99, 0, of_100), 1);
  EXPECT_EQ(entry(1, 0, of_100), 1.0 / 99);
  EXPECT_EQ(entry(0, 0, {.kind = index_code_kind::normalised, .length = 1}), 0);
}

TEST(IndexCode, BinaryHasTheFastestBitFirstOrLast) {
  // 22 = 10110 in binary
  const std::vector<double> fast_first{0, 1, 1, 0, 1};
  index_code slow_first = five_bits;
  slow_first.order = bit_order::msb;
  for (int column = 0; column < 5; ++column) {
    EXPECT_EQ(entry(22, column, five_bits), fast_first[static_cast<std::size_t>(column)]);
    EXPECT_EQ(entry(22, column, slow_first), fast_first[static_cast<std::size_t>(4 - column)]);
  }
}

TEST(IndexCode, BinaryServesItsLastPositionAndNoneBeyond) {
  EXPECT_EQ(entry(31, 4, five_bits), 1);
  EXPECT_THROW(entry(32, 4, five_bits), std::invalid_argument);
  const index_code widest{.kind = index_code_kind::binary, .width = 62};
  EXPECT_EQ(entry((std::int64_t{1} << 62) - 1, 61, widest), 1);
}

TEST(IndexCode, SineOnlyHasOneFrequencyAChannel) {
  for (int column = 0; column < 4; ++column)
    EXPECT_NEAR(entry(3, column, sines), std::sin(3 * std::pow(10.0, -column)), 0x1p-52);
  EXPECT_EQ(entry(0, 3, sines), 0);
  EXPECT_EQ(nearest(sine_only_entry<4>(0.5, 0, sines)), 0.479425538604203);
}

TEST(IndexCode, SineOnlyTellsPositionsApartThatBinary64DoesNot) {
  const std::int64_t odd = (std::int64_t{1} << 53) + 1;
  EXPECT_NE(entry(odd, 0, sines), entry(odd - 1, 0, sines));
  EXPECT_EQ(entry(odd - 1, 0, sines), nearest(sine_only_entry<4>(0x1p53, 0, sines)));
}

TEST(IndexCode, AddedCodesOfOneNumberGoToEveryChannel) {
  for (int channel = 0; channel < 3; ++channel)
    EXPECT_EQ(nearest(added_index_code<4>(0.25, 1000, channel, integer)), 1000.25);
  EXPECT_EQ(nearest(added_index_code<4>(0.25, 22, 1, five_bits)), 1.25);
  EXPECT_EQ(nearest(added_index_code<4>(0.25, 22, 3, five_bits)), 0.25);
  EXPECT_TRUE(is_exact(added_index_code<4>(0x1p-100, 1000, 0, integer)));
}

TEST(IndexCode, ConcatenatedCodesStandBehindTheToken) {
  const double token[] = {0.5, -2, 8};
  const double expected[] = {0.5, -2, 8, 0, 1, 1, 0, 1};
  for (int channel = 0; channel < 8; ++channel)
    EXPECT_EQ(nearest(concatenated_index_code<4>(token, 22, channel, five_bits)), expected[channel]);
  EXPECT_THROW(concatenated_index_code<4>(token, 22, 8, five_bits), std::invalid_argument);
  EXPECT_THROW(concatenated_index_code<4>(token, 22, -1, five_bits), std::invalid_argument);
}

std::string refusal(const index_code& config, std::int64_t position) {
  try {
    validate_position(position, config);
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "";
}

TEST(IndexCode, RefusesWithFieldValueAndWhatIsAllowed) {
  EXPECT_EQ(refusal(five_bits, 32), "position is 32; allowed: a number from 0 to 2^width - 1");
  EXPECT_EQ(refusal(five_bits, -1), "position is -1; allowed: a number from 0 to 2^width - 1");
  EXPECT_EQ(refusal(of_100, 100), "position is 100; allowed: a number from 0 to length - 1");
  EXPECT_EQ(refusal({.width = 2}, 0), "width is 2; allowed: 1: the code is one number");
  EXPECT_EQ(refusal({.kind = index_code_kind::normalised}, 0),
            "length is 0; allowed: a whole number from 1 to 2147483648");
  EXPECT_EQ(refusal({.kind = index_code_kind::binary, .width = 63}, 0),
            "width is 63; allowed: a number from 1 to 62");
  EXPECT_EQ(refusal({.kind = index_code_kind::sine_only, .base = 1}, 0),
            "base is 1; allowed: a finite number above 1");
  EXPECT_THROW(exact_index_code(0, 1, integer), std::invalid_argument);
  EXPECT_THROW(exact_index_code(0, 0, sines), std::invalid_argument);
  EXPECT_THROW(sine_only_entry<4>(HUGE_VAL, 0, sines), std::invalid_argument);
  EXPECT_THROW(added_index_code<4>(std::nan(""), 0, 0, integer), std::invalid_argument);
}

}  // namespace
}  // namespace ropewalk
