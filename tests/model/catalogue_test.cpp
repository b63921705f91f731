// The whole catalogue, read as users' files are, against MPFR: frequencies, turns, attention factors, rows of
// cosine and sine; every table of a model that has two, every length that tells.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "law/broken_laws.hpp"
#include "model/catalogue_tables.hpp"
#include "oracle/inv_freq_comparison.hpp"
#include "oracle/row_comparison.hpp"
#include "ropewalk/law/table_laws.hpp"

namespace ropewalk::model {
namespace {

TEST(Catalogue, HasEveryRuleThatModelsName) {
  std::vector<int> of_rule(8);
  for (const table& one : tables()) ++of_rule[static_cast<std::size_t>(one.encoding.scaling.rule)];
  for (const scaling_rule rule :
       {scaling_rule::none, scaling_rule::linear, scaling_rule::dynamic, scaling_rule::llama3,
        scaling_rule::yarn, scaling_rule::longrope, scaling_rule::proportional})
    EXPECT_GT(of_rule[static_cast<std::size_t>(rule)], 0) << name_of(rule);
}

TEST(Catalogue, EveryFrequencyAndAttentionFactorIsCorrectlyRounded) {
  for (const table& one : tables()) oracle::expect_correctly_rounded(one.name, one.encoding);
}

TEST(Catalogue, EveryTableKeepsTheLawsOfItsRule) {
  const frequency_source exact_tables = [](const rope& config) { return inv_freqs<double>(config); };
  for (const table& one : tables())
    EXPECT_EQ(example::broken(frequency_laws::all, held_frequencies{exact_tables, one.encoding}),
              example::names{})
        << one.name;
}

TEST(Catalogue, EveryCosineAndSineIsCorrectlyRounded) {
  oracle::wrong_entries all;
  for (const table& one : tables()) {
    const oracle::rope_oracle oracle(one.encoding);
    const rope_rows rows(one.encoding);
    for (const std::int64_t position :
         {0L, 1L, -1L, 257L, 4096L, 131071L, 16777217L, 2147483647L, -2147483648L}) {
      const auto wrong = oracle::compare_with_mpfr(oracle, position, oracle::row_of(rows, position));
      EXPECT_EQ(wrong.total(), 0) << one.name << ": " << wrong;
      all += wrong;
    }
  }
  EXPECT_EQ(all.total(), 0) << all;
  EXPECT_GT(all.entries, 100000);
}

}  // namespace
}  // namespace ropewalk::model
