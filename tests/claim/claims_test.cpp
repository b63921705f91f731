// Every claim's witness runs here and must support its verdict. Every document is cited by a name of its own.

#include "claim/claim.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>

namespace ropewalk::claim {
namespace {

std::string name_of_case(const testing::TestParamInfo<claim>& info) {
  return "Claim" + std::to_string(info.param.number);
}

class Claims : public testing::TestWithParam<claim> {};

INSTANTIATE_TEST_SUITE_P(Ledger, Claims, testing::ValuesIn(all_claims()), name_of_case);

TEST_P(Claims, WitnessShowsTheVerdict) {
  ASSERT_NE(GetParam().run, nullptr);
  const evidence evidence = GetParam().run();
  EXPECT_TRUE(evidence.shown) << evidence.text;
  EXPECT_FALSE(evidence.text.empty());
}

TEST_P(Claims, ACorrectionStandsWhereTheStatementDoesNot) {
  EXPECT_EQ(GetParam().correction.empty(), GetParam().decided == verdict::holds);
  EXPECT_FALSE(GetParam().statement.empty());
  EXPECT_FALSE(GetParam().witness.empty());
}

TEST_P(Claims, DocumentsAreNamedOnceEach) {
  const std::set<document> once(GetParam().documents.begin(), GetParam().documents.end());
  EXPECT_FALSE(once.empty());
  EXPECT_EQ(once.size(), GetParam().documents.size());
}

TEST(Documents, NamesAndTitlesAreUnambiguous) {
  std::set<std::string_view> names, titles;
  for (const citation& document : documents) names.insert(document.name), titles.insert(document.title);
  EXPECT_EQ(names.size(), std::size(documents));
  EXPECT_EQ(titles.size(), std::size(documents));
}

TEST(Documents, EveryOneMakesAClaim) {
  std::set<document> cited;
  for (const claim& claim : all_claims()) cited.insert(claim.documents.begin(), claim.documents.end());
  EXPECT_EQ(cited.size(), std::size(documents));
}

TEST(Ledger, NumbersAreUnique) {
  const std::vector<claim> all = all_claims();
  const auto twice = std::adjacent_find(all.begin(), all.end(),
                                        [](const claim& a, const claim& b) { return a.number == b.number; });
  EXPECT_EQ(twice, all.end()) << twice->number;
}

}  // namespace
}  // namespace ropewalk::claim
