// Laws of the scale of queries: they hold for the exact tables, and each fails on a table with the matching
// fault.

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "law/broken_laws.hpp"
#include "ropewalk/law/table_laws.hpp"

namespace ropewalk::query_scale_laws_test {
namespace {

using example::names;

constexpr query_scale short_steps{.strength = 0.1, .length = 16, .shift = 1};
constexpr position_range some{0, 128};

names broken(const query_scale_source& source, const query_scale& config = short_steps,
             ropewalk_dtype dtype = ROPEWALK_F64) {
  return example::broken(query_scale_laws::all, checked_query_scales{dtype, source, config}, some);
}

/// A source of numbers computed in binary64: number(position, config).
template <class Number>
query_scale_source source_of(Number number) {
  return [number](position_range positions, const query_scale& config) {
    std::vector<std::uint64_t> bits;
    for (std::int64_t p = positions.begin; p < positions.end; ++p)
      bits.push_back(to_bits(static_cast<double>(number(p, config))));
    return bits;
  };
}

double exact(std::int64_t p, const query_scale& config) {
  return from_bits<double>(round_query_scale<double>(p, config));
}

TEST(QueryScaleLaws, HoldForTheExactScalesInEveryFormat) {
  for (const query_scale& config : {short_steps, query_scale{.strength = 3, .length = 5}})
    for_each_format([&]<class Float>() {
      const query_scale_source scales = [](position_range positions, const query_scale& own_config) {
        return widened(query_scales<Float>(positions, own_config));
      };
      EXPECT_EQ(broken(scales, config, dtype_of<Float>), names{}) << config.length;
    });
}

TEST(QueryScaleLaws, APositionWithoutItsShiftBreaksSteps) {
  const auto unshifted = source_of([](std::int64_t p, query_scale config) {
    config.shift = 0;
    return exact(p, config);
  });
  EXPECT_EQ(broken(unshifted), (names{"scale-steps", "scale-rounded-once"}));
}

TEST(QueryScaleLaws, AShiftTooManyBreaksOneAndSteps) {
  const auto shifted =
      source_of([](std::int64_t p, const query_scale& config) { return exact(p + 1, config); });
  EXPECT_EQ(broken(shifted), (names{"scale-one", "scale-steps", "scale-rounded-once"}));
}

TEST(QueryScaleLaws, AQuotientThatIsNotRoundedBreaksOneAndSteps) {
  const auto smooth = source_of([](std::int64_t p, const query_scale& config) {
    return 1 + config.strength *
                   std::log1p(static_cast<double>(p + config.shift) / static_cast<double>(config.length));
  });
  EXPECT_EQ(broken(smooth), (names{"scale-one", "scale-steps", "scale-rounded-once"}));
}

TEST(QueryScaleLaws, AnInvertedScaleBreaksRising) {
  const auto inverted =
      source_of([](std::int64_t p, const query_scale& config) { return 1 / exact(p, config); });
  EXPECT_EQ(broken(inverted), (names{"scale-rising", "scale-rounded-once"}));
}

TEST(QueryScaleLaws, OneUlpBreaksRoundedOnceAlone) {
  const auto off = source_of([](std::int64_t p, const query_scale& config) {
    const double scale = exact(p, config);
    return scale == 1 ? scale : std::nextafter(scale, 2.0);
  });
  EXPECT_EQ(broken(off), names{"scale-rounded-once"});
}

TEST(QueryScaleLaws, NotANumberAndNegativeNumbersBreakRising) {
  for (const double bad : {std::nan(""), -std::nan(""), -1.0}) {
    const auto source = source_of(
        [=](std::int64_t p, const query_scale& config) { return p == 64 ? bad : exact(p, config); });
    EXPECT_TRUE(broken(source).contains("scale-rising")) << bad;
  }
}

TEST(QueryScaleLaws, ATableOfAnotherSizeIsRefused) {
  const checked_query_scales short_one{
      ROPEWALK_F64, [](position_range, const query_scale&) { return std::vector<std::uint64_t>(3); },
      short_steps};
  for (const auto& law : query_scale_laws::all)
    EXPECT_THROW(law.measure(short_one, some), std::invalid_argument) << law.name;
}

}  // namespace
}  // namespace ropewalk::query_scale_laws_test
