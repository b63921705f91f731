// Frequencies in turns as binary fractions: computed at compile time, at run time, and by MPFR.

#include "ropewalk/table/turns_table.hpp"

#include <gtest/gtest.h>

#include "oracle/models.hpp"
#include "oracle/rope_oracle.hpp"

namespace ropewalk {
namespace {

/// turns x 2^(32 Words) to the nearest integer, by MPFR, modulo 2^(32 Words).
template <int Words>
turn_fraction<Words> expected_fraction(int pair, const rope& config) {
  oracle::bracket turns = oracle::turns_bracket(pair, config, 1024);
  mpz_t low, high;
  mpz_inits(low, high, nullptr);
  mpfr_mul_2ui(turns.low, turns.low, 32 * Words, MPFR_RNDN);
  mpfr_mul_2ui(turns.high, turns.high, 32 * Words, MPFR_RNDN);
  mpfr_get_z(low, turns.low, MPFR_RNDN);
  mpfr_get_z(high, turns.high, MPFR_RNDN);
  EXPECT_EQ(mpz_cmp(low, high), 0);
  turn_fraction<Words> result{};
  for (std::uint32_t& word : result) {
    word = static_cast<std::uint32_t>(mpz_get_ui(low));
    mpz_tdiv_q_2exp(low, low, 32);
  }
  mpz_clears(low, high, nullptr);
  return result;
}

template <int Words>
void expect_run_time_holds(const char* name, const rope& config) {
  const auto fractions = turn_fractions<Words>(config);
  ASSERT_EQ(static_cast<int>(fractions.size()), pair_count(config));
  for (int pair = 0; pair < pair_count(config); ++pair)
    EXPECT_EQ(fractions[static_cast<std::size_t>(pair)], expected_fraction<Words>(pair, config))
        << name << " pair " << pair;
}

TEST(TurnsTable, RunTimeAgreesWithMpfr) {
  for (const oracle::model& model : oracle::models) {
    expect_run_time_holds<3>(model.name, model.config);
    expect_run_time_holds<4>(model.name, model.config);
    expect_run_time_holds<8>(model.name, model.config);
  }
}

TEST(TurnsTable, AFractionAcrossAMidpointIsUndecided) {
  enclosure<4> x = times_power_of_two(enclosure<4>::of(3), -97);  // 1.5 units of 2^-96
  EXPECT_TRUE(round_fraction<3>(x).decided);
  EXPECT_EQ(round_fraction<3>(x).bits, (turn_fraction<3>{2, 0, 0}));
  x.error = radius_at_least(1, -150);
  EXPECT_FALSE(round_fraction<3>(x).decided);
  x.error = radius_at_least(1, -90);
  EXPECT_FALSE(round_fraction<3>(x).decided);
  EXPECT_FALSE(round_fraction<3>(-enclosure<4>::of(0.25)).decided);
  EXPECT_FALSE(round_fraction<3>(unbounded<4>()).decided);
  EXPECT_EQ(round_fraction<3>(enclosure<4>::of(5.25)).bits, (turn_fraction<3>{0, 0, 1u << 30}));
}

TEST(TurnsTable, WholeTurnsFallAway) {
  for (double factor : {0.5, 0.1, 0x1p-40, 0x1p-200})
    expect_run_time_holds<4>("linear", {.base = 10000, .rotary_dim = 8, .scaling = linear{factor}});
}

template <rope Config>
void expect_compiler_holds() {
  const auto& table = turns_table<Config>;
  const auto at_run_time = turn_fractions<4>(Config);
  ASSERT_EQ(table.size(), at_run_time.size());
  for (std::size_t pair = 0; pair < table.size(); ++pair) EXPECT_EQ(table[pair], at_run_time[pair]) << pair;
}

TEST(TurnsTable, CompilerAndRunTimeAgree) {
  expect_compiler_holds<oracle::llama_31>();
  expect_compiler_holds<oracle::gpt_oss>();
  expect_compiler_holds<oracle::gpt_neox>();
#ifndef ROPEWALK_SAMPLED  // the compiler makes these tables under ./dev prove alone
  expect_compiler_holds<oracle::llama_2>();
  expect_compiler_holds<oracle::qwen_yarn>();
#endif
}

TEST(TurnsTable, PhasesAreAHomomorphism) {
  // 128-bit wraparound: phase(m) - phase(n) == phase(m - n) for any positions.
  __extension__ typedef unsigned __int128 phase_number;
  const auto phase = [](std::int64_t position, const turn_fraction<4>& turns) {
    phase_number fraction = 0;
    for (std::size_t i = 4; i-- > 0;) fraction = (fraction << 32) | turns[i];
    return fraction * static_cast<phase_number>(position);
  };
  for (const auto& turns : turns_table<oracle::llama_31>)
    for (std::int64_t count : {0L, 5L, 131071L, 2147483647L, -2147483648L})
      for (std::int64_t n : {1L, -7L, 2147483647L})
        EXPECT_TRUE(phase(count, turns) - phase(n, turns) == phase(count - n, turns));
}

}  // namespace
}  // namespace ropewalk
