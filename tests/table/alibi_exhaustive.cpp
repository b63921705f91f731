// ALiBi's biases against MPFR: every distance below 131,072 in every head of models with 12, 40 and 112
// heads, in every format.

#include <gtest/gtest.h>

#include <cstdint>

#include "oracle/alibi_oracle.hpp"
#include "ropewalk/table/alibi_table.hpp"

namespace ropewalk {
namespace {

TEST(AlibiExhaustive, EveryDistanceBelow131072) {
  std::int64_t entries = 0, wrong = 0;
  for (const int heads : {12, 40, 112}) {
    const alibi_biases biases(alibi{.heads = heads});
    for (int head = 0; head < heads; ++head)
      for (std::int64_t distance = 0; distance < 131072; ++distance, ++entries) {
        const oracle::four_roundings roundings{
            biases.entry<double>(head, distance), biases.entry<float>(head, distance),
            biases.entry<binary16>(head, distance), biases.entry<bfloat16>(head, distance)};
        wrong += roundings == oracle::alibi_bias_in_all_formats(head, heads, -distance) ? 0 : 1;
      }
  }
  EXPECT_EQ(entries, 164 * 131072);
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace ropewalk
