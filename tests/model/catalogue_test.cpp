// The whole catalogue, read as a user's file is, against MPFR: frequencies, turns, attention factors, rows of
// cosine and sine, for every table of catalogue_tables.hpp.

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "law/broken_laws.hpp"
#include "model/catalogue_tables.hpp"
#include "oracle/inv_freq_comparison.hpp"
#include "oracle/row_comparison.hpp"
#include "ropewalk/law/table_laws.hpp"

namespace ropewalk::model::catalogue_test {
namespace {

TEST(Catalogue, HasEveryRuleThatModelsName) {
  std::set<std::string_view> named;
  for (const table& table : tables()) named.insert(name_of(table.encoding.scaling));
  for_each_type(scaling_rules{}, [&]<class Rule>() {
    const bool is_ours_alone = std::is_same_v<Rule, ntk>;
    EXPECT_TRUE(named.contains(Rule::name) || is_ours_alone) << Rule::name;
  });
}

TEST(Catalogue, EveryFrequencyAndAttentionFactorIsCorrectlyRounded) {
  for (const table& table : tables()) oracle::expect_correctly_rounded(table.name, table.encoding);
}

TEST(Catalogue, EveryTableKeepsTheLawsOfItsRule) {
  const frequency_source exact_tables = [](const rope& config) { return inv_freqs<double>(config); };
  for (const table& table : tables())
    EXPECT_EQ(example::broken(frequency_laws::all, checked_frequencies{exact_tables, table.encoding}),
              example::names{})
        << table.name;
}

TEST(Catalogue, EveryCosineAndSineIsCorrectlyRounded) {
  oracle::wrong_entries all;
  for (const table& table : tables()) {
    const oracle::rope_oracle oracle(table.encoding);
    const rope_rows rows(table.encoding);
    for (const std::int64_t position :
         {0L, 1L, -1L, 257L, 4096L, 131071L, 16777217L, 2147483647L, -2147483648L}) {
      const auto wrong = oracle::compare_with_mpfr(oracle, position, oracle::row_of(rows, position));
      EXPECT_EQ(wrong.total(), 0) << table.name << ": " << wrong;
      all += wrong;
    }
  }
  EXPECT_EQ(all.total(), 0) << all;
  EXPECT_GT(all.entries, 100000);
}

}  // namespace
}  // namespace ropewalk::model::catalogue_test
