// The reference's buckets against the definition: its logarithms in fifty digits, and integer powers where
// the quotient of logarithms is a whole number.

#include "ropewalk/reference/t5_bias.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include <boost/multiprecision/cpp_dec_float.hpp>

namespace ropewalk::reference {
namespace {

using boost::multiprecision::cpp_dec_float_50;
using boost::multiprecision::cpp_int;

/// Whether the quotient of logarithms is the whole number `step`.
bool is_tie(int distance, int step, const t5_bias& config) {
  const auto exact = exact_buckets(config), growing = buckets_per_direction(config) - exact;
  const auto power = [](int x, int exponent) -> cpp_int {
    return pow(cpp_int(x), static_cast<unsigned>(exponent));
  };
  return power(distance, growing) * power(exact, step) ==
         power(config.max_distance, step) * power(exact, growing);
}

TEST(ReferenceT5Bias, IsTheFloorOfTheQuotientOfLogarithms) {
  for (const t5_bias& config :
       {t5_bias{}, t5_bias{.bidirectional = false}, t5_bias{.buckets = 320, .max_distance = 800},
        t5_bias{.buckets = 10, .max_distance = 97, .bidirectional = false}}) {
    const int exact = exact_buckets(config), all = buckets_per_direction(config);
    for (int distance = exact; distance <= 2 * config.max_distance; ++distance) {
      const cpp_dec_float_50 quotient = log(cpp_dec_float_50(distance) / exact) /
                                        log(cpp_dec_float_50(config.max_distance) / exact) * (all - exact);
      const int nearest = cpp_dec_float_50(floor(cpp_dec_float_50(quotient + 0.5))).convert_to<int>();
      const int step =
          is_tie(distance, nearest, config) ? nearest : cpp_dec_float_50(floor(quotient)).convert_to<int>();
      EXPECT_EQ(t5_bucket(-distance, config), step < all - exact ? exact + step : all - 1) << distance;
    }
  }
}

TEST(ReferenceT5Bias, RunsOfDistancesAreTheSingleOnes) {
  const t5_bias config{.buckets = 20, .max_distance = 90};
  const std::vector<int> run = t5_buckets_behind(config, 100);
  ASSERT_EQ(run.size(), 101U);
  for (std::size_t distance = 0; distance < run.size(); ++distance)
    EXPECT_EQ(run[distance], t5_bucket(-static_cast<std::int64_t>(distance), config));
}

TEST(ReferenceT5Bias, KeysAheadHaveTheOtherHalfOrNone) {
  EXPECT_EQ(t5_bucket(3, {}), 19);
  EXPECT_EQ(t5_bucket(3, {.bidirectional = false}), 0);
  EXPECT_EQ(t5_bucket(0, {}), 0);
  EXPECT_THROW(t5_bucket(0, {.buckets = 0}), std::invalid_argument);
}

}  // namespace
}  // namespace ropewalk::reference
