// The sinusoidal encoding as exact values: conventions, literal values, the shift, refusals.

#include "ropewalk/encoding/sinusoidal.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "ropewalk/encoding/sinusoidal_shift.hpp"
#include "ropewalk/numeric/round.hpp"

namespace ropewalk {
namespace {

constexpr sinusoidal gpt_2{.d_model = 768};
constexpr sinusoidal tensor2tensor_512{.d_model = 512, .shift = 1, .layout = sinusoidal_layout::sin_cos};
constexpr sinusoidal fairseq_512{.d_model = 512,
                                 .shift = 1,
                                 .layout = sinusoidal_layout::sin_cos,
                                 .odd = odd_width::zero,
                                 .padding_idx = 1};

double nearest(double position, int channel, const sinusoidal& config) {
  return from_bits<double>(round_with_enough_limbs<double>(
      "entry", [&]<int N>() { return sinusoidal_entry<N>(position, channel, config); }));
}

TEST(Sinusoidal, FirstRowsAreThePublishedOnes) {
  for (int channel = 0; channel < 768; ++channel) EXPECT_EQ(nearest(0, channel, gpt_2), channel % 2);
  EXPECT_EQ(nearest(1, 0, gpt_2), 0.8414709848078965);
  EXPECT_EQ(nearest(1, 1, gpt_2), 0.5403023058681398);
  EXPECT_EQ(nearest(2, 0, gpt_2), 0.9092974268256817);
  const sinusoidal four{.d_model = 4};  // frequencies 1 and 1/100
  EXPECT_EQ(nearest(3, 2, four), 0.02999550020249566);
  EXPECT_EQ(nearest(3, 3, four), 0.9995500337489875);
}

TEST(Sinusoidal, FourAxesAreIndependent) {
  for (const double shift : {0, 1})
    for (int pair = 0; pair < 4; ++pair) {
      const sinusoidal paper{.d_model = 8, .shift = shift};
      sinusoidal split = paper, swapped = paper, odd = paper, padded = paper;
      split.layout = sinusoidal_layout::sin_cos;
      swapped.layout = sinusoidal_layout::cos_sin;
      padded.padding_idx = 1;
      odd.odd = odd_width::zero;
      const double sine = nearest(7, 2 * pair, paper), cosine = nearest(7, 2 * pair + 1, paper);
      EXPECT_EQ(nearest(7, pair, split), sine);
      EXPECT_EQ(nearest(7, pair + 4, split), cosine);
      EXPECT_EQ(nearest(7, pair, swapped), cosine);
      EXPECT_EQ(nearest(7, pair + 4, swapped), sine);
      EXPECT_EQ(nearest(5, 2 * pair, padded), sine);
      EXPECT_EQ(nearest(7, 2 * pair + 1, odd), cosine);
    }
}

TEST(Sinusoidal, ChannelsOfAPairHoldItsWaves) {
  for (const auto layout :
       {sinusoidal_layout::interleaved, sinusoidal_layout::sin_cos, sinusoidal_layout::cos_sin})
    for (const int d_model : {2, 7, 12}) {
      const sinusoidal config{.d_model = d_model, .layout = layout, .odd = odd_width::zero};
      for (int pair = 0; pair < pair_count(config); ++pair) {
        const sinusoidal_channels at = channels_of(pair, config);
        EXPECT_EQ(content_of(at.sine, config), (sinusoidal_channel{pair, wave::sine}));
        EXPECT_EQ(content_of(at.cosine, config), (sinusoidal_channel{pair, wave::cosine}));
      }
      EXPECT_EQ(content_of(d_model - 1, config).holds == wave::zero, d_model % 2 != 0);
    }
}

TEST(Sinusoidal, Tensor2TensorEndsAtTheBaseAndThePaperDoesNot) {
  const auto last = sinusoidal_inv_freq<4>(255, tensor2tensor_512);
  EXPECT_EQ(compare(last, enclosure<4>::of(1) / enclosure<4>::of(10000)), order::undecided);
  EXPECT_EQ(round<double>(last).bits, to_bits(1e-4));
  EXPECT_EQ(compare(sinusoidal_inv_freq<4>(255, {.d_model = 512}), last), order::greater);
}

TEST(Sinusoidal, ExponentsOfMarianAndTensor2TensorAreFarApartAtPosition1023) {
  // Marian has the exponent of the paper and the layout of tensor2tensor.
  const sinusoidal marian{.d_model = 512, .layout = sinusoidal_layout::sin_cos};
  double largest = 0;
  for (int channel = 0; channel < 512; ++channel) {
    const auto difference =
        sinusoidal_entry<2>(1023, channel, marian) - sinusoidal_entry<2>(1023, channel, tensor2tensor_512);
    largest = std::max(largest, std::abs(from_bits<double>(round<double>(difference).bits)));
  }
  EXPECT_GT(largest, 1.33);
  EXPECT_LT(largest, 1.34);
}

TEST(Sinusoidal, APairlessExponentOfTensor2TensorIsNoDivisionByZero) {
  const sinusoidal two{.d_model = 2, .shift = 1};
  EXPECT_EQ(compare(sinusoidal_inv_freq<4>(0, two), enclosure<4>::of(1)), order::equal);
}

TEST(Sinusoidal, FairseqRowsFollowThePadding) {
  for (int channel = 0; channel < 512; channel += 37) {
    EXPECT_EQ(nearest(-1, channel, fairseq_512), 0);
    EXPECT_EQ(nearest(0, channel, fairseq_512), nearest(2, channel, tensor2tensor_512));
    EXPECT_EQ(nearest(100, channel, fairseq_512), nearest(102, channel, tensor2tensor_512));
  }
  EXPECT_NE(nearest(-1, 0, tensor2tensor_512), 0);
}

TEST(Sinusoidal, AnOddWidthEndsInAZeroChannel) {
  const sinusoidal seven{
      .d_model = 7, .shift = -0.5, .layout = sinusoidal_layout::sin_cos, .odd = odd_width::zero};
  EXPECT_EQ(nearest(5, 6, seven), 0);
  EXPECT_EQ(nearest(5, 3, seven), 0x1.22785706b4ad9p-2);
  // With a shift of -1/2 the exponent is the paper's, 2 pair / d_model, on an odd width too.
  EXPECT_EQ(round<double>(sinusoidal_inv_freq<4>(1, seven)).bits, to_bits(0x1.26c8832e4db35p-4));
}

// As get_timestep_embedding of diffusers computes them, with 60 digits, and rounded once.
TEST(Sinusoidal, TimestepsAreThoseOfTheirModels) {
  const sinusoidal flux{.d_model = 256, .layout = sinusoidal_layout::cos_sin, .scale = 1000};
  EXPECT_EQ(nearest(0.5, 0, flux), -0.883849273431478);
  EXPECT_EQ(nearest(0.5, 128, flux), -0.46777180532247614);
  EXPECT_EQ(nearest(0.3, 128 + 7, flux), -0.7976910836541206);
  const sinusoidal stable_diffusion{.d_model = 320, .layout = sinusoidal_layout::cos_sin};
  EXPECT_EQ(nearest(981, 1, stable_diffusion), -0.7984300344100798);
  EXPECT_EQ(nearest(981, 160 + 159, stable_diffusion), 0.10372588527788994);
  const sinusoidal of_default{.d_model = 320, .shift = 1, .layout = sinusoidal_layout::sin_cos};
  EXPECT_EQ(nearest(12.75, 159, of_default), 0.0012749996545547155);
  const sinusoidal any{.base = 77, .d_model = 9, .shift = 0.25, .odd = odd_width::zero, .scale = 0.001};
  EXPECT_EQ(nearest(-5e6, 7, any), -0.649199046336394);
  EXPECT_EQ(nearest(-5e6, 8, any), 0);
}

TEST(Sinusoidal, AScaleIsExact) {
  const sinusoidal plain{.d_model = 16}, scaled{.d_model = 16, .scale = 1000};
  for (int channel = 0; channel < 16; ++channel) {
    EXPECT_EQ(nearest(0.5, channel, scaled), nearest(500, channel, plain));
    EXPECT_EQ(nearest(0x1p-1074, channel, scaled), nearest(1000 * 0x1p-1074, channel, plain));
  }
  EXPECT_EQ(compare(sinusoidal_inv_freq<4>(0, scaled), enclosure<4>::of(1000)), order::equal);
  EXPECT_NE(nearest(0.1, 0, scaled), nearest(0.1 * 1000, 0, plain));  // 0.1 x 1000 is not 100 in binary64
}

TEST(Sinusoidal, BasesOfTheFormulaAndOfTheTextDiffer) {
  const sinusoidal printed{.base = 100000, .d_model = 768};
  EXPECT_EQ(nearest(1023, 0, printed), nearest(1023, 0, gpt_2));  // pair 0 has frequency 1 in every base
  EXPECT_NE(nearest(1023, 2, printed), nearest(1023, 2, gpt_2));
}

TEST(Sinusoidal, ShiftTakesEveryRowToTheOneFurtherOn) {
  for (const sinusoidal& config :
       {sinusoidal{.d_model = 16},
        sinusoidal{
            .d_model = 7, .layout = sinusoidal_layout::cos_sin, .odd = odd_width::zero, .padding_idx = 3}})
    for (const double distance : {1.0, -3.0, 0.5, 1000.0}) {
      const sinusoidal_shift<4> shift(config, distance);
      for (const double position : {0.0, 4.0, 131071.0}) {
        std::vector<enclosure<4>> row, further;
        for (int channel = 0; channel < config.d_model; ++channel) {
          row.push_back(sinusoidal_entry<4>(position, channel, config));
          further.push_back(sinusoidal_entry<4>(position + distance, channel, config));
        }
        const auto applied = shift.applied_to(row);
        for (int to = 0; to < config.d_model; ++to) {
          const auto at = static_cast<std::size_t>(to);
          enclosure<4> by_matrix = enclosure<4>::of(0);
          for (int from = 0; from < config.d_model; ++from)
            by_matrix = by_matrix + shift.at(to, from) * row[static_cast<std::size_t>(from)];
          const radius narrow{std::uint32_t{1} << 31, -231};
          EXPECT_TRUE(magnitude_above(applied[at] - further[at]) < narrow) << position << " " << to;
          EXPECT_TRUE(magnitude_above(by_matrix - further[at]) < narrow) << position << " " << to;
        }
      }
    }
}

TEST(Sinusoidal, ShiftRefusesARowOfAnotherLength) {
  const sinusoidal_shift<2> shift({.d_model = 4}, 1);
  EXPECT_THROW(shift.applied_to(std::vector<enclosure<2>>(3)), std::invalid_argument);
}

std::string refusal(const sinusoidal& config) {
  try {
    validate(config);
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "";
}

TEST(Sinusoidal, RefusesWithFieldValueAndWhatIsAllowed) {
  EXPECT_EQ(refusal({.d_model = 513}), "d_model is 513; allowed: an even number, unless odd is zero");
  EXPECT_EQ(refusal({.d_model = 0}), "d_model is 0; allowed: a number from 2 to 65536");
  EXPECT_EQ(refusal({.d_model = 65538}), "d_model is 65538; allowed: a number from 2 to 65536");
  EXPECT_EQ(refusal({.base = 1, .d_model = 4}), "base is 1; allowed: a finite number above 1");
  EXPECT_EQ(refusal({.d_model = 4, .padding_idx = -1}), "padding_idx is -1; allowed: a number from 0 up");
  EXPECT_EQ(refusal({.d_model = 513, .odd = odd_width::zero}), "");
  for (const double bad : {HUGE_VAL, -HUGE_VAL, std::nan("")})
    EXPECT_NE(refusal({.base = bad, .d_model = 4}), "");
  EXPECT_THROW(sinusoidal_inv_freq<2>(2, {.d_model = 4}), std::invalid_argument);
  EXPECT_THROW(sinusoidal_entry<2>(0, 4, {.d_model = 4}), std::invalid_argument);
  EXPECT_THROW(sinusoidal_entry<2>(0, -1, {.d_model = 4}), std::invalid_argument);
  EXPECT_THROW(sinusoidal_entry<2>(std::nan(""), 0, {.d_model = 4}), std::invalid_argument);
  EXPECT_THROW(sinusoidal_shift<2>({.d_model = 4}, HUGE_VAL), std::invalid_argument);
}

}  // namespace
}  // namespace ropewalk
