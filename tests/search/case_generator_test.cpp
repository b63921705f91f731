#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "kernel/kernels.hpp"
#include "law/law_example.hpp"
#include "search/case_generator.hpp"
#include "search/search.hpp"

namespace ropewalk::search {
namespace {

case_domain domain_for(const law<held_rotation>& one, ropewalk_dtype dtype = ROPEWALK_F32) {
  return {one.needs, dtype, 24, 16, one.needs.one_range ? 13 : -1};
}

std::size_t elements(const law_case& given, std::int64_t heads) {
  return static_cast<std::size_t>(given.batch * given.tokens * heads * given.head_dim);
}

void expect_whole(const law<held_rotation>& one, const law_case& given) {
  RC_ASSERT(given.positions.size() == static_cast<std::size_t>(given.batch * given.tokens));
  RC_ASSERT(given.query.size() == elements(given, given.query_heads));
  RC_ASSERT(given.key.size() == elements(given, given.key_heads));
  RC_ASSERT(given.query_heads >= 1);
  if (one.needs.key) RC_ASSERT(given.key_heads >= 1);
  if (one.needs.as_many_key_heads) RC_ASSERT(given.key_heads == given.query_heads);
  for (const std::int32_t position : given.positions) {
    if (one.needs.position_zero) RC_ASSERT(position == 0);
    const std::int64_t size = std::abs(std::int64_t{position});
    if (one.needs.one_range) RC_ASSERT(size >= 8192 && size < 16384);
  }
}

RC_GTEST_PROP(CaseGenerator, CasesAndTheirSimplerOnesAreWhatTheLawNeeds, ()) {
  const law<held_rotation>& one =
      rotation_laws::all[*rc::gen::inRange<std::size_t>(0, rotation_laws::all.size())];
  const case_domain domain = domain_for(one);
  const law_case given = *cases(domain);
  expect_whole(one, given);
  auto simpler = simpler_cases(domain, given);
  for (int i = 0; i < 60; ++i) {
    const auto next = simpler.next();
    if (!next) break;
    RC_ASSERT(*next != given);
    expect_whole(one, *next);
  }
}

TEST(CaseGenerator, TheSameStreamDrawsTheSameCase) {
  const case_domain domain = domain_for(rotation_laws::canonical);
  EXPECT_EQ(cases(domain)(rc::Random(5)).value(), cases(domain)(rc::Random(5)).value());
  EXPECT_NE(cases(domain)(rc::Random(5)).value(), cases(domain)(rc::Random(6)).value());
}

TEST(CaseGenerator, PositionsAreSmallLargeNegativeAndNextToPowersOfTwo) {
  const case_domain domain = domain_for(rotation_laws::canonical);
  bool small = false, negative = false, near_power = false, beyond_2_30 = false;
  for (std::uint64_t seed = 0; seed < 200; ++seed)
    for (const std::int64_t position : cases(domain)(rc::Random(seed)).value().positions) {
      small |= position >= 0 && position < 4096;
      negative |= position < 0;
      near_power |= position > 4096 && ((position + 1) & position) == 0;
      beyond_2_30 |= position >= std::int64_t{1} << 30;
    }
  EXPECT_TRUE(small && negative && near_power && beyond_2_30);
}

TEST(CaseGenerator, ShapesHaveBatchRowsOddHeadsKeysAndGaps) {
  const case_domain domain = domain_for(rotation_laws::canonical);
  std::set<std::int64_t> batch, heads, gap;
  bool key = false, in_place = false, heads_first = false, every_second = false, backward = false,
       unit = false;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const law_case given = cases(domain)(rc::Random(seed)).value();
    batch.insert(given.batch), heads.insert(given.query_heads), gap.insert(given.gap);
    key |= given.key_heads > 0;
    in_place |= given.in_place;
    heads_first |= given.heads_first;
    every_second |= given.channel_step == 2;
    backward |= (given.flags & ROPEWALK_BACKWARD) != 0;
    unit |= (given.flags & ROPEWALK_UNIT) != 0;
  }
  EXPECT_GE(batch.size(), 3u);
  EXPECT_GE(heads.size(), 3u);
  EXPECT_GE(gap.size(), 3u);
  EXPECT_TRUE(key && in_place && heads_first && every_second && backward && unit);
}

TEST(CaseGenerator, SomeAxisIsLongNowAndThen) {
  const case_domain domain = domain_for(rotation_laws::canonical);
  std::int64_t batch = 0, tokens = 0, query_heads = 0, key_heads = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const law_case given = cases(domain)(rc::Random(seed)).value();
    batch = std::max(batch, given.batch), tokens = std::max(tokens, given.tokens);
    query_heads = std::max(query_heads, given.query_heads), key_heads = std::max(key_heads, given.key_heads);
  }
  EXPECT_EQ(batch, 5);
  EXPECT_EQ(tokens, 33);
  EXPECT_EQ(query_heads, 32);
  EXPECT_EQ(key_heads, 32);
}

TEST(CaseGenerator, MemoryAndTheCallersEnvironmentVary) {
  const case_domain domain = domain_for(rotation_laws::canonical);
  std::set<caller_environment> environments;
  std::uint32_t reversed = 0;
  bool equal_rows = false, wider_output = false;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const law_case given = cases(domain)(rc::Random(seed)).value();
    environments.insert(given.environment);
    reversed |= given.reversed;
    equal_rows |= detail::has_equal_rows(given) && given.positions[0] != 0;
    wider_output |= !given.in_place && given.output_gap > 0;
  }
  EXPECT_EQ(environments.size(), 3u);
  EXPECT_EQ(reversed, 15u);
  EXPECT_TRUE(equal_rows && wider_output);
}

TEST(CaseGenerator, NumbersAreInTheDomainOfTheBoundsWhateverTheFactor) {
  for (const int exponent : {-12, 12}) {
    case_domain domain = domain_for(rotation_laws::accuracy, ROPEWALK_F16);
    domain.attention_exponent = exponent;
    for (std::uint64_t seed = 0; seed < 100; ++seed)
      for (const std::uint64_t bits : cases(domain)(rc::Random(seed)).value().query) {
        const double size =
            std::abs(std::bit_cast<double>(convert<double, binary16>(static_cast<std::uint16_t>(bits))));
        EXPECT_LT(std::ldexp(size, exponent), 0x1p15);
      }
  }
}

TEST(Search, SaysNothingWhereTooLittleIsJudged) {
  // At an attention factor of 2^40 no binary16 output but zero is finite.
  const held_rotation held(
      cpu_table_kernel(), promise::canonical,
      rope{.base = 10000,
           .rotary_dim = 16,
           .scaling = yarn{.factor = 4, .original_max_position_embeddings = 64, .attention_factor = 0x1p40}},
      head_layout{16});
  const std::atomic<bool> never{false};
  const outcome found = search(rotation_laws::extrapolation, held, ROPEWALK_F16, 1, {1, 1, {}}, never);
  EXPECT_TRUE(found.holds());
  EXPECT_TRUE(found.too_few);
  EXPECT_TRUE(found.says_nothing());
}

TEST(Search, JudgesEveryRangeAtLargeAndSmallFactors) {
  for (const double factor : {0x1p-20, 0x1p20}) {
    const held_rotation held(
        cpu_table_kernel(), promise::canonical,
        rope{
            .base = 10000,
            .rotary_dim = 16,
            .scaling = yarn{.factor = 4, .original_max_position_embeddings = 64, .attention_factor = factor}},
        head_layout{16});
    const std::atomic<bool> never{false};
    const outcome found = search(rotation_laws::extrapolation, held, ROPEWALK_F32, 1, {1, 1, {}}, never);
    EXPECT_TRUE(found.holds()) << factor;
    EXPECT_FALSE(found.says_nothing()) << factor;
  }
}

TEST(Search, RunsEveryRangeOfPositionsAThousandTimes) {
  const held_rotation held(cpu_table_kernel(), promise::canonical, rope{.base = 10000, .rotary_dim = 24},
                           head_layout{96});
  const auto& extrapolation = rotation_laws::extrapolation;
  const std::atomic<bool> never{false};
  const outcome found = search(extrapolation, held, ROPEWALK_F16, 1, {1, 1, {}}, never);
  EXPECT_TRUE(found.holds());
  EXPECT_EQ(found.cases, position_ranges * cases_in_each_range);
  for (const range_worst& range : found.ranges) {
    EXPECT_GE(range.rotations, rotations_in_each_range);
    EXPECT_GT(range.worst, 0.5);
    EXPECT_LE(range.worst, 1);
  }
}

TEST(Search, RunsItsLeastNumberOfCasesWhateverTheTime) {
  const held_rotation held(cpu_table_kernel(), promise::canonical, rope{.base = 10000, .rotary_dim = 16},
                           head_layout{16});
  const std::atomic<bool> never{false};
  const outcome found =
      search(rotation_laws::canonical, held, ROPEWALK_F32, 1, {50, 1000000, clock::now()}, never);
  EXPECT_EQ(found.cases, 50);
}

TEST(Search, EndsWhenItIsStopped) {
  const held_rotation held(cpu_table_kernel(), promise::canonical, rope{.base = 10000, .rotary_dim = 16},
                           head_layout{16});
  const std::atomic<bool> stopped{true};
  const outcome found = search(rotation_laws::canonical, held, ROPEWALK_F32, 1, {50, 50, {}}, stopped);
  EXPECT_TRUE(found.says_nothing());
}

}  // namespace
}  // namespace ropewalk::search
