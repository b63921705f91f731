// Mixed rotary embeddings in numbers of 100 digits: against a sum in those numbers, and in decimal digits.

#include "ropewalk/reference/rope_mixed.hpp"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <stdexcept>
#include <vector>

#include "ropewalk/encoding/rope_mixed.hpp"
#include "ropewalk/numeric/round.hpp"
#include "ropewalk/reference/rope_mixed_digits.hpp"

namespace ropewalk {
namespace {

using number = boost::multiprecision::cpp_bin_float_100;

constexpr double by_place[] = {0.5, -1.25, 3.0, 1e-3, 0.1, 2.0, -7.5, 0.3, 11.0, 0.7, -0.2, 5.0};
constexpr rope_mixed two_heads{.axes = 3, .heads = 2, .pairs = 2, .frequency = by_place};

TEST(RopeMixedReference, IsTheMatrixProductOfTheEngines) {
  std::mt19937_64 random(3);
  for (int time = 0; time < 20; ++time) {
    std::vector<double> at;
    for (int axis = 0; axis < 3; ++axis)
      at.push_back(std::ldexp(static_cast<double>(random() >> 11), -45) - 64);
    for (int head = 0; head < 2; ++head)
      for (int pair = 0; pair < 2; ++pair) {
        number angle = 0;
        for (int axis = 0; axis < 3; ++axis)
          angle += number(at[static_cast<std::size_t>(axis)]) * by_place[4 * axis + 2 * head + pair];
        const auto got = reference::rope_mixed_cos_sin<number>(at, head, pair, two_heads);
        EXPECT_LT(abs(got.cos - cos(angle)), number("1e-95"));
        EXPECT_LT(abs(got.sin - sin(angle)), number("1e-95"));
      }
  }
}

TEST(RopeMixedReference, AgreesWithTheExactValues) {
  std::mt19937_64 random(4);
  for (int time = 0; time < 40; ++time) {
    std::vector<double> at;
    for (int axis = 0; axis < 3; ++axis)
      at.push_back(std::ldexp(static_cast<double>(random() >> 11), -40) - 4096);
    for (int head = 0; head < 2; ++head)
      for (int pair = 0; pair < 2; ++pair) {
        const auto wanted = reference::rope_mixed_cos_sin<number>(at, head, pair, two_heads);
        const auto got = rope_mixed_block<6>(head, pair, at, two_heads);
        EXPECT_EQ(round<double>(got.cos).bits, to_bits(wanted.cos.convert_to<double>()));
        EXPECT_EQ(round<double>(got.sin).bits, to_bits(wanted.sin.convert_to<double>()));
      }
  }
}

TEST(RopeMixedReference, AnglesAreExact) {
  static constexpr double frequencies[] = {0.1, -0.1};
  constexpr rope_mixed config{.axes = 2, .pairs = 1, .frequency = frequencies};
  EXPECT_EQ(reference::rope_mixed_angle({3.7, 3.7}, 0, 0, config), 0);
  EXPECT_NE(reference::rope_mixed_angle({3.7, 3.7000000000000006}, 0, 0, config), 0);
}

TEST(RopeMixedDigits, OfKnownAngles) {
  static constexpr double frequencies[] = {1, 0.5};
  constexpr rope_mixed config{.axes = 2, .pairs = 1, .frequency = frequencies};
  EXPECT_EQ(reference::rope_mixed_cos_digits({0.5, 1}, 0, 0, config, 20), "5.4030230586813971740e-01");
  EXPECT_EQ(reference::rope_mixed_sin_digits({0.5, 1}, 0, 0, config, 20), "8.4147098480789650665e-01");
  EXPECT_EQ(reference::rope_mixed_cos_digits({0.5, -1}, 0, 0, config, 20), "1.0000000000000000000e+00");
  EXPECT_EQ(reference::rope_mixed_sin_digits({0.5, -1}, 0, 0, config, 20), "0");
  EXPECT_EQ(reference::rope_mixed_sin_digits({0x1p-1000, 0}, 0, 0, config, 5), "9.3326e-302");
  EXPECT_EQ(reference::rope_mixed_cos_digits({0x1p-1000, 0}, 0, 0, config, 5), "1.0000e+00");
  EXPECT_THROW(reference::rope_mixed_cos_digits({1}, 0, 0, config, 5), std::invalid_argument);
  EXPECT_THROW(reference::rope_mixed_sin_digits({1, 1}, 1, 0, config, 5), std::invalid_argument);
}

}  // namespace
}  // namespace ropewalk
