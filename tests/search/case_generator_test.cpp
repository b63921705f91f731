// Cases are drawn as their law needs them: shapes, memory, environments and numbers.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "search/case_generator.hpp"
#include "search/drawn_cases.hpp"
#include "search/search.hpp"

namespace ropewalk::search {
namespace {

std::size_t elements(const law_case& test_case, std::int64_t heads) {
  return static_cast<std::size_t>(test_case.batch * test_case.tokens * heads * test_case.head_dim);
}

void expect_whole(const law<checked_rotation>& law, const law_case& test_case) {
  RC_ASSERT(test_case.positions.size() ==
            static_cast<std::size_t>(test_case.axes * test_case.batch * test_case.tokens));
  RC_ASSERT((test_case.axis.empty() ? test_case.axes == 1 : test_case.axis.size() == 8u));
  for (const int axis : test_case.axis) RC_ASSERT(axis >= 0 && axis < test_case.axes);
  const bool is_drawn_later = test_case.fill != 0;  // a large call of `sizes`
  RC_ASSERT(test_case.query.size() == (is_drawn_later ? 0 : elements(test_case, test_case.query_heads)));
  RC_ASSERT(test_case.key.size() == (is_drawn_later ? 0 : elements(test_case, test_case.key_heads)));
  RC_ASSERT(test_case.query_heads >= 1);
  if (law.needs.key) RC_ASSERT(test_case.key_heads >= 1);
  if (law.needs.as_many_key_heads) RC_ASSERT(test_case.key_heads == test_case.query_heads);
  for (const double position : test_case.positions) {
    if (law.needs.position_zero) RC_ASSERT(position == 0);
    const double size = std::abs(position);
    if (law.needs.one_range) RC_ASSERT(size >= 8192 && size < 16384);
  }
}

RC_GTEST_PROP(CaseGenerator, CasesAndTheirSimplerOnesAreWhatTheLawNeeds, ()) {
  const law<checked_rotation>& law =
      rotation_laws::all[*rc::gen::inRange<std::size_t>(0, rotation_laws::all.size())];
  const case_domain domain = domain_for(law);
  const law_case test_case = *cases(domain);
  expect_whole(law, test_case);
  auto simpler = simpler_cases(domain, test_case);
  for (int i = 0; i < 60; ++i) {
    const auto next = simpler.next();
    if (!next) break;
    RC_ASSERT(*next != test_case);
    expect_whole(law, *next);
  }
}

TEST(CaseGenerator, TheSameStreamDrawsTheSameCase) {
  const case_domain domain = domain_for(rotation_laws::canonical);
  EXPECT_EQ(cases(domain)(rc::Random(5)).value(), cases(domain)(rc::Random(5)).value());
  EXPECT_NE(cases(domain)(rc::Random(5)).value(), cases(domain)(rc::Random(6)).value());
}

TEST(CaseGenerator, ShapesHaveBatchRowsOddHeadsAndKeys) {
  for (const std::int64_t batch : {1, 2, 3, 4, 5, 9})
    EXPECT_TRUE(some_case([&](const law_case& test_case) { return test_case.batch == batch; })) << batch;
  for (const std::int64_t heads : {1, 2, 3, 5, 8, 9, 28, 32})
    EXPECT_TRUE(some_case([&](const law_case& test_case) { return test_case.query_heads == heads; }))
        << heads;
  for (const std::int64_t heads : {0, 1, 2, 5, 8, 9, 28, 32})
    EXPECT_TRUE(some_case([&](const law_case& test_case) { return test_case.key_heads == heads; })) << heads;
  for (const std::int64_t tokens : {1, 2, 3, 4, 17, 33, 65, 200})
    EXPECT_TRUE(some_case([&](const law_case& test_case) { return test_case.tokens == tokens; })) << tokens;
  EXPECT_TRUE(
      some_case([](const law_case& test_case) { return (test_case.flags & ROPEWALK_BACKWARD) != 0; }));
  EXPECT_TRUE(some_case([](const law_case& test_case) { return (test_case.flags & ROPEWALK_UNIT) != 0; }));
}

TEST(CaseGenerator, TwoAxesAreLongAtOnceNowAndThen) {
  EXPECT_TRUE(
      some_case([](const law_case& test_case) { return test_case.tokens > 4 && test_case.query_heads > 3; }));
  EXPECT_TRUE(
      some_case([](const law_case& test_case) { return test_case.tokens > 4 && test_case.batch > 3; }));
  EXPECT_TRUE(some_case(
      [](const law_case& test_case) { return test_case.query_heads > 3 && test_case.key_heads > 3; }));
}

TEST(CaseGenerator, HeadsAreThoseOfTheModelNowAndThen) {
  case_domain domain = domain_for(rotation_laws::accuracy);
  domain.model_heads = 21;
  domain.model_key_heads = 7;
  EXPECT_TRUE(some_case(domain, [](const law_case& test_case) {
    return test_case.query_heads == 21 && test_case.key_heads == 7;
  }));
}

TEST(CaseGenerator, KeysServeAsManyQueriesAsInPublishedModels) {
  std::set<std::int64_t> drawn;
  some_case(
      domain_for(rotation_laws::accuracy),
      [&](const law_case& test_case) {
        if (test_case.key_heads > 0 && test_case.query_heads % test_case.key_heads == 0)
          drawn.insert(test_case.query_heads / test_case.key_heads);
        return false;
      },
      8000);
  for (const std::int64_t queries : {2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 24, 29, 48, 64, 71, 128})
    EXPECT_TRUE(drawn.contains(queries)) << queries;
}

TEST(CaseGenerator, MemoryVaries) {
  for (tensor_layout law_case::*layout :
       {&law_case::query_in, &law_case::key_in, &law_case::query_out, &law_case::key_out}) {
    std::uint32_t reversed = 0;
    const auto some = [&](auto is_so) {
      return some_case([&](const law_case& test_case) { return is_so(test_case.*layout); });
    };
    some_case([&](const law_case& test_case) {
      reversed |= (test_case.*layout).reversed;
      return false;
    });
    EXPECT_EQ(reversed, 15u);
    EXPECT_TRUE(some([](const tensor_layout& first) { return first.gap > 1; }));
    EXPECT_TRUE(some([](const tensor_layout& first) { return first.channel_step > 1; }));
    EXPECT_TRUE(some([](const tensor_layout& first) { return first.heads_first; }));
    EXPECT_TRUE(some([](const tensor_layout& first) { return first.unaligned % 4 == 2; }));
  }
  for (const bool query : {false, true})
    for (const bool key : {false, true})
      EXPECT_TRUE(some_case([&](const law_case& test_case) {
        return test_case.key_heads > 0 && is_in_place(test_case, operand::query) == query &&
               is_in_place(test_case, operand::key) == key;
      })) << query
          << key;
  for (const bool in_place : {false, true})
    for (const bool with_values : {false, true})
      EXPECT_TRUE(some_case([&](const law_case& test_case) {
        return test_case.fused && test_case.in_place == in_place &&
               (test_case.query_in.row_gap > 0) == with_values;
      })) << in_place
          << with_values;
  EXPECT_TRUE(some_case([](const law_case& test_case) {
    return test_case.key_heads > 0 && test_case.query_in.heads_first != test_case.key_in.heads_first;
  }));
  EXPECT_TRUE(some_case([](const law_case& test_case) {
    return !test_case.in_place && test_case.query_in.heads_first != test_case.query_out.heads_first;
  }));
  EXPECT_TRUE(some_case([](const law_case& test_case) {
    return test_case.shares_heads && ropewalk::detail::has_equal_heads(test_case, operand::query);
  }));
  for (const std::int64_t step : {1, 2, 3, -1, -2})
    EXPECT_TRUE(some_case([&](const law_case& test_case) { return test_case.position_step == step; }))
        << step;
  EXPECT_TRUE(some_case([](const law_case& test_case) {
    return ropewalk::detail::has_equal_rows(test_case) && test_case.positions[0] != 0;
  }));
}

TEST(CaseGenerator, EveryEnvironmentOfTheCallerIsDrawn) {
  for (const auto environment :
       {caller_environment::usual, caller_environment::flushing, caller_environment::upward})
    EXPECT_TRUE(some_case([&](const law_case& test_case) { return test_case.environment == environment; }));
}

/// Limits of every kind at once.
served_calls narrow_limits(std::int64_t begin, std::int64_t end) {
  ropewalk_limits limits{};
  limits.struct_size = sizeof limits;
  limits.dtypes = 1u << ROPEWALK_F32;
  limits.not_served = ROPEWALK_NO_BACKWARD | ROPEWALK_NO_UNIT | ROPEWALK_DENSE;
  limits.axes = 3;
  limits.position_begin = begin;
  limits.position_end = end;
  return served_calls(limits);
}

TEST(CaseGenerator, NothingIsDrawnBeyondTheLimits) {
  for (const auto& law : rotation_laws::all)
    for (const position_range positions : {position_range{0, 5}, {-7, 4096}, {100, 131072}, {-900, -3}}) {
      case_domain domain = domain_for(law);
      domain.served = narrow_limits(positions.begin, positions.end);
      domain.range = law.needs.one_range ? 7 : -1;
      if (law.needs.one_range && !meets_range(positions, 7)) continue;
      if (law.needs.position_zero && !domain.served.has_position(0)) continue;
      if (law.needs.opposite_positions && !domain.served.has_opposites()) continue;
      if (law.needs.second_rotation && !domain.served.has_sums()) continue;
      EXPECT_FALSE(
          some_case(domain,
                    [&](const law_case& test_case) {
                      bool is_beyond = !domain.served.allow(test_case);
                      for (int axis = 0; law.needs.second_rotation && axis < test_case.axes; ++axis) {
                        const double shift = test_case.shift[static_cast<std::size_t>(axis)];
                        is_beyond |= !domain.served.has_position(static_cast<std::int64_t>(shift));
                        for (std::int64_t row = 0; row < test_case.batch; ++row)
                          for (std::int64_t token = 0; token < test_case.tokens; ++token)
                            is_beyond |= !domain.served.has_position(
                                static_cast<std::int64_t>(position_of(test_case, row, token, axis) + shift));
                      }
                      return is_beyond;
                    }))
          << law.name << " " << positions.begin << ":" << positions.end;
    }
}

TEST(CaseGenerator, ShapesAreThoseOfTheListWhereThereIsOne) {
  constexpr std::int64_t shapes[][4] = {{1, 7, 32, 24}, {1, 7, 8, 24}, {2, 3, 5, 24}, {9, 9, 9, 16}};
  ropewalk_limits limits{};
  limits.shapes = shapes;
  limits.shape_count = 4;
  case_domain domain = domain_for(rotation_laws::accuracy);
  domain.served = served_calls(limits);
  EXPECT_FALSE(some_case(domain, [&](const law_case& test_case) { return !domain.served.allow(test_case); }));
  EXPECT_TRUE(some_case(domain, [](const law_case& test_case) {
    return test_case.query_heads == 32 && test_case.key_heads == 8;
  }));
  EXPECT_TRUE(some_case(domain, [](const law_case& test_case) { return test_case.batch == 2; }));
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

}  // namespace
}  // namespace ropewalk::search
