// The rotation against MPFR at positions far beyond any model, and its structure as a matrix.

#include "ropewalk/encoding/rope.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>

#include "oracle/enclosure_bracket.hpp"
#include "oracle/models.hpp"
#include "oracle/rope_oracle.hpp"
#include "ropewalk/numeric/round.hpp"

namespace ropewalk {
namespace {

constexpr mpfr_prec_t bits_for_any_binary64 = 4096;

bits_of<double> rounded_cos(double position, int pair, const rope& config) {
  return round_with_enough_limbs<double>(
      "cos", [&]<int N>() { return rotation_matrix<N>(config, position).block(pair).cos; });
}

bits_of<double> rounded_sin(double position, int pair, const rope& config) {
  return round_with_enough_limbs<double>(
      "sin", [&]<int N>() { return rotation_matrix<N>(config, position).block(pair).sin; });
}

TEST(Rope, ExtremePositionsAgreeWithMpfr) {
  for (const rope& config : {oracle::llama_2, oracle::llama_31, oracle::qwen_yarn, oracle::gpt_neox}) {
    const oracle::rope_oracle oracle(config, false, bits_for_any_binary64);
    for (double position :
         {0x1p-1074, -0x1p-1074, 0x1.8p1023, -0x1.8p1023, 0x1.fffffffffffffp1023, 0x1p-500, 0x1p500})
      for (int pair : {0, 1, pair_count(config) / 2, pair_count(config) - 1}) {
        const auto expected = oracle.at_real(position, pair);
        EXPECT_EQ(rounded_cos(position, pair, config), expected.cos.in<double>())
            << position << " pair " << pair;
        EXPECT_EQ(rounded_sin(position, pair, config), expected.sin.in<double>())
            << position << " pair " << pair;
      }
  }
}

TEST(Rope, ThePositionAfter2To53AgreesWithMpfr) {
  const std::int64_t position = (std::int64_t{1} << 53) + 1;  // not a binary64 number
  const oracle::rope_oracle oracle(oracle::llama_2);
  for (int pair = 0; pair < 64; ++pair) {
    const auto bits = round_with_enough_limbs<double>("sin", [&]<int N>() {
      return cos_sin_of_turns(enclosure<N>::of(position) * rope_turns<N>(pair, oracle::llama_2)).sin;
    });
    EXPECT_EQ(bits, oracle.at(position, pair).sin.in<double>()) << pair;
    EXPECT_NE(bits, oracle.at(position - 1, pair).sin.in<double>()) << pair;
  }
}

TEST(Rope, RandomRealPositionsAgreeWithMpfr) {
  std::mt19937_64 random(1);
  const oracle::rope_oracle oracle(oracle::llama_2, false, bits_for_any_binary64);
  for (int i = 0; i < 300; ++i) {
    const double position = from_bits<double>(random() % format<double>::infinity);
    const int pair = static_cast<int>(random() % 64);
    const auto expected = oracle.at_real(position, pair);
    EXPECT_EQ(rounded_cos(position, pair, oracle::llama_2), expected.cos.in<double>())
        << position << " pair " << pair;
    EXPECT_EQ(rounded_sin(position, pair, oracle::llama_2), expected.sin.in<double>())
        << position << " pair " << pair;
  }
}

TEST(Rope, PositionZeroIsIdentity) {
  const rotation_matrix<4> matrix(oracle::llama_2, 0);
  for (int row = 0; row < 128; row += 5)
    for (int column = 0; column < 128; column += 3)
      EXPECT_EQ(compare(matrix.at(row, column, pairing::half_split), enclosure<4>::of(row == column ? 1 : 0)),
                order::equal);
}

TEST(Rope, BackwardIsTheTranspose) {
  const rotation_matrix<4> forward(oracle::qwen_yarn, 12345);
  const rotation_matrix<4> backward(oracle::qwen_yarn, 12345, rotation_kind::backward);
  for (pairing layout : {pairing::interleaved, pairing::half_split})
    for (int row = 0; row < 128; row += 7)
      for (int column : {row, row ^ 1, (row + 64) % 128}) {
        const auto there = forward.at(row, column, layout), back = backward.at(column, row, layout);
        EXPECT_EQ(there.midpoint, back.midpoint);
      }
}

TEST(Rope, OneTurnBackwardUndoesOneForwardUpToTheSquaredAttentionFactor) {
  const rope& config = oracle::qwen_yarn;
  const auto block = rotation_matrix<4>(config, 777).block(9);
  const auto square = block.cos * block.cos + block.sin * block.sin;
  const auto factor = rope_attention_factor<4>(config);
  EXPECT_EQ(compare(square, factor * factor), order::undecided);  // equal within 256 bits
  const auto unit = rotation_matrix<4>(config, 777, rotation_kind::unit).block(9);
  EXPECT_EQ(compare(unit.cos * factor, block.cos), order::undecided);
  EXPECT_EQ(compare(unit.cos, block.cos), unit.cos.midpoint.negative ? order::greater : order::less);
}

TEST(Rope, InterleavedPairsAreNeighboursAndHalfSplitOnesAreNot) {
  const rotation_matrix<4> matrix(oracle::gpt_neox, 1);
  const enclosure<4> zero = enclosure<4>::of(0);
  EXPECT_EQ(compare(matrix.at(0, 1, pairing::interleaved), zero), order::less);
  EXPECT_EQ(compare(matrix.at(1, 0, pairing::interleaved), zero), order::greater);
  EXPECT_EQ(compare(matrix.at(0, 1, pairing::half_split), zero), order::equal);
  EXPECT_EQ(compare(matrix.at(0, 12, pairing::half_split), zero), order::less);
  EXPECT_EQ(compare(matrix.at(0, 12, pairing::interleaved), zero), order::equal);
}

}  // namespace
}  // namespace ropewalk
