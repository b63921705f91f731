#pragma once
// Tables of inverse frequencies, their turns and the attention factor, compared with MPFR.

#include <gtest/gtest.h>

#include <cstddef>
#include <exception>
#include <string>
#include <vector>

#include "oracle/enclosure_bracket.hpp"
#include "oracle/rope_oracle.hpp"
#include "ropewalk/encoding/rope.hpp"
#include "ropewalk/table/inv_freq_table.hpp"

namespace ropewalk::oracle {

/// The frequencies of a configuration in every format, from the tables.
inline std::vector<four_roundings> tabulated(const rope& config) {
  const auto f64 = inv_freqs<double>(config);
  const auto f32 = inv_freqs<float>(config);
  const auto f16 = inv_freqs<binary16>(config);
  const auto bf16 = inv_freqs<bfloat16>(config);
  std::vector<four_roundings> tabulated;
  for (std::size_t pair = 0; pair < f64.size(); ++pair)
    tabulated.push_back({f64[pair], f32[pair], f16[pair], bf16[pair]});
  return tabulated;
}

/// Whether every frequency is correctly rounded in each format, and its turns are in their enclosure.
inline testing::AssertionResult inv_freqs_are_correctly_rounded(const rope& config) {
  const std::vector<four_roundings> table = tabulated(config);
  const auto shared = share<4>(config);
  for (int pair = 0; pair < pair_count(config); ++pair) {
    if (table[static_cast<std::size_t>(pair)] != inv_freq_in_all_formats(pair, config))
      return testing::AssertionFailure() << "pair " << pair << " is rounded wrongly";
    const auto turns = contains(rope_turns<4>(pair, config, shared), turns_bracket(pair, config, 512));
    if (!turns) return testing::AssertionFailure() << "turns of pair " << pair << ": " << turns.message();
  }
  return testing::AssertionSuccess();
}

/// Whether the attention factor is correctly rounded in each format.
inline testing::AssertionResult attention_factor_is_correctly_rounded(const rope& config) {
  const auto rounded = [&]<class Float>(Float) {
    return round_with_enough_limbs<Float>("attention factor",
                                          [&]<int N>() { return rope_attention_factor<N>(config); });
  };
  const four_roundings roundings{rounded(double{}), rounded(float{}), rounded(binary16{}),
                                 rounded(bfloat16{})};
  const auto expected =
      rounded_to_all([&](mpfr_prec_t bits) { return attention_factor_bracket(config, bits); }, 256);
  if (roundings == expected) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "attention factor " << from_bits<double>(roundings.binary64_bits)
                                     << " is not " << from_bits<double>(expected.binary64_bits);
}

/// Expects correctly rounded frequencies and attention factor; `what` names the configuration in a failure.
inline void expect_correctly_rounded(const std::string& what, const rope& config) {
  try {
    EXPECT_TRUE(inv_freqs_are_correctly_rounded(config)) << what;
    EXPECT_TRUE(attention_factor_is_correctly_rounded(config)) << what;
  } catch (const std::exception& trouble) {
    ADD_FAILURE() << what << ": " << trouble.what();
  }
}

}  // namespace ropewalk::oracle
