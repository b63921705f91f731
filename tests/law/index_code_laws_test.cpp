// Laws of index codes: they hold for the exact tables, and each fails on a table with the matching fault.

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <vector>

#include "law/broken_laws.hpp"
#include "ropewalk/law/table_laws.hpp"
#include "ropewalk/table/index_code_table.hpp"

namespace ropewalk::index_code_laws_test {
namespace {

using example::names;

constexpr std::int64_t length = 128;
constexpr index_code integer{};
constexpr index_code normalised{.kind = index_code_kind::normalised, .length = length};
constexpr index_code seven_bits{.kind = index_code_kind::binary, .width = 7};
constexpr index_code sines{.kind = index_code_kind::sine_only, .width = 8};

/// Names of the laws that a table breaks.
names broken(const index_code_source& source, const index_code& config, ropewalk_dtype dtype = ROPEWALK_F32) {
  return example::broken(index_code_laws::all, checked_index_codes{dtype, source, config}, {0, length});
}

/// A source of numbers computed in binary64: number(position, column, config, number of requested positions).
template <class Number>
index_code_source source_of(Number number) {
  return [number](position_range positions, const index_code& config) {
    std::vector<std::uint64_t> bits;
    for (std::int64_t p = positions.begin; p < positions.end; ++p)
      for (int column = 0; column < config.width; ++column)
        bits.push_back(to_bits(static_cast<float>(number(p, column, config, size(positions)))));
    return bits;
  };
}

TEST(IndexCodeLaws, HoldForTheExactCodesInEveryFormat) {
  index_code slow_first = seven_bits;
  slow_first.order = bit_order::msb;
  for (const index_code& config : {integer, normalised, seven_bits, slow_first, sines})
    for_each_format([&]<class Float>() {
      const index_code_source exact = [](position_range positions, const index_code& code) {
        return widened(index_codes<Float>(positions, code));
      };
      EXPECT_EQ(broken(exact, config, dtype_of<Float>), names{}) << name_of(config.kind);
    });
}

TEST(IndexCodeLaws, AGrayCodeIsUniqueAndBreaksBitPeriod) {
  const auto gray = source_of([](std::int64_t p, int column, const index_code&, std::int64_t) {
    return ((p ^ (p >> 1)) >> column) & 1;
  });
  EXPECT_EQ(broken(gray, seven_bits), (names{"bit-period", "code-rounded-once"}));
}

TEST(IndexCodeLaws, BitsInTheOtherOrderBreakBitPeriod) {
  const auto reversed = source_of([](std::int64_t p, int column, const index_code& config, std::int64_t) {
    return (p >> (config.width - 1 - column)) & 1;
  });
  EXPECT_EQ(broken(reversed, seven_bits), (names{"bit-period", "code-rounded-once"}));
}

TEST(IndexCodeLaws, AWrappedPositionBreaksUnique) {
  const auto wrapped = source_of(
      [](std::int64_t p, int column, const index_code&, std::int64_t) { return (p % 64 >> column) & 1; });
  EXPECT_TRUE(broken(wrapped, seven_bits).contains("code-unique"));
}

TEST(IndexCodeLaws, DigitsBesideZeroAndOneBreakRange) {
  const auto signs = source_of([](std::int64_t p, int column, const index_code&, std::int64_t) {
    return ((p >> column) & 1) * 2 - 1;
  });
  EXPECT_TRUE(broken(signs, seven_bits).contains("code-range"));
}

TEST(IndexCodeLaws, ANormalisationByTheLengthAskedForBreaksSameCode) {
  const auto by_range = source_of([](std::int64_t p, int, const index_code&, std::int64_t count) {
    return static_cast<double>(p) / static_cast<double>(count - 1);
  });
  EXPECT_EQ(broken(by_range, normalised), names{"same-code"});  // correct at this one length
}

TEST(IndexCodeLaws, ANormalisationByTheWholeLengthBreaksRoundedOnce) {
  const auto by_length = source_of([](std::int64_t p, int, const index_code& config, std::int64_t) {
    return static_cast<double>(p) / static_cast<double>(config.length);
  });
  EXPECT_EQ(broken(by_length, normalised), names{"code-rounded-once"});
}

TEST(IndexCodeLaws, PositionsCountedFromOneBreakRoundedOnce) {
  const auto from_one = source_of([](std::int64_t p, int, const index_code&, std::int64_t) { return p + 1; });
  EXPECT_EQ(broken(from_one, integer), names{"code-rounded-once"});
}

TEST(IndexCodeLaws, PairedFrequenciesBreakRoundedOnce) {
  const auto paired = source_of([](std::int64_t p, int column, const index_code& config, std::int64_t) {
    return std::sin(static_cast<double>(p) * std::pow(config.base, -(column / 2 * 2.0) / config.width));
  });
  EXPECT_EQ(broken(paired, sines), names{"code-rounded-once"});
}

TEST(IndexCodeLaws, NotANumberBreaksRange) {
  const auto none =
      source_of([](std::int64_t, int, const index_code&, std::int64_t) { return std::nan(""); });
  for (const index_code& config : {normalised, seven_bits, sines})
    EXPECT_TRUE(broken(none, config).contains("code-range"));
}

TEST(IndexCodeLaws, ATableOfAnotherSizeIsRefused) {
  const checked_index_codes short_one{
      ROPEWALK_F32, [](position_range, const index_code&) { return std::vector<std::uint64_t>(3); },
      seven_bits};
  for (const auto& law : index_code_laws::all)
    if (law.applies(short_one)) {
      EXPECT_THROW(law.measure(short_one, {0, length}), std::invalid_argument) << law.name;
    }
}

}  // namespace
}  // namespace ropewalk::index_code_laws_test
