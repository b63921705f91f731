// Rotary embeddings on more than one axis: literal layouts of published models, refusals.

#include "ropewalk/encoding/rope_axes.hpp"

#include <gtest/gtest.h>

#include <array>
#include <stdexcept>
#include <string>
#include <vector>

#include "ropewalk/numeric/round.hpp"
#include "ropewalk/table/rope_axes_rows.hpp"

namespace ropewalk {
namespace {

/// The axis of every pair as a digit: t, h, w of M-RoPE are 0, 1, 2.
std::string axes_of(const rope_axes& axes, const rope& config) {
  std::string text;
  for (int pair = 0; pair < pair_count(config); ++pair)
    text += static_cast<char>('0' + axis_of(pair, axes, config).axis);
  return text;
}

std::vector<int> frequencies_of(const rope_axes& axes, const rope& config) {
  std::vector<int> frequencies;
  for (int pair = 0; pair < pair_count(config); ++pair)
    frequencies.push_back(axis_of(pair, axes, config).frequency);
  return frequencies;
}

TEST(RopeAxes, OrdersOfPairs) {
  rope_axes axes = own_axes(2, 2, 2);
  const rope config{.rotary_dim = 12};
  EXPECT_EQ(axes_of(axes, config), "001122");
  EXPECT_EQ(frequencies_of(axes, config), (std::vector<int>{0, 1, 0, 1, 0, 1}));
  axes.order = axis_order::round_robin;
  EXPECT_EQ(axes_of(axes, config), "012012");
  EXPECT_EQ(frequencies_of(axes, config), (std::vector<int>{0, 0, 0, 1, 1, 1}));
  rope_axes ernie = mrope(2, 3, 3);
  ernie.order = axis_order::alternating;
  EXPECT_EQ(axes_of(ernie, {.rotary_dim = 16}), "12121200");
  ernie.rest = 2;
  ernie.axis[1].pairs = 2, ernie.axis[2].pairs = 4;
  EXPECT_EQ(axes_of(ernie, {.rotary_dim = 16}), "01012222");
  ernie.frequencies_of = axis_frequencies::own;
  EXPECT_EQ(frequencies_of(ernie, {.rotary_dim = 16}), (std::vector<int>{0, 0, 1, 1, 0, 1, 2, 3}));
}

TEST(RopeAxes, PairsThatAreLeftGoToTheRest) {
  rope_axes fourth{.count = 4, .axis = {rotary_axis{2}, rotary_axis{2}, rotary_axis{1}, rotary_axis{3}}};
  fourth.order = axis_order::modulo;
  fourth.rest = 3;
  EXPECT_EQ(axes_of(fourth, {.rotary_dim = 16}), "01201333");
  fourth.frequencies_of = axis_frequencies::own;
  EXPECT_EQ(frequencies_of(fourth, {.rotary_dim = 16}), (std::vector<int>{0, 0, 0, 1, 1, 0, 1, 2}));
}

TEST(RopeAxes, StillPairsStandInFront) {
  rope_axes axes = own_axes(1, 2);
  axes.still_pairs = 2;
  const rope config{.rotary_dim = 10};
  EXPECT_EQ(frequencies_of(axes, config), (std::vector<int>{-1, -1, 0, 0, 1}));
  const auto still = rope_axes_block<4>(1, std::array{3.5, -2.0}, axes, config);
  EXPECT_TRUE(is_exact(still.cos) && is_exact(still.sin) && is_zero(still.sin.midpoint));
}

/// Frequencies in parts of a turn are exact where they are dyadic; so are angles, even where they are not.
TEST(RopeAxes, QuartersOfATurnAreExact) {
  rope_axes axes = own_axes(21);
  axes.axis[0].turn = linear_between({1, 1}, {10, 1}, angle_unit::turn);  // pair 1: 1.45 turns
  const rope config{.rotary_dim = 42};
  EXPECT_FALSE(is_exact(rope_axes_turns<4>(1, axes, config)));
  const auto quarter = rope_axes_block<4>(1, std::array{5.0}, axes, config);
  EXPECT_TRUE(is_exact(quarter.cos) && is_zero(quarter.cos.midpoint));
  EXPECT_EQ(round<double>(quarter.sin).bits, to_bits(1.0));
  const auto half = rope_axes_block<4>(0, std::array{-0.5}, axes, config);
  EXPECT_EQ(round<double>(half.cos).bits, to_bits(-1.0));
  EXPECT_EQ(rope_axes_rows(axes, config).row_at<float>({-0.5})[0].sin, 0u);
}

TEST(RopeAxes, MropeOfQwen2VlIsInConsecutiveChunks) {
  EXPECT_EQ(axes_of(mrope(4, 6, 6), {.rotary_dim = 32}), "0000111111222222");
  EXPECT_EQ(axes_of(mrope(16, 24, 24), {.rotary_dim = 128}),
            std::string(16, '0') + std::string(24, '1') + std::string(24, '2'));
}

TEST(RopeAxes, MropeOfQwen3VlIsInterleaved) {
  std::string wanted;
  for (int i = 0; i < 20; ++i) wanted += "012";
  EXPECT_EQ(axes_of(mrope_interleaved(24, 20, 20), {.rotary_dim = 128}), wanted + "0000");
  EXPECT_EQ(axes_of(mrope_interleaved(4, 3, 1), {.rotary_dim = 16}), "01201001");
}

TEST(RopeAxes, PixtralHasEvenFrequenciesOnRowsAndOddOnColumns) {
  const rope config{.rotary_dim = 16};
  EXPECT_EQ(axes_of(pixtral(8), config), "00001111");
  EXPECT_EQ(frequencies_of(pixtral(8), config), (std::vector<int>{0, 2, 4, 6, 1, 3, 5, 7}));
}

TEST(RopeAxes, EncoderOfQwen2VlHasTheSameFrequenciesOnBothAxes) {
  const rope config{.rotary_dim = 16};
  EXPECT_EQ(axes_of(qwen_vision(8), config), "00001111");
  EXPECT_EQ(frequencies_of(qwen_vision(8), config), (std::vector<int>{0, 1, 2, 3, 0, 1, 2, 3}));
  // 10000^(-2 i / 8), as VisionRotaryEmbedding(8) has them
  for (const auto& [pair, inv_freq] : {std::pair{1, 0.1}, {2, 0.01}, {5, 0.1}, {7, 0.001}})
    EXPECT_EQ(round<double>(rope_axes_inv_freq<4>(pair, qwen_vision(8), config)).bits, to_bits(inv_freq));
}

TEST(RopeAxes, TextHasOneAxis) {
  const rope config{.rotary_dim = 8};
  EXPECT_EQ(axis_count({}), 1);
  EXPECT_EQ(axes_of({}, config), "0000");
  EXPECT_EQ(frequencies_of({}, config), (std::vector<int>{0, 1, 2, 3}));
}

TEST(RopeAxes, EachPairTurnsByThePositionOnItsAxis) {
  const rope_axes axes = mrope(1, 2, 1);
  const rope config{.rotary_dim = 8};
  const std::array positions{5, -70, 900};
  for (const auto& [pair, position] : {std::pair{0, 5}, {1, -70}, {2, -70}, {3, 900}}) {
    const auto got = rope_axes_block<4>(pair, positions, axes, config);
    const auto wanted = rotation_matrix<4>(config, position).block(pair);
    EXPECT_EQ(round<double>(got.cos).bits, round<double>(wanted.cos).bits) << pair;
    EXPECT_EQ(round<double>(got.sin).bits, round<double>(wanted.sin).bits) << pair;
  }
}

TEST(RopeAxes, ScalingRulesWorkOnTheFrequencyNotOnThePlace) {
  const rope plain{.rotary_dim = 8}, halved{.rotary_dim = 8, .scaling = linear{.factor = 2}};
  const rope_axes axes = mrope(2, 1, 1);
  for (int pair = 0; pair < 4; ++pair)
    EXPECT_EQ(round<double>(times_power_of_two(rope_axes_inv_freq<4>(pair, axes, halved), 1)).bits,
              round<double>(rope_axes_inv_freq<4>(pair, axes, plain)).bits);
}

std::string refusal(const rope_axes& axes, const rope& config) {
  try {
    validate(axes, config);
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "";
}

TEST(RopeAxes, RefusesWithFieldValueAndWhatIsAllowed) {
  const rope eight{.rotary_dim = 8};
  EXPECT_EQ(refusal(mrope(1, 2, 2), eight),
            "the sum of all axes' pairs is 5; allowed: rotary_dim / 2, without still_pairs");
  EXPECT_EQ(refusal(mrope(-1, 3, 2), eight),
            "an axis's pairs is -1; allowed: a number from 0 to rotary_dim / 2");
  EXPECT_EQ(refusal(mrope_interleaved(2, 2, 0), eight),
            "an axis's pairs is 2; allowed: as many as there are pairs i with i mod 3 equal to the axis");
  EXPECT_EQ(refusal(mrope_interleaved(2, 0, 2), eight),
            "an axis's pairs is 2; allowed: as many as there are pairs i with i mod 3 equal to the axis");
  EXPECT_EQ(refusal(pixtral(3), {.rotary_dim = 6}),
            "an axis's pairs is 2; allowed: as many as axis 0 has, where frequencies are even_odd");
  EXPECT_NE(refusal(qwen_vision(4), {.rotary_dim = 8, .scaling = linear{.factor = 2}}), "");
  EXPECT_NE(refusal({}, {.rotary_dim = 7}), "");
  EXPECT_EQ(refusal(mrope_interleaved(2, 1, 1), eight), "");
  EXPECT_THROW(axis_of(4, mrope(2, 1, 1), eight), std::invalid_argument);
  EXPECT_THROW(axis_of(-1, {}, eight), std::invalid_argument);
  EXPECT_THROW(rope_axes_block<2>(0, std::array{1, 2}, mrope(2, 1, 1), eight), std::invalid_argument);
}

}  // namespace
}  // namespace ropewalk
