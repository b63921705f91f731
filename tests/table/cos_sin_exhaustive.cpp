// Every entry of the tables that models use, against MPFR: positions 0 .. 131071 of every pair of four
// models, in every format, and ten thousand random rows from the whole signed 32-bit range. Takes minutes on
// all cores.

#include <gtest/gtest.h>

#include <cstdint>
#include <iostream>
#include <random>

#include "oracle/every_core.hpp"
#include "oracle/models.hpp"
#include "oracle/row_comparison.hpp"
#include "ropewalk/table/rope_rows.hpp"

namespace ropewalk {
namespace {

constexpr std::int64_t table_length = 131072;
constexpr std::int64_t block_length = 512;
constexpr int random_rows = 10000;

void expect_none_wrong(const rope& config) {
  const rope_rows rows(config);
  const oracle::rope_oracle oracle(config);
  const auto table = oracle::on_every_core(table_length / block_length, [&](std::int64_t index) {
    const std::int64_t begin = index * block_length;
    return oracle::compare_with_mpfr(oracle, begin, oracle::walked(rows, {begin, begin + block_length}));
  });
  EXPECT_EQ(table.total(), 0) << table;
  EXPECT_EQ(table.entries, 2 * table_length * rows.pairs());
  const auto random = oracle::on_every_core(random_rows, [&](std::int64_t index) {
    std::mt19937_64 bits(static_cast<std::uint64_t>(index));
    const std::int64_t position = static_cast<std::int64_t>(bits() >> 32) + smallest_position;
    return oracle::compare_with_mpfr(oracle, position, oracle::row_of(rows, position));
  });
  EXPECT_EQ(random.total(), 0) << random;
  std::cout << table << "\n" << random << "\n";
}

TEST(CosSinExhaustive, Llama2) { expect_none_wrong(oracle::llama_2); }
TEST(CosSinExhaustive, Llama31) { expect_none_wrong(oracle::llama_31); }
TEST(CosSinExhaustive, Qwen25WithYarn) { expect_none_wrong(oracle::qwen_yarn); }
TEST(CosSinExhaustive, GptNeox) { expect_none_wrong(oracle::gpt_neox); }

}  // namespace
}  // namespace ropewalk
