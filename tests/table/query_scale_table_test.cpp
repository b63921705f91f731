// Tables of the scale of queries against MPFR, in every format; the compiler's table is that of run time.

#include "ropewalk/table/query_scale_table.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <stdexcept>

#include "oracle/rope_oracle.hpp"
#include "ropewalk/reference/query_scale.hpp"

namespace ropewalk {
namespace {

constexpr query_scale llama_4{.strength = 0.1, .length = 8192, .shift = 1};
static_assert(query_scale_table<double, llama_4, position_range{8190, 8192}>[0] == 1);
static_assert(query_scale_table<double, llama_4, position_range{8190, 8192}>[1] == 1.0693147180559945);

/// Number of formats in which the scale is not MPFR's.
int wrong_in_formats(std::int64_t position, const query_scale& config) {
  const auto truth = oracle::rounded_to_all(
      [&](mpfr_prec_t bits) {
        const auto scale = oracle::detail::in_precision(bits, [&] {
          return reference::query_scale_value<oracle::detail::boost_number>(position, config);
        });
        return oracle::detail::widened(scale, 4 - bits);
      },
      128);
  int wrong = 0;
  for_each_format([&]<class Float>() {
    wrong += round_query_scale<Float>(position, config) != truth.template in<Float>() ? 1 : 0;
  });
  return wrong;
}

TEST(QueryScaleTable, IsCorrectlyRoundedInEveryFormat) {
  std::mt19937_64 random(1);
  int wrong = 0;
  for (int i = 0; i < 400; ++i) {
    query_scale config{.strength = i % 2 == 0 ? 0.1
                                              : std::ldexp(1 + static_cast<double>(random() >> 12) * 0x1p-52,
                                                           static_cast<int>(random() % 12) - 8),
                       .length = static_cast<std::int64_t>(1 + (random() >> (48 + random() % 12))),
                       .shift = static_cast<int>(random() % 2)};
    const auto position = static_cast<std::int64_t>(random() >> 33 >> random() % 31);
    if (scale_step(position, config) == 0)
      EXPECT_EQ(round_query_scale<float>(position, config), to_bits(1.0f));
    else
      wrong += wrong_in_formats(position, config);
  }
  EXPECT_EQ(wrong, 0);
}

TEST(QueryScaleTable, TheCompilersTableIsThatOfRunTime) {
  constexpr position_range positions{8000, 33000};
  constexpr auto& table = query_scale_table<float, llama_4, positions>;
  const auto made = query_scales<float>(positions, llama_4);
  ASSERT_EQ(table.size(), made.size());
  for (std::size_t i = 0; i < made.size(); ++i) {
    EXPECT_EQ(to_bits(table[i]), made[i]);
    EXPECT_EQ(made[i], round_query_scale<float>(positions.begin + static_cast<std::int64_t>(i), llama_4));
  }
}

TEST(QueryScaleTable, OverflowsToInfinityAndServesStepsOfOnePosition) {
  constexpr query_scale steep{.strength = 60000, .length = 1};
  EXPECT_EQ(round_query_scale<binary16>(1, steep) < format<binary16>::infinity, true);
  EXPECT_EQ(round_query_scale<binary16>(3, steep), format<binary16>::infinity);
  EXPECT_EQ(query_scales<float>({0, 5}, steep).size(), 5u);
}

TEST(QueryScaleTable, RefusesPositionsBelowZero) {
  EXPECT_THROW(query_scales<float>({-1, 4}, llama_4), std::invalid_argument);
  EXPECT_THROW(query_scales<float>({4, 4}, llama_4), std::invalid_argument);
  EXPECT_THROW(round_query_scale<float>(-1, llama_4), std::invalid_argument);
}

}  // namespace
}  // namespace ropewalk
