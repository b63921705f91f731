// Every claim's witness runs here and shows its verdict.

#include <gtest/gtest.h>

#include "claim/claim.hpp"

namespace ropewalk::claim {
namespace {

std::string name_of_case(const testing::TestParamInfo<claim>& info) {
  return "Claim" + std::to_string(info.param.number);
}

class Claims : public testing::TestWithParam<claim> {};

INSTANTIATE_TEST_SUITE_P(Ledger, Claims, testing::ValuesIn(all_claims()), name_of_case);

TEST_P(Claims, WitnessShowsTheVerdict) {
  ASSERT_NE(GetParam().run, nullptr);
  const evidence seen = GetParam().run();
  EXPECT_TRUE(seen.shown) << seen.text;
  EXPECT_FALSE(seen.text.empty());
}

TEST_P(Claims, ACorrectionStandsWhereTheStatementDoesNot) {
  EXPECT_EQ(GetParam().correction.empty(), GetParam().decided == verdict::holds);
  EXPECT_FALSE(GetParam().statement.empty());
  EXPECT_FALSE(GetParam().witness.empty());
}

}  // namespace
}  // namespace ropewalk::claim
