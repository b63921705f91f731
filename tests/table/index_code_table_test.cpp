// Tables of index codes against rationals and MPFR, in every format, including ties.

#include "ropewalk/table/index_code_table.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <stdexcept>
#include <vector>

#include "oracle/rope_oracle.hpp"
#include "ropewalk/reference/index_code.hpp"

namespace ropewalk {
namespace {

static_assert(index_code_table<float, index_code{.kind = index_code_kind::binary, .width = 2},
                               position_range{0, 4}>[1][0] == 1);
static_assert(index_code_table<double, index_code{.kind = index_code_kind::sine_only, .width = 2},
                               position_range{0, 4}>[1][0] == 0.8414709848078965);

/// A rational number rounded once, from a bracket of MPFR numbers with enough bits to hold a tie exactly.
template <floating_format Float>
bits_of<Float> rounded_rational(const boost::multiprecision::cpp_rational& value) {
  return oracle::rounded<Float>([&](mpfr_prec_t bits) { return oracle::detail::bracket_of(value, bits); });
}

template <floating_format Float>
std::int64_t wrong_among(const index_code& config, const std::vector<std::int64_t>& positions) {
  std::int64_t wrong = 0;
  for (const std::int64_t position : positions)
    for (int column = 0; column < config.width; ++column)
      wrong += round_index_code<Float>(position, column, config) !=
               rounded_rational<Float>(reference::index_code_value(position, column, config));
  return wrong;
}

std::int64_t wrong_in_all_formats(const index_code& config, const std::vector<std::int64_t>& positions) {
  return wrong_among<double>(config, positions) + wrong_among<float>(config, positions) +
         wrong_among<binary16>(config, positions) + wrong_among<bfloat16>(config, positions);
}

template <index_code Config>
void expect_rows_of_run_time() {
  constexpr position_range positions{0, detail::longest_column + 9};
  const auto& table = index_code_table<float, Config, positions>;
  const auto rows = index_codes<float>(positions, Config);
  ASSERT_EQ(table.size() * table[0].size(), rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    EXPECT_EQ(to_bits(table[i / table[0].size()][i % table[0].size()]), rows[i]) << i;
}

TEST(IndexCodeTable, HasTheRowsOfRunTimeBeyondOneBlock) {
  expect_rows_of_run_time<index_code{.kind = index_code_kind::sine_only, .width = 3}>();
  expect_rows_of_run_time<index_code{.kind = index_code_kind::binary, .width = 11}>();
}

TEST(IndexCodeTable, IntegersAreRoundedToNearestEven) {
  std::vector<std::int64_t> positions;
  for (int k = 0; k <= 31; ++k)
    for (const std::int64_t nudge : {-3, -1, 0, 1, 3}) positions.push_back((std::int64_t{1} << k) + nudge);
  EXPECT_EQ(wrong_in_all_formats({}, positions), 0);
  EXPECT_EQ(round_index_code<float>(16777217, 0, {}), to_bits(16777216.0f));  // a tie
  EXPECT_EQ(round_index_code<bfloat16>(257, 0, {}), round_index_code<bfloat16>(256, 0, {}));
  EXPECT_EQ(round_index_code<binary16>(65520, 0, {}), format<binary16>::infinity);
}

TEST(IndexCodeTable, NormalisedCodesAreRoundedToNearestEven) {
  for (const std::int64_t length : {1, 2, 3, 5, 100, 1025, 4097, 131072, 2097153}) {
    std::vector<std::int64_t> positions;
    for (std::int64_t p = 0; p < length; p += 1 + length / 300) positions.push_back(p);
    positions.push_back(length - 1);
    EXPECT_EQ(wrong_in_all_formats({.kind = index_code_kind::normalised, .length = length}, positions), 0)
        << length;
  }
}

TEST(IndexCodeTable, BinaryCodesAreZerosAndOnes) {
  for (const bit_order order : {bit_order::lsb, bit_order::msb})
    EXPECT_EQ(wrong_in_all_formats({.kind = index_code_kind::binary, .width = 17, .order = order},
                                   {0, 1, 5, 65535, 65536, 131071}),
              0);
}

TEST(IndexCodeTable, SineOnlyCodesAreCorrectlyRounded) {
  const index_code config{.kind = index_code_kind::sine_only, .width = 24};
  std::mt19937_64 random(1);
  for (int i = 0; i < 20; ++i) {
    const auto position = i == 0 ? std::int64_t{1} : static_cast<std::int64_t>(random() % 131072) + 1;
    const auto f64 = index_codes<double>({position, position + 1}, config);
    const auto f32 = index_codes<float>({position, position + 1}, config);
    const auto f16 = index_codes<binary16>({position, position + 1}, config);
    const auto bf16 = index_codes<bfloat16>({position, position + 1}, config);
    for (int column = 0; column < config.width; ++column) {
      const auto truth = oracle::rounded_to_all(
          [&](mpfr_prec_t bits) {
            const auto sine = oracle::detail::in_precision(bits, [&] {
              return reference::sine_only_value<oracle::detail::boost_number>(static_cast<double>(position),
                                                                              column, config);
            });
            return oracle::detail::widened(sine, 1 - bits);
          },
          128);
      const auto at = static_cast<std::size_t>(column);
      EXPECT_EQ(f64[at], truth.in<double>()) << position << " " << column;
      EXPECT_EQ(f32[at], truth.in<float>());
      EXPECT_EQ(f16[at], truth.in<binary16>());
      EXPECT_EQ(bf16[at], truth.in<bfloat16>());
    }
  }
}

TEST(IndexCodeTable, TheCompilersTableIsThatOfRunTime) {
  constexpr index_code config{.kind = index_code_kind::sine_only, .width = 3};
  constexpr auto& table = index_code_table<float, config, position_range{-2, 6}>;
  const auto rows = index_codes<float>({-2, 6}, config);
  for (std::size_t i = 0; i < 8; ++i)
    for (std::size_t column = 0; column < 3; ++column)
      EXPECT_EQ(to_bits(table[i][column]), rows[3 * i + column]);
}

TEST(IndexCodeTable, RefusesARangeThatLeavesTheCode) {
  const index_code two{.kind = index_code_kind::binary, .width = 2};
  EXPECT_EQ(index_codes<float>({0, 4}, two).size(), 8u);
  EXPECT_THROW(index_codes<float>({0, 5}, two), std::invalid_argument);
  EXPECT_THROW(index_codes<float>({-1, 4}, two), std::invalid_argument);
  EXPECT_THROW(index_codes<float>({0, 0}, two), std::invalid_argument);
}

}  // namespace
}  // namespace ropewalk
