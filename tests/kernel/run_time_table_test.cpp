// Long tables against exact arithmetic, in every format.

#include "kernel/run_time_table.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "oracle/models.hpp"

namespace ropewalk::test {
namespace {

template <class Float>
class RunTimeTable : public testing::Test {};
using formats = testing::Types<double, float, binary16, bfloat16>;
TYPED_TEST_SUITE(RunTimeTable, formats);

TYPED_TEST(RunTimeTable, GivesTheBitsOfExactArithmetic) {
  constexpr rope slow{.base = 1e300, .rotary_dim = 16};
  constexpr rope odd{.base = 10000, .rotary_dim = 22};
  for (const rope& config : {oracle::gpt_neox, oracle::qwen_yarn, slow, odd})
    for (const std::int64_t begin : {std::int64_t{-300}, std::int64_t{131'000}, largest_position - 599}) {
      const run_time_table table(config);
      const rope_rows exact(config);
      const position_range positions{begin, begin + 600};
      const std::size_t entries = 600 * static_cast<std::size_t>(table.pairs());
      std::vector<bits_of<TypeParam>> cos(entries), sin(entries), wanted_cos(entries), wanted_sin(entries);
      const decided_entries decided = table.fill<TypeParam>(positions, cos.data(), sin.data());
      exact.rows<TypeParam>(positions, false, wanted_cos.data(), wanted_sin.data());
      EXPECT_EQ(cos, wanted_cos);
      EXPECT_EQ(sin, wanted_sin);
      EXPECT_EQ(decided.by_sum + decided.by_polynomial + decided.exactly, static_cast<std::int64_t>(entries));
    }
}

}  // namespace
}  // namespace ropewalk::test
