// Rows of cosine and sine of the whole catalogue against MPFR, at positions of every size.

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>

#include "model/catalogue_tables.hpp"
#include "oracle/row_comparison.hpp"

namespace ropewalk::model {
namespace {

TEST(CatalogueExhaustive, RowsOfEveryTableAreCorrectlyRounded) {
  constexpr int positions_of_each = 400;
  std::mt19937_64 random(1);
  oracle::wrong_entries all;
  for (const table& table : tables()) {
    const oracle::rope_oracle oracle(table.encoding);
    const rope_rows rows(table.encoding);
    for (int i = 0; i < positions_of_each; ++i) {
      const auto size = static_cast<std::int64_t>(random() >> 33 >> random() % 31);
      const std::int64_t position = random() % 2 == 0 ? size : -size;
      const auto wrong = oracle::compare_with_mpfr(oracle, position, oracle::row_of(rows, position));
      EXPECT_EQ(wrong.total(), 0) << table.name << ": " << wrong;
      all += wrong;
    }
  }
  RecordProperty("entries", std::to_string(all.entries));
  EXPECT_EQ(all.total(), 0) << all;
}

}  // namespace
}  // namespace ropewalk::model
