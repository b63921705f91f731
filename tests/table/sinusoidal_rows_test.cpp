// Rows of the sinusoidal encoding against MPFR: every convention, every format, positions sampled up to
// 131,072 and beyond.

#include "ropewalk/table/sinusoidal_rows.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <stdexcept>
#include <vector>

#include "oracle/sinusoidal_oracle.hpp"

namespace ropewalk {
namespace {

/// Every combination of conventions, for one width.
std::vector<sinusoidal> conventions(int d_model, double base) {
  std::vector<sinusoidal> conventions;
  for (const double shift : {0, 1})
    for (const auto layout :
         {sinusoidal_layout::interleaved, sinusoidal_layout::sin_cos, sinusoidal_layout::cos_sin})
      for (const given<int> padding : {given<int>{}, given<int>{1}})
        conventions.push_back({base, d_model, shift, layout, odd_width::zero, padding, 1});
  return conventions;
}

/// Number of wrong entries of one position, over all formats.
std::int64_t wrong_at(double position, const sinusoidal_rows& rows, const oracle::sinusoidal_oracle& oracle) {
  const auto truth = oracle.row(position);
  const auto in = [&]<floating_format Float>(Float) {
    std::vector<bits_of<Float>> row(truth.size(), bits_of<Float>{1});
    rows.row<Float>(position, row.data());
    return oracle::wrong_entries_of<Float>(row.data(), truth);
  };
  return in(double{}) + in(float{}) + in(binary16{}) + in(bfloat16{});
}

std::int64_t wrong_in_walk(position_range positions, const sinusoidal& config,
                           const oracle::sinusoidal_oracle& oracle) {
  const auto f64 = sinusoidal_encodings<double>(positions, config);
  const auto f32 = sinusoidal_encodings<float>(positions, config);
  const auto f16 = sinusoidal_encodings<binary16>(positions, config);
  const auto bf16 = sinusoidal_encodings<bfloat16>(positions, config);
  std::int64_t wrong = 0;
  for (std::int64_t n = 0; n < size(positions); ++n) {
    const auto truth = oracle.row(static_cast<double>(positions.begin + n));
    const std::size_t at = static_cast<std::size_t>(n) * truth.size();
    wrong +=
        oracle::wrong_entries_of<double>(&f64[at], truth) + oracle::wrong_entries_of<float>(&f32[at], truth);
    wrong += oracle::wrong_entries_of<binary16>(&f16[at], truth) +
             oracle::wrong_entries_of<bfloat16>(&bf16[at], truth);
  }
  return wrong;
}

TEST(SinusoidalRows, EveryConventionIsCorrectlyRounded) {
  std::mt19937_64 random(1);
  for (const int d_model : {2, 7, 64, 513})
    for (const sinusoidal& config : conventions(d_model, 10000)) {
      const sinusoidal_rows rows(config);
      const oracle::sinusoidal_oracle oracle(config);
      for (const double position : {-1.0, 0.0, 1.0, 131071.0, 131072.0})
        EXPECT_EQ(wrong_at(position, rows, oracle), 0) << d_model << " at " << position;
      for (int i = 0; i < 3; ++i) {
        const auto position = static_cast<double>(random() % 131072);
        EXPECT_EQ(wrong_at(position, rows, oracle), 0) << d_model << " at " << position;
      }
    }
}

TEST(SinusoidalRows, SampledPositionsOfTheWidestAreCorrectlyRounded) {
  std::mt19937_64 random(2);
  for (const double base : {10000.0, 100000.0}) {
    const sinusoidal config{.base = base, .d_model = 1024};
    const sinusoidal_rows rows(config);
    const oracle::sinusoidal_oracle oracle(config);
    for (int i = 0; i < 40; ++i) {
      const auto position = static_cast<double>(random() % 131073);
      EXPECT_EQ(wrong_at(position, rows, oracle), 0) << position;
    }
    for (const auto position : {smallest_position, largest_position})
      EXPECT_EQ(wrong_at(static_cast<double>(position), rows, oracle), 0) << position;
  }
}

TEST(SinusoidalRows, WalkedRowsAreCorrectlyRounded) {
  const sinusoidal fairseq{.d_model = 65,
                           .shift = 1,
                           .layout = sinusoidal_layout::sin_cos,
                           .odd = odd_width::zero,
                           .padding_idx = 1};
  for (const sinusoidal& config : {sinusoidal{.d_model = 64}, fairseq}) {
    const oracle::sinusoidal_oracle oracle(config);
    for (const position_range& positions : {position_range{-20, 280}, position_range{131000, 131072},
                                            position_range{largest_position - 3, largest_position + 1}})
      EXPECT_EQ(wrong_in_walk(positions, config, oracle), 0) << config.d_model << " from " << positions.begin;
  }
}

TEST(SinusoidalRows, RealPositionsAreCorrectlyRounded) {
  std::mt19937_64 random(3);
  for (const sinusoidal& config :
       {sinusoidal{.d_model = 64}, sinusoidal{.base = 0x1.8p1023, .d_model = 8, .padding_idx = 0}}) {
    const sinusoidal_rows rows(config);
    const oracle::sinusoidal_oracle oracle(config, 3072);
    std::vector<double> positions{
        0.5, -0.1, 1e22, 1e300, 0x1p-1022, 5e-324, std::numeric_limits<double>::max()};
    for (int i = 0; i < 20; ++i)
      positions.push_back(std::ldexp(static_cast<double>(random() >> 11), -36) - 65536);
    for (const double position : positions) EXPECT_EQ(wrong_at(position, rows, oracle), 0) << position;
  }
}

/// Timesteps of Flux, of Stable Diffusion and of get_timestep_embedding's defaults, and shifts and scales
/// that no model has: at whole and real times, in four formats, against MPFR.
TEST(SinusoidalRows, TimestepsAreCorrectlyRounded) {
  std::mt19937_64 random(5);
  std::int64_t entries = 0;
  for (const sinusoidal& config :
       {sinusoidal{.d_model = 256, .layout = sinusoidal_layout::cos_sin, .scale = 1000},
        sinusoidal{.d_model = 320, .layout = sinusoidal_layout::cos_sin},
        sinusoidal{.d_model = 64, .shift = 1, .layout = sinusoidal_layout::sin_cos},
        sinusoidal{.base = 77, .d_model = 33, .shift = 0.25, .odd = odd_width::zero, .scale = 0.001},
        sinusoidal{.base = 1e6, .d_model = 9, .shift = -0.5, .odd = odd_width::zero, .scale = 0x1p64},
        sinusoidal{.d_model = 8, .shift = -32763, .padding_idx = 1, .scale = 0x1p-60}}) {
    const sinusoidal_rows rows(config);
    const oracle::sinusoidal_oracle oracle(config, 3072);
    std::vector<double> times{0, 1, 0.5, 0.1, 0.3, 1. / 3, 999, -7, 1e-300, 1e300, 5e-324};
    for (int i = 0; i < 12; ++i) times.push_back(std::ldexp(static_cast<double>(random() >> 11), -53));
    for (int i = 0; i < 6; ++i) times.push_back(static_cast<double>(random() % 1000));
    for (const double time : times) {
      EXPECT_EQ(wrong_at(time, rows, oracle), 0) << config.d_model << " at " << time;
      entries += 4 * config.d_model;
    }
    EXPECT_EQ(wrong_in_walk({-3, 40}, config, oracle), 0) << config.d_model;
    entries += 4 * 43 * config.d_model;
  }
  EXPECT_EQ(entries, 198720);
}

TEST(SinusoidalRows, ASineBelowATieIsDecided) {
  // Pair 1 has frequency 2^-1000 exactly, and position 2^53 + 2 has row 2^53 + 3. The angle is the midpoint
  // of two binary64 numbers, of which the upper one is even. Its sine is smaller by a relative 2^-1896, which
  // 1536 bits do not hold.
  const sinusoidal config{.base = 0x1p1000, .d_model = 4, .shift = 1, .padding_idx = 0};
  std::uint64_t row[4];
  sinusoidal_rows(config).row<double>(0x1p53 + 2, row);
  EXPECT_EQ(row[2], to_bits(0x1.0000000000001p-947));
  EXPECT_EQ(round_sinusoidal_entry<double>(0x1p53 + 2, 2, config), row[2]);
  EXPECT_EQ(row[3], to_bits(1.0));
}

TEST(SinusoidalRows, AskedFromAnywhereARowHasTheSameBits) {
  const sinusoidal config{.d_model = 32, .padding_idx = 2};
  const auto whole = sinusoidal_encodings<float>({-600, 600}, config);
  for (const std::int64_t begin : {-599, -256, -1, 0, 1, 255}) {
    const auto part = sinusoidal_encodings<float>({begin, 600}, config);
    for (std::size_t i = 0; i < part.size(); ++i)
      ASSERT_EQ(part[i], whole[i + static_cast<std::size_t>(begin + 600) * 32]);
  }
}

TEST(SinusoidalRows, TheCallOfTheLiteratureGivesThePaper) {
  const std::vector<float> rows = sinusoidal_encoding(100, 64);
  ASSERT_EQ(rows.size(), 6400u);
  EXPECT_EQ(rows[0], 0.0f);
  EXPECT_EQ(rows[1], 1.0f);
  EXPECT_EQ(rows[64], 0.8414709848078965f);
  EXPECT_EQ(rows[65], 0.5403023058681398f);
  for (const std::int64_t seq_len : {1, 100, 256, 257, 600}) {
    const std::vector<float> table = sinusoidal_encoding(seq_len, 64);
    const auto bits = sinusoidal_encodings<float>({0, seq_len}, {.d_model = 64});
    ASSERT_EQ(table.size(), bits.size());
    for (std::size_t i = 0; i < bits.size(); ++i) ASSERT_EQ(to_bits(table[i]), bits[i]);
  }
}

TEST(SinusoidalRows, RefusesBadLengthsWidthsAndPositions) {
  EXPECT_THROW(sinusoidal_encoding(0, 64), std::invalid_argument);
  EXPECT_THROW(sinusoidal_encoding(-1, 64), std::invalid_argument);
  EXPECT_THROW(sinusoidal_encoding(10, 63), std::invalid_argument);
  EXPECT_THROW(sinusoidal_encoding(largest_position + 2, 64), std::invalid_argument);
  EXPECT_THROW(sinusoidal_rows({.d_model = 3}), std::invalid_argument);
  EXPECT_THROW((sinusoidal_encodings<float>({5, 5}, {.d_model = 4})), std::invalid_argument);
  std::uint32_t row[4];
  EXPECT_THROW(sinusoidal_rows({.d_model = 4}).row<float>(std::nan(""), row), std::invalid_argument);
  EXPECT_THROW(round_sinusoidal_entry<float>(HUGE_VAL, 0, {.d_model = 4}), std::invalid_argument);
}

}  // namespace
}  // namespace ropewalk
