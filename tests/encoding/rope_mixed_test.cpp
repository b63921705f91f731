// Mixed rotary embeddings as exact values: literal angles, cancellation, refusals.

#include "ropewalk/encoding/rope_mixed.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>

#include "ropewalk/numeric/round.hpp"

namespace ropewalk {
namespace {

constexpr double by_place[] = {1,  2,  3,  4,   5,  6,       // axis 0: two heads of three pairs
                               10, 20, 30, -40, 50, 0.125};  // axis 1
constexpr rope_mixed two_heads{.axes = 2, .heads = 2, .pairs = 3, .frequency = by_place};

template <int N>
double exact_number(const enclosure<N>& x) {
  EXPECT_TRUE(is_exact(x));
  return from_bits<double>(round<double>(x).bits);
}

double angle_at(int head, int pair, std::array<double, 2> at) {
  return exact_number(rope_mixed_angle<4>(head, pair, at, two_heads));
}

TEST(RopeMixed, AnAngleIsTheSumOverAllAxes) {
  EXPECT_EQ(angle_at(0, 0, {1, 1}), 11);
  EXPECT_EQ(angle_at(0, 2, {2, 0.5}), 21);
  EXPECT_EQ(angle_at(1, 0, {1, 2}), -76);
  EXPECT_EQ(angle_at(1, 2, {-0.25, 8}), -0.5);
  EXPECT_EQ(angle_at(1, 1, {10, -1}), 0);
}

TEST(RopeMixed, OneHeadHasItsFrequenciesByPair) {
  static constexpr double matrix[] = {0.5, 1.5, 2.5, 3.5};
  constexpr rope_mixed config{.axes = 2, .pairs = 2, .frequency = matrix};
  EXPECT_EQ(frequency_count(config), 4u);
  EXPECT_EQ(exact_number(rope_mixed_angle<4>(0, 1, std::array{2.0, 1.0}, config)), 6.5);
}

/// 2^800 - 2^800 + 2^-800: no sum in two limbs holds both terms.
TEST(RopeMixed, TermsThatCancelLeaveTheRestExactly) {
  static constexpr double frequencies[] = {0x1p400, 0x1p400, 0x1p-400};
  constexpr rope_mixed config{.axes = 3, .pairs = 1, .frequency = frequencies};
  const auto angle = rope_mixed_angle<2>(0, 0, std::array{0x1p400, -0x1p400, 0x1p-400}, config);
  EXPECT_EQ(exact_number(angle), 0x1p-800);
}

TEST(RopeMixed, ABlockIsTheCosineAndSineOfTheSum) {
  static constexpr double frequencies[] = {1, 0.5};
  constexpr rope_mixed config{.axes = 2, .pairs = 1, .frequency = frequencies};
  const std::array at{1.0, 2.0};
  const auto block = rope_mixed_block<4>(0, 0, at, config);
  const auto wanted = cos_sin_of_radians(enclosure<4>::of(2));
  EXPECT_EQ(round<double>(block.cos).bits, round<double>(wanted.cos).bits);
  EXPECT_EQ(round<double>(block.sin).bits, round<double>(wanted.sin).bits);
  const auto back = rope_mixed_block<4>(0, 0, at, config, rotation_kind::backward);
  EXPECT_EQ(round<double>(back.sin).bits, round<double>(-wanted.sin).bits);
  const auto still = rope_mixed_block<4>(0, 0, std::array{1.0, -2.0}, config);
  EXPECT_TRUE(is_exact(still.cos) && is_exact(still.sin) && is_zero(still.sin.midpoint));
}

/// Whether an enclosure holds 0 and little else.
template <int N>
bool is_about_zero(const enclosure<N>& x) {
  return may_be_zero(x) && magnitude_above(x).exponent < -32 * N;
}

/// The laws of a rotation: a shift along any axis multiplies by the rotation of the shift, the norm is 1, and
/// at the origin nothing turns.
TEST(RopeMixed, ShiftsAlongEachAxisCompose) {
  const auto block = [](std::array<double, 2> at) { return rope_mixed_block<4>(1, 0, at, two_heads); };
  const std::array<double, 2> here{3, -0.5};
  const auto at = block(here);
  EXPECT_TRUE(is_about_zero(at.cos * at.cos + at.sin * at.sin - enclosure<4>::of(1)));
  for (std::size_t axis = 0; axis < 2; ++axis)
    for (const double by : {1.0, -7.25, 1000.5}) {
      std::array<double, 2> there = here, shift{};
      there[axis] += by, shift[axis] = by;
      const auto moved = block(there), step = block(shift);
      EXPECT_TRUE(is_about_zero(at.cos * step.cos - at.sin * step.sin - moved.cos)) << axis << ' ' << by;
      EXPECT_TRUE(is_about_zero(at.sin * step.cos + at.cos * step.sin - moved.sin)) << axis << ' ' << by;
      const auto other_head = rope_mixed_block<4>(0, 0, shift, two_heads);
      EXPECT_FALSE(is_about_zero(at.cos * other_head.cos - at.sin * other_head.sin - moved.cos));
      const auto one_axis = block({axis == 0 ? there[0] : 0, axis == 0 ? 0 : there[1]});
      EXPECT_FALSE(is_about_zero(one_axis.cos - moved.cos)) << "an axis dropped";
    }
  const auto origin = block({0, 0});
  EXPECT_TRUE(is_exact(origin.cos) && is_exact(origin.sin) && is_zero(origin.sin.midpoint));
}

TEST(RopeMixed, IsAConstantExpression) {
  constexpr auto angle = rope_mixed_angle<2>(1, 1, std::array{1.0, 1.0}, two_heads);
  static_assert(is_exact(angle));
  EXPECT_EQ(exact_number(angle), 55);
}

template <class Call>
std::string refusal(const Call& call) {
  try {
    call();
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "";
}

std::string refusal_of(const rope_mixed& config) {
  return refusal([&] { validate(config); });
}

TEST(RopeMixed, RefusesWithFieldValueAndWhatIsAllowed) {
  static constexpr double infinite[] = {0, std::numeric_limits<double>::infinity()};
  static constexpr double not_a_number[] = {std::numeric_limits<double>::quiet_NaN()};
  EXPECT_EQ(refusal_of(two_heads), "");
  EXPECT_EQ(refusal_of({.axes = 5, .pairs = 1, .frequency = by_place}),
            "axes is 5; allowed: a number from 1 to 4");
  EXPECT_EQ(refusal_of({.axes = 0, .pairs = 1, .frequency = by_place}),
            "axes is 0; allowed: a number from 1 to 4");
  EXPECT_EQ(refusal_of({.axes = 1, .heads = 0, .pairs = 1, .frequency = by_place}),
            "heads is 0; allowed: a number from 1 to 65536");
  EXPECT_EQ(refusal_of({.axes = 1, .pairs = 0, .frequency = by_place}),
            "pairs is 0; allowed: a number from 1 to 32768");
  EXPECT_EQ(refusal_of({.axes = 1, .pairs = 1}),
            "frequency is 0; allowed: a pointer to axes x heads x pairs numbers");
  EXPECT_EQ(refusal_of({.axes = 2, .pairs = 1, .frequency = infinite}),
            "frequency is inf; allowed: a finite number");
  EXPECT_EQ(refusal_of({.axes = 1, .pairs = 1, .frequency = not_a_number}),
            "frequency is nan; allowed: a finite number");
  const auto at = [](int head, int pair, std::span<const double> coordinates) {
    return refusal([&] { (void)rope_mixed_sum(head, pair, coordinates, two_heads); });
  };
  EXPECT_EQ(at(2, 0, std::array{1.0, 1.0}), "head is 2; allowed: a number from 0 to heads - 1");
  EXPECT_EQ(at(0, -1, std::array{1.0, 1.0}), "pair is -1; allowed: a number from 0 to pairs - 1");
  EXPECT_EQ(at(0, 0, std::array{1.0}), "the number of coordinates is 1; allowed: one for each axis");
  EXPECT_EQ(at(0, 0, std::array{1.0, infinite[1]}), "coordinate is inf; allowed: a finite number");
}

}  // namespace
}  // namespace ropewalk
