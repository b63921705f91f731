// Rows of xPos against MPFR, in every format: each entry is correctly rounded, up to overflow and underflow.

#include "ropewalk/table/xpos_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>

#include "oracle/rope_oracle.hpp"
#include "ropewalk/reference/xpos.hpp"

namespace ropewalk {
namespace {

using number = oracle::detail::boost_number;

struct both_roundings {
  oracle::four_roundings cos;
  oracle::four_roundings sin;
};

both_roundings by_mpfr(std::int64_t position, int pair, xpos_side side, const xpos& config) {
  const auto value = [&](mpfr_prec_t bits, bool sine) {
    return oracle::detail::in_precision(bits, [&] {
      const auto point = reference::xpos_cos_sin<number>(position, pair, side, config);
      return sine ? point.sin : point.cos;
    });
  };
  const auto rounded = [&](bool sine) {
    return oracle::rounded_to_all(
        [&](mpfr_prec_t bits) {
          const oracle::mpfr_number cos = value(bits, false), sin = value(bits, true);
          // The larger of the two is at least scale / sqrt 2; each has an error below 2^-bits of the scale.
          const mpfr_exp_t size = std::max(mpfr_get_exp(static_cast<mpfr_srcptr>(cos)),
                                           mpfr_get_exp(static_cast<mpfr_srcptr>(sin)));
          return oracle::detail::widened(sine ? sin : cos, size + 2 - bits);
        },
        192);
  };
  return {rounded(false), rounded(true)};
}

template <floating_format Float>
void expect_rounded(const both_roundings& roundings, std::int64_t position, int pair, xpos_side side,
                    const xpos& config) {
  const auto got = round_xpos_entry<Float>(pair, position, side, config);
  EXPECT_EQ(got.cos, roundings.cos.in<Float>()) << format<Float>::name << ' ' << pair << ' ' << position;
  EXPECT_EQ(got.sin, roundings.sin.in<Float>()) << format<Float>::name << ' ' << pair << ' ' << position;
}

void expect_every_format(std::int64_t position, int pair, xpos_side side, const xpos& config) {
  const both_roundings roundings = by_mpfr(position, pair, side, config);
  expect_rounded<double>(roundings, position, pair, side, config);
  expect_rounded<float>(roundings, position, pair, side, config);
  expect_rounded<binary16>(roundings, position, pair, side, config);
  expect_rounded<bfloat16>(roundings, position, pair, side, config);
}

TEST(XposRows, EntriesAreCorrectlyRoundedInFourFormats) {
  std::mt19937_64 random(11);
  for (const xpos& config :
       {xpos{.rotary_dim = 64, .length = 2048}, xpos{.rotary_dim = 128, .length = 131072},
        xpos{.base = 500000, .rotary_dim = 18},
        xpos{.base = 100, .rotary_dim = 1024, .scale_base = 100, .length = 333}})
    for (int time = 0; time < 60; ++time)
      expect_every_format(static_cast<std::int64_t>(random() % 131071) + 1,
                          static_cast<int>(random() % static_cast<unsigned>(config.rotary_dim / 2)),
                          random() % 2 == 0 ? xpos_side::query : xpos_side::key, config);
}

TEST(XposRows, EntriesOverflowAndUnderflowAsTheFormatsDo) {
  const xpos steep{.rotary_dim = 16, .scale_base = 1};
  for (const std::int64_t position : {3, 9, 13, 77, 80, 560, 566, 590, 598, 700, -700})
    for (const xpos_side side : {xpos_side::query, xpos_side::key})
      for (const int pair : {0, 3, 7}) expect_every_format(position, pair, side, steep);
  EXPECT_EQ(magnitude<float>(round_xpos_entry<float>(0, 700, xpos_side::key, steep).cos),
            format<float>::infinity);
  EXPECT_EQ(magnitude<float>(round_xpos_entry<float>(0, 700, xpos_side::query, steep).cos), 0u);
}

TEST(XposRows, ARowHoldsEveryPair) {
  const xpos config{.rotary_dim = 10, .length = 9};
  const auto row = xpos_row<float>(8, xpos_side::key, config);
  ASSERT_EQ(row.size(), 5u);
  for (int pair = 0; pair < 5; ++pair) {
    const auto entry = round_xpos_entry<float>(pair, 8, xpos_side::key, config);
    EXPECT_EQ(row[static_cast<std::size_t>(pair)].cos, entry.cos);
    EXPECT_EQ(row[static_cast<std::size_t>(pair)].sin, entry.sin);
  }
}

}  // namespace
}  // namespace ropewalk
