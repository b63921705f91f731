// Positions, axes and ranges of drawn cases.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

#include "kernel/kernels.hpp"
#include "law/law_example.hpp"
#include "search/case_generator.hpp"
#include "search/drawn_cases.hpp"
#include "search/search.hpp"

namespace ropewalk::search {
namespace {

TEST(CaseGenerator, PositionsAreSmallLargeNegativeAndNextToPowersOfTwo) {
  const case_domain domain = domain_for(rotation_laws::canonical);
  bool small = false, negative = false, near_power = false, beyond_2_30 = false;
  for (std::uint64_t seed = 0; seed < 200; ++seed)
    for (const double drawn : cases(domain)(rc::Random(seed)).value().positions) {
      const auto position = static_cast<std::int64_t>(drawn);
      small |= position >= 0 && position < 4096;
      negative |= position < 0;
      near_power |= position > 4096 && ((position + 1) & position) == 0;
      beyond_2_30 |= position >= std::int64_t{1} << 30;
    }
  EXPECT_TRUE(small && negative && near_power && beyond_2_30);
}

TEST(CaseGenerator, PositionsLieAtTheEndsOfTheModelsContexts) {
  case_domain domain = domain_for(rotation_laws::canonical);
  domain.context_lengths = {4000, 163'840};
  for (const std::int64_t length : domain.context_lengths)
    for (const std::int64_t nudge : {-1, 0, 1})
      EXPECT_TRUE(some_case(domain,
                            [&](const law_case& test_case) {
                              return std::find(test_case.positions.begin(), test_case.positions.end(),
                                               static_cast<double>(length + nudge)) !=
                                     test_case.positions.end();
                            }))
          << length << " " << nudge;
}

TEST(CaseGenerator, ContextLengthsAreThoseOfTheModelButPowersOfTwo) {
  const ropewalk_kernel kernel = cpu_table_kernel();
  const rope encoding{.base = 10000,
                      .rotary_dim = 16,
                      .scaling = yarn{.factor = 4, .original_max_position_embeddings = 40'960}};
  const auto lengths_for = [&](std::int64_t max_positions) {
    rotated_model model;
    model.max_positions = max_positions;
    const checked_rotation checked(kernel, promise::canonical, encoding, head_layout{24}, model);
    return domain_of(rotation_laws::accuracy, checked, ROPEWALK_F32).context_lengths;
  };
  EXPECT_EQ(lengths_for(163'840), (std::vector<std::int64_t>{40'960, 163'840}));
  EXPECT_EQ(lengths_for(131'072), (std::vector<std::int64_t>{40'960}));
}

TEST(CaseGenerator, PlansAreToldOfPositionsAndAskedForThoseAroundTheEnds) {
  const auto is_asked = [](const law_case& test_case, std::int64_t position) {
    return test_case.table.begin < test_case.table.end &&
           std::find(test_case.positions.begin(), test_case.positions.end(), static_cast<double>(position)) !=
               test_case.positions.end();
  };
  EXPECT_TRUE(
      some_case([&](const law_case& test_case) { return is_asked(test_case, test_case.table.begin - 1); }));
  EXPECT_TRUE(
      some_case([&](const law_case& test_case) { return is_asked(test_case, test_case.table.begin); }));
  EXPECT_TRUE(
      some_case([&](const law_case& test_case) { return is_asked(test_case, test_case.table.end - 1); }));
  EXPECT_TRUE(some_case([&](const law_case& test_case) { return is_asked(test_case, test_case.table.end); }));
  EXPECT_TRUE(
      some_case([&](const law_case& test_case) { return is_asked(test_case, test_case.table.begin + 7); }));
}

TEST(CaseGenerator, OneToFourAxesTurnPairsInRunsAndInTurn) {
  const std::vector<int> own{0, 0, 1, 1, 1, 2, 2, 2};
  EXPECT_TRUE(some_case([&](const law_case& test_case) { return test_case.axis == own; }));
  EXPECT_TRUE(some_case([](const law_case& test_case) { return test_case.axis == std::vector<int>(8, 0); }));
  EXPECT_TRUE(some_case(
      [](const law_case& test_case) { return test_case.axis == std::vector<int>{0, 1, 2, 3, 0, 1, 2, 3}; }));
  EXPECT_TRUE(some_case(
      [](const law_case& test_case) { return test_case.axis == std::vector<int>{0, 0, 1, 1, 2, 2, 3, 3}; }));
  const auto row = [](const law_case& test_case, int axis) {
    const auto size = static_cast<std::ptrdiff_t>(test_case.batch * test_case.tokens);
    return std::vector(test_case.positions.begin() + axis * size,
                       test_case.positions.begin() + (axis + 1) * size);
  };
  EXPECT_TRUE(some_case([&](const law_case& test_case) {
    return test_case.axes == 3 && row(test_case, 0) == row(test_case, 1) &&
           row(test_case, 1) == row(test_case, 2);
  }));
  EXPECT_TRUE(some_case([&](const law_case& test_case) {
    return test_case.axes == 3 && row(test_case, 0) == row(test_case, 2) &&
           row(test_case, 0) != row(test_case, 1);
  }));
  EXPECT_TRUE(some_case(domain_for(rotation_laws::composition), [&](const law_case& test_case) {
    return test_case.axes == 2 && row(test_case, 0) != row(test_case, 1) &&
           test_case.shift[0] != test_case.shift[1];
  }));
}

/// A call of text and of a picture on three axes, and one at centres.
case_domain domain_of_pictures(const law<checked_rotation>& law) {
  case_domain domain = domain_for(law);
  domain.calls = {{{0, 1, 2, 2, 2, 2, 0, 1, 2, 2, 3, 3, 0, 1, 2, 3, 2, 3}, false},
                  {{0.25, 0.25, 0.25, -0.5, 0, 0.5, 0.75, 0.75, 0.75}, true}};
  domain.has_real_positions = true;
  return domain;
}

/// Whether the positions of every token, one for each axis, are those of a token of a call.
bool is_placed(const law_case& test_case, const placed_call& call) {
  const std::size_t tokens = test_case.positions.size() / 3, placed = call.positions.size() / 3;
  for (std::size_t token = 0; token < tokens; ++token) {
    bool is_found = false;
    for (std::size_t other = 0; other < placed && !is_found; ++other)
      is_found = test_case.positions[token] == call.positions[other] &&
                 test_case.positions[tokens + token] == call.positions[placed + other] &&
                 test_case.positions[2 * tokens + token] == call.positions[2 * placed + other];
    if (!is_found) return false;
  }
  return test_case.axes == 3 && test_case.has_real_positions == call.is_real;
}

TEST(CaseGenerator, TokensStandWhereTheModelPlacesThemNowAndThen) {
  const case_domain domain = domain_of_pictures(rotation_laws::accuracy);
  for (const placed_call& call : domain.calls)
    for (const std::int64_t tokens : {1, 2, 4}) {
      EXPECT_TRUE(some_case(domain, [&](const law_case& test_case) {
        return test_case.tokens == tokens && is_placed(test_case, call);
      })) << tokens;
    }
  const case_domain summed = domain_of_pictures(rotation_laws::composition);
  EXPECT_TRUE(some_case(summed, [&](const law_case& test_case) {
    return test_case.tokens > 1 && is_placed(test_case, summed.calls[0]);
  }));
  EXPECT_FALSE(some_case(summed, [&](const law_case& test_case) {  // sums of real positions must be exact
    return test_case.tokens > 1 && is_placed(test_case, summed.calls[1]);
  }));
}

TEST(CaseGenerator, RangesOfExtrapolationHaveBothSigns) {
  case_domain domain = domain_for(rotation_laws::extrapolation);
  domain.range = 7;
  bool positive = false, negative = false;
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    for (const double position : cases(domain)(rc::Random(seed)).value().positions) {
      EXPECT_GE(std::abs(position), 128);
      EXPECT_LT(std::abs(position), 256);
      (position > 0 ? positive : negative) = true;
    }
  EXPECT_TRUE(positive && negative);
}

TEST(CaseGenerator, CasesHaveNoMoreAxesThanTheyHaveRoomFor) {
  ropewalk_limits limits{};
  limits.axes = 8;
  case_domain domain = domain_for(rotation_laws::composition);
  domain.served = served_calls(limits);
  EXPECT_FALSE(some_case(domain, [](const law_case& test_case) { return test_case.axes > most_axes; }));
  EXPECT_TRUE(some_case(domain, [](const law_case& test_case) { return test_case.axes == most_axes; }));
}

TEST(CaseGenerator, ModelsOfOneAxisAreAskedForOne) {
  case_domain domain = domain_for(rotation_laws::canonical);
  domain.axes = {};
  EXPECT_FALSE(some_case(domain, [](const law_case& test_case) { return test_case.axes > 1; }));
}

}  // namespace
}  // namespace ropewalk::search
