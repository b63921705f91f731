// Rows of mixed rotary embeddings against MPFR, in every format: each entry is the exact one, rounded once,
// also where terms cancel almost wholly and where a sine lies beside a tie.

#include "ropewalk/table/rope_mixed_rows.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <vector>

#include "oracle/rope_oracle.hpp"
#include "ropewalk/reference/rope_mixed.hpp"

namespace ropewalk {
namespace {

using number = oracle::detail::boost_number;
using coordinates = std::vector<double>;

struct mixed_case {
  std::vector<double> frequency;
  rope_mixed config;

  mixed_case(int axes, int heads, int pairs)
      : frequency(static_cast<std::size_t>(axes * heads * pairs)),
        config{.axes = axes, .heads = heads, .pairs = pairs} {}
  rope_mixed mixed() const {
    rope_mixed mixed = config;
    mixed.frequency = frequency.data();
    return mixed;
  }
};

/// Cosine or sine of an angle, with a bound of its error.
oracle::bracket bracket_at(const coordinates& at, int head, int pair, const rope_mixed& config, bool is_sine,
                           mpfr_prec_t bits) {
  const oracle::mpfr_number value = oracle::detail::in_precision(bits, [&] {
    const auto point = reference::rope_mixed_cos_sin<number>(at, head, pair, config);
    return is_sine ? point.sin : point.cos;
  });
  // The reference's error: relative to the sine of an angle below 1, else to 1.
  const bool is_small = abs(reference::rope_mixed_angle(at, head, pair, config)) < 1;
  const mpfr_exp_t size = is_small && is_sine ? mpfr_get_exp(static_cast<mpfr_srcptr>(value)) + 1 : 1;
  return oracle::detail::widened(value, size + 1 - bits);
}

oracle::rope_oracle::entry wanted_at(const coordinates& at, int head, int pair, const rope_mixed& config) {
  if (reference::rope_mixed_angle(at, head, pair, config) == 0)
    return {{to_bits(1.0), to_bits(1.0f), 0x3c00, 0x3f80}, {}};
  const auto rounded = [&](bool is_sine) {
    return oracle::rounded_to_all(
        [&](mpfr_prec_t bits) { return bracket_at(at, head, pair, config, is_sine, bits); }, 192);
  };
  return {rounded(false), rounded(true)};
}

template <floating_format Float>
void expect_rounded(const oracle::rope_oracle::entry& entry, const rope_mixed_rows& rows, int head, int pair,
                    const coordinates& at) {
  const auto got = rows.entry<Float>(head, pair, at);
  EXPECT_EQ(got.cos, entry.cos.in<Float>()) << format<Float>::name << ' ' << head << ' ' << pair;
  EXPECT_EQ(got.sin, entry.sin.in<Float>()) << format<Float>::name << ' ' << head << ' ' << pair;
}

void expect_every_format(const rope_mixed_rows& rows, int head, int pair, const coordinates& at) {
  const auto entry = wanted_at(at, head, pair, rows.config());
  for_each_format([&]<class Float>() { expect_rounded<Float>(entry, rows, head, pair, at); });
}

double draw(std::mt19937_64& random, double size) {
  return std::ldexp(static_cast<double>(static_cast<std::int64_t>(random())), -63) * size;
}

/// Mochi's and LightGlue's shapes, at whole and at real coordinates.
TEST(RopeMixedRows, EntriesAreCorrectlyRoundedInFourFormats) {
  std::mt19937_64 random(43);
  int compared = 0;
  for (const auto& [axes, heads, pairs] :
       {std::array{3, 4, 16}, {2, 1, 32}, {2, 3, 8}, {1, 2, 4}, {4, 2, 8}}) {
    mixed_case test_case(axes, heads, pairs);
    for (double& value : test_case.frequency) value = draw(random, 3);
    const rope_mixed_rows rows(test_case.mixed());
    for (int time = 0; time < 3; ++time) {
      coordinates at;
      for (int axis = 0; axis < axes; ++axis)
        at.push_back(time == 0 ? std::floor(draw(random, 200)) : draw(random, time == 1 ? 1 : 50000));
      for (int head = 0; head < heads; ++head)
        for (int pair = 0; pair < pairs; ++pair, ++compared) expect_every_format(rows, head, pair, at);
    }
  }
  EXPECT_EQ(compared, 3 * (64 + 32 + 24 + 8 + 16));
}

/// The last axis brings the sum of the others back to almost nothing: x (a + b) - x a - x b, each rounded.
TEST(RopeMixedRows, TermsThatCancelAlmostWholly) {
  std::mt19937_64 random(7);
  int with_rest = 0;
  for (int time = 0; time < 100; ++time) {
    mixed_case test_case(3, 1, 1);
    const double a = draw(random, 1000), b = draw(random, 1);
    test_case.frequency = {a, b, 1};
    const double x = draw(random, 1e6), y = draw(random, 1e9);
    const rope_mixed_rows rows(test_case.mixed());
    const coordinates at{x, y, -(x * a + y * b)};
    const reference::rational rest = reference::rope_mixed_angle(at, 0, 0, rows.config());
    EXPECT_LT(abs(rest), reference::rational(1) / 1024);
    with_rest += rest != 0 ? 1 : 0;
    expect_every_format(rows, 0, 0, at);
  }
  EXPECT_GT(with_rest, 80);
}

TEST(RopeMixedRows, AnglesThatCancelWhollyAreZero) {
  mixed_case test_case(2, 1, 1);
  test_case.frequency = {0.1, -0.1};
  const rope_mixed_rows rows(test_case.mixed());
  for (const coordinates& at : {coordinates{0, 0}, {3.7, 3.7}, {-5, -5}, {0x1p1000, 0x1p1000}, {-0.0, 0}}) {
    const auto entry = rows.entry<float>(0, 0, at);
    EXPECT_EQ(entry.cos, to_bits(1.0f));
    EXPECT_EQ(entry.sin, 0u) << "+0";
  }
}

/// Angles half-way between two numbers of a format: the sine lies just below the tie, or above it by what a
/// third axis adds, far below every limb of the tie.
TEST(RopeMixedRows, TinyAnglesBesideATie) {
  mixed_case test_case(3, 1, 1);
  test_case.frequency = {0x1p-300, 0x1p-300, 0x1p-800};
  const rope_mixed_rows rows(test_case.mixed());
  const double odd = 0x1p-20 * (1 + 0x1p-52), half = 0x1p-73;  // odd + half would round up to even
  const auto sine = [&](double third, double sign) {
    return rows.entry<double>(0, 0, coordinates{sign * odd, sign * half, sign * third}).sin;
  };
  const double below = 0x1p-320 * (1 + 0x1p-52), above = 0x1p-320 * (1 + 0x1p-51);
  EXPECT_EQ(sine(0, 1), to_bits(below));
  EXPECT_EQ(sine(0, -1), to_bits(-below));
  EXPECT_EQ(sine(0x1p-80, 1), to_bits(above));
  EXPECT_EQ(sine(0x1p-900, 1), to_bits(below)) << "less than the cube of the angle";
  for (const double third : {0.0, 0x1p-80, -0x1p-80, 0x1p-900, 0x1p-170, 0x1p-162, 0x1p-1074})
    for (const double sign : {1.0, -1.0})
      expect_every_format(rows, 0, 0, {sign * odd, sign * half, sign * third});
}

TEST(RopeMixedRows, FromTheSmallestAngleToTheLargest) {
  mixed_case test_case(2, 1, 1);
  for (const double size :
       {0x1p-1074, 0x1p-1022, 0x1p-540, 0x1p-100, 0x1p-60, 1.0, 0x1p31, 0x1p200, 0x1p500}) {
    test_case.frequency = {size, size / 3};
    const rope_mixed_rows rows(test_case.mixed());
    for (const double at : {size, 1.0, 1.0 / 3, 7.25}) expect_every_format(rows, 0, 0, {at, -at / 7});
  }
  test_case.frequency = {0x1p512, 1};
  const rope_mixed_rows rows(test_case.mixed());
  expect_every_format(rows, 0, 0, {0x1.8p511, 1});
  EXPECT_THROW((void)rows.entry<float>(0, 0, coordinates{0x1p512, 1}), std::invalid_argument);
}

TEST(RopeMixedRows, ARowHoldsEveryPairOfItsHead) {
  mixed_case test_case(2, 3, 5);
  std::mt19937_64 random(1);
  for (double& value : test_case.frequency) value = draw(random, 2);
  const rope_mixed_rows rows(test_case.mixed());
  const coordinates at{3, -0.5};
  const auto row = rows.row<float>(2, at);
  ASSERT_EQ(row.size(), 5u);
  for (int pair = 0; pair < 5; ++pair) {
    const auto entry = rows.entry<float>(2, pair, at);
    EXPECT_EQ(row[static_cast<std::size_t>(pair)].cos, entry.cos);
    EXPECT_EQ(row[static_cast<std::size_t>(pair)].sin, entry.sin);
  }
  EXPECT_THROW((void)rows.row<float>(3, at), std::invalid_argument);
}

}  // namespace
}  // namespace ropewalk
