// The scale of queries: literal values, exactness in the first step, refusals.

#include "ropewalk/encoding/query_scale.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <string>

#include "ropewalk/numeric/round.hpp"

namespace ropewalk {
namespace {

constexpr query_scale llama_4{.strength = 0.1, .length = 8192, .shift = 1};
constexpr query_scale ministral_3{.strength = 0.1, .length = 16384};

double scale(std::int64_t position, const query_scale& config) {
  return from_bits<double>(round<double>(query_scale_at<4>(position, config)).bits);
}

TEST(QueryScale, BeginsWhereTheModelsSay) {
  EXPECT_EQ(scale(8190, llama_4), 1);
  EXPECT_EQ(scale(8191, llama_4), 1.0693147180559945);
  EXPECT_EQ(scale(16383, ministral_3), 1);
  EXPECT_EQ(scale(16384, ministral_3), 1.0693147180559945);
  EXPECT_EQ(scale(131071, llama_4), 1 + 0.1 * std::log(17));
}

TEST(QueryScale, IsExactInTheFirstStepAndWithoutStrength) {
  EXPECT_TRUE(is_exact(query_scale_at<2>(0, llama_4)));
  EXPECT_TRUE(is_exact(query_scale_at<2>(8190, llama_4)));
  EXPECT_FALSE(is_exact(query_scale_at<2>(8191, llama_4)));
  EXPECT_TRUE(is_exact(query_scale_at<2>(1000000, {.strength = 0, .length = 1})));
}

TEST(QueryScale, StepsEndOnePositionEarlierWithTheShift) {
  for (const query_scale& config :
       {llama_4, ministral_3, query_scale{.strength = 1, .length = 1, .shift = 1}})
    for (std::int64_t step = 1; step < 40; ++step) {
      const std::int64_t first = first_of_step(step, config);
      EXPECT_EQ(scale_step(first, config), step);
      if (first > 0) {
        EXPECT_EQ(scale_step(first - 1, config), step - 1);
      }
    }
  EXPECT_EQ(first_of_step(0, llama_4), 0);
  EXPECT_EQ(scale_step(2147483647, {.strength = 1, .length = 1, .shift = 1}), 2147483648);
}

std::string scale_refusal(const query_scale& config, std::int64_t position) {
  try {
    query_scale_at<2>(position, config);
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "";
}

TEST(QueryScale, RefusesWithFieldValueAndWhatIsAllowed) {
  EXPECT_EQ(scale_refusal({.strength = -0.5}, 0), "strength is -0.5; allowed: a finite number from 0 up");
  EXPECT_EQ(scale_refusal({.strength = std::nan("")}, 0),
            "strength is nan; allowed: a finite number from 0 up");
  EXPECT_EQ(scale_refusal({.strength = HUGE_VAL}, 0), "strength is inf; allowed: a finite number from 0 up");
  EXPECT_EQ(scale_refusal({.length = 0}, 0), "length is 0; allowed: a whole number from 1 to 2147483648");
  EXPECT_EQ(scale_refusal({.length = 2147483649}, 0),
            "length is 2147483649; allowed: a whole number from 1 to 2147483648");
  EXPECT_EQ(scale_refusal({.shift = 2}, 0), "shift is 2; allowed: 0 or 1");
  EXPECT_EQ(scale_refusal(llama_4, -1), "position is -1; allowed: a number from 0 to 2147483647");
  EXPECT_EQ(scale_refusal(llama_4, 2147483648),
            "position is 2147483648; allowed: a number from 0 to 2147483647");
  EXPECT_THROW(query_scale_of_step<2>(-1, llama_4), std::invalid_argument);
}

}  // namespace
}  // namespace ropewalk
