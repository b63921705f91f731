// Tables computed at compile time have the bits of the run-time rows and of MPFR.

#include "ropewalk/table/sinusoidal_table.hpp"

#include <gtest/gtest.h>

#include "oracle/sinusoidal_oracle.hpp"

namespace ropewalk {
namespace {

constexpr sinusoidal paper{.d_model = 16};
constexpr sinusoidal fairseq{
    .d_model = 9, .shift = 1, .layout = sinusoidal_layout::sin_cos, .odd = odd_width::zero, .padding_idx = 1};
constexpr sinusoidal musicgen{.d_model = 8, .shift = 1, .layout = sinusoidal_layout::cos_sin};

static_assert(sinusoidal_table<double, paper, position_range{0, 2}>[0][0] == 0);
static_assert(sinusoidal_table<double, paper, position_range{0, 2}>[0][1] == 1);
static_assert(sinusoidal_table<double, paper, position_range{0, 2}>[1][0] == 0.8414709848078965);

template <floating_format Float, sinusoidal Config, position_range Positions>
void expect_correct() {
  const auto& table = sinusoidal_table<Float, Config, Positions>;
  const auto at_run_time = sinusoidal_encodings<Float>(Positions, Config);
  const oracle::sinusoidal_oracle oracle(Config);
  ASSERT_EQ(table.size(), static_cast<std::size_t>(size(Positions)));
  for (std::size_t i = 0; i < table.size(); ++i) {
    const auto truth = oracle.row(static_cast<double>(Positions.begin) + static_cast<double>(i));
    ASSERT_EQ(table[i].size(), truth.size());
    for (std::size_t channel = 0; channel < truth.size(); ++channel) {
      EXPECT_EQ(to_bits(table[i][channel]), truth[channel].in<Float>()) << i << " " << channel;
      EXPECT_EQ(to_bits(table[i][channel]), at_run_time[i * truth.size() + channel]);
    }
  }
}

TEST(SinusoidalTable, IsCorrectlyRoundedInFourFormats) {
  expect_correct<double, paper, position_range{0, 20}>();
  expect_correct<float, paper, position_range{131060, 131072}>();
  expect_correct<binary16, paper, position_range{0, 20}>();
  expect_correct<bfloat16, paper, position_range{-5, 5}>();
}

TEST(SinusoidalTable, IsCorrectlyRoundedInOtherConventions) {
  expect_correct<float, fairseq, position_range{-4, 20}>();
  expect_correct<float, musicgen, position_range{0, 20}>();
}

TEST(SinusoidalTable, IsCorrectlyRoundedBeyondOneBlock) {
  constexpr sinusoidal odd{.d_model = 5, .odd = odd_width::zero, .padding_idx = 1};
  expect_correct<float, odd, position_range{-300, detail::longest_column}>();
#ifndef ROPEWALK_SAMPLED  // the compiler makes this table under ./dev prove alone
  expect_correct<double, sinusoidal{.d_model = 2}, position_range{0, detail::longest_column + 1}>();
#endif
}

// More pairs than clang's limit on fold expressions, and position 0, which no rounding of a walk decides.
TEST(SinusoidalTable, IsCorrectlyRoundedForMoreThan512Channels) {
  expect_correct<float, sinusoidal{.d_model = 516}, position_range{0, 2}>();
}

TEST(SinusoidalTable, PaddingHasARowOfZeros) {
  for (const float entry : sinusoidal_table<float, fairseq, position_range{-4, 20}>[3])
    EXPECT_EQ(to_bits(entry), 0u);
}

}  // namespace
}  // namespace ropewalk
