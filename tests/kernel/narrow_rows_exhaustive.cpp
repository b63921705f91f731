// Tables of 16-bit formats against exact arithmetic: every entry of four models up to position 2^20, and as
// many at the other end of the positions.

#include <gtest/gtest.h>

#include <cstdint>
#include <iostream>
#include <vector>

#include "kernel/run_time_table.hpp"
#include "oracle/every_core.hpp"
#include "oracle/models.hpp"

namespace ropewalk::test {
namespace {

template <class Narrow>
class NarrowRowsExhaustive : public testing::Test {};
using narrow_formats = testing::Types<binary16, bfloat16>;
TYPED_TEST_SUITE(NarrowRowsExhaustive, narrow_formats);

TYPED_TEST(NarrowRowsExhaustive, EveryEntryOfFourModels) {
  constexpr std::int64_t rows = 1 << 20, rows_at_once = 1 << 12;
  constexpr rope still_pairs{
      .base = 10000, .rotary_dim = 64, .scaling = proportional{.live_pairs = 8, .factor = 1}};
  for (const rope& config : {oracle::llama_2, oracle::llama_31, oracle::qwen_yarn, still_pairs}) {
    const run_time_table table(config);
    const auto entries = static_cast<std::size_t>(rows_at_once * table.pairs());
    const std::int64_t wrong = oracle::on_every_core(2 * rows / rows_at_once, [&](std::int64_t index) {
      const std::int64_t first = index * rows_at_once;
      const std::int64_t begin = first < rows ? first : smallest_position + first - rows;
      const position_range positions{begin, begin + rows_at_once};
      std::vector<std::uint16_t> cos(entries), sin(entries), wanted_cos(entries), wanted_sin(entries);
      table.fill<TypeParam>(positions, cos.data(), sin.data());
      table.exact().template rows<TypeParam>(positions, false, wanted_cos.data(), wanted_sin.data());
      std::int64_t r = 0;
      for (std::size_t i = 0; i < entries; ++i) r += (cos[i] != wanted_cos[i]) + (sin[i] != wanted_sin[i]);
      return r;
    });
    EXPECT_EQ(wrong, 0);
    std::cout << 4 * rows * table.pairs() << " entries, wrong: " << wrong << "\n";
  }
}

}  // namespace
}  // namespace ropewalk::test
