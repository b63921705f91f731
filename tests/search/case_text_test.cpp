// A case in words, as counterexamples show it.

#include <gtest/gtest.h>

#include <numeric>

#include "search/case_generator.hpp"

namespace ropewalk::search {
namespace {

std::string words_with(std::vector<double> positions, int axes = 1) {
  law_case test_case;
  test_case.axes = axes;
  test_case.positions = std::move(positions);
  const std::string text = text_of(test_case);
  const std::size_t begin = text.find("positions ");
  return text.substr(begin, text.find(", pairs") - begin);
}

TEST(CaseText, AbbreviatesRunsOfPositions) {
  EXPECT_EQ(words_with({7}), "positions 7");
  EXPECT_EQ(words_with({7, 8, 3, 3, 1}), "positions 7 8 3 3 1");
  EXPECT_EQ(words_with({226, 134217734, 226, 227, 228, 229}), "positions 226 134217734 226 to 229");
  EXPECT_EQ(words_with({5, 5, 5, 6, -1, 0, 1}), "positions 3 times 5 6 -1 to 1");
  EXPECT_EQ(words_with({2147483645, 2147483646, 2147483647, -2147483647 - 1}),
            "positions 2147483645 to 2147483647 -2147483648");
}

TEST(CaseText, RealPositionsHaveTheirBits) {
  law_case test_case;
  test_case.positions = {0.1, 3, -0.0};
  test_case.has_real_positions = true;
  EXPECT_NE(text_of(test_case).find("at real positions 0.1 (0x1.999999999999ap-4) 3 (0x1.8p+1) -0 (-0x0p+0)"),
            std::string::npos)
      << text_of(test_case);
}

TEST(CaseText, HasTheFirstRunsOfManyAndTheNumberOfTheOthers) {
  std::vector<double> positions(1000);
  for (std::size_t i = 0; i < positions.size(); ++i) positions[i] = static_cast<double>(i * 7 % 1000);
  const std::string text = words_with(positions);
  EXPECT_LE(text.size(), 200U) << text;
  EXPECT_TRUE(text.ends_with(" more")) << text;
  std::iota(positions.begin(), positions.end(), 0);
  EXPECT_EQ(words_with(positions), "positions 0 to 999");
}

TEST(CaseText, ARunEndsWithItsAxis) {
  EXPECT_EQ(words_with({0, 1, 2, 3, 4, 5}, 2), "positions 0 to 2, on the next axis 3 to 5");
}

}  // namespace
}  // namespace ropewalk::search
