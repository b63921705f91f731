// Means of cosines and sines over cells against MPFR, in every format: each entry is the exact mean, rounded
// once; the last index of the grid stands for the cells beyond it.

#include "ropewalk/table/pooled_axes_rows.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "oracle/rope_oracle.hpp"
#include "ropewalk/reference/pooled_axes.hpp"

namespace ropewalk {
namespace {

using mean_number = oracle::detail::boost_number;
using windows = std::vector<axis_window>;

const placed_rope helios{.encoding = {.base = 10000, .rotary_dim = 128}, .axes = own_axes(22, 21, 21)};
const placed_rope framepack{.encoding = {.base = 256, .rotary_dim = 128}, .axes = own_axes(8, 28, 28)};

oracle::four_roundings wanted_mean(const windows& spans, int pair, const placed_rope& config, bool is_sine) {
  constexpr int bits_of_sum = 18;  // the reference's error: that of a sum of up to 64 cells a side
  return oracle::rounded_to_all(
      [&](mpfr_prec_t bits) {
        const oracle::mpfr_number value = oracle::detail::in_precision(bits, [&] {
          const auto mean =
              reference::pooled_axes_cos_sin<mean_number>(spans, pair, config.axes, config.encoding);
          return is_sine ? mean.sin : mean.cos;
        });
        return oracle::detail::widened(value, bits_of_sum - bits);
      },
      192);
}

/// Compares one entry in four formats; the number of comparisons.
int expect_mean(const pooled_axes_rows& rows, const windows& spans, int pair, const placed_rope& config) {
  const auto axis = static_cast<std::size_t>(axis_of(pair, config.axes, config.encoding).axis);
  const oracle::four_roundings cos = wanted_mean(spans, pair, config, false),
                               sin = wanted_mean(spans, pair, config, true);
  int compared = 0;
  for_each_format([&]<class Float>() {
    const auto got = rows.entry<Float>(pair, spans[axis]);
    EXPECT_EQ(got.cos, cos.in<Float>()) << format<Float>::name << ' ' << pair;
    EXPECT_EQ(got.sin, sin.in<Float>()) << format<Float>::name << ' ' << pair;
    compared += 2;
  });
  return compared;
}

/// Tokens of the histories of both models, with cells beyond the grid's end in some.
TEST(PooledAxesRows, MeansAreCorrectlyRoundedInFourFormats) {
  int compared = 0;
  for (const placed_rope& config : {helios, framepack}) {
    const pooled_axes_rows rows(config);
    for (const windows& pooled :
         {windows{{17, 18, 2}, {2, 23, 2}, {38, 39, 2}}, windows{{17, 18, 2}, {24, 24, 2}, {0, 39, 2}}})
      for (int pair = 0; pair < rows.pairs(); pair += 3) compared += expect_mean(rows, pooled, pair, config);
    for (const windows& pooled :
         {windows{{1, 16, 4}, {4, 23, 4}, {36, 39, 4}}, windows{{13, 16, 4}, {20, 22, 4}, {36, 37, 4}}})
      for (int pair = 0; pair < rows.pairs(); pair += 9) compared += expect_mean(rows, pooled, pair, config);
  }
  EXPECT_EQ(compared, 2 * 8 * (2 * 22 + 2 * 8));
}

TEST(PooledAxesRows, OneCellIsTheRotation) {
  const pooled_axes_rows rows(helios);
  const rope_axes_rows rotation(helios);
  const auto got = rows.row<float>(windows{{19, 19, 1}, {7, 23, 1}, {0, 39, 1}});
  const auto wanted = rotation.row<float>({19, 7, 0});
  ASSERT_EQ(got.size(), 64u);
  for (std::size_t pair = 0; pair < got.size(); ++pair) {
    EXPECT_EQ(got[pair].cos, wanted[pair].cos);
    EXPECT_EQ(got[pair].sin, wanted[pair].sin);
  }
}

TEST(PooledAxesRows, CellsOfOneIndexAreThatIndex) {
  const pooled_axes_rows rows(helios);
  const auto got = rows.entry<double>(3, {5, 5, 4}), wanted = rows.entry<double>(3, {5, 5, 1});
  EXPECT_EQ(got.cos, wanted.cos);
  EXPECT_EQ(got.sin, wanted.sin);
  const auto zero = rows.entry<double>(3, {0, 0, 4});
  EXPECT_EQ(zero.cos, to_bits(1.0));
  EXPECT_EQ(zero.sin, 0u) << "+0";
}

/// The closed form: a mean of s phases is sin(s f/2) / (s sin(f/2)) times the phase of s j + (s - 1)/2.
TEST(PooledAxesRows, MeansHaveTheirClosedForm) {
  using real = enclosure<6>;
  const pooled_axes_rows rows(helios);
  for (const int cells : {2, 4, 8, 64})
    for (const int pair : {0, 5, 21}) {
      const real f = rope_axes_inv_freq<6>(pair, helios.axes, helios.encoding);
      const auto sine = [&](int halves) {
        return cos_sin_of_radians(times_power_of_two(f * real::of(halves), -1)).sin;
      };
      const real radius = sine(cells) / (real::of(cells) * sine(1));
      const auto phase = cos_sin_of_radians(times_power_of_two(f * real::of(2 * 3 * cells + cells - 1), -1));
      const auto mean = rows.mean<6>(pair, {3 * cells, 4 * cells - 1, cells});
      EXPECT_TRUE(may_be_zero(mean.cos - radius * phase.cos));
      EXPECT_TRUE(may_be_zero(mean.sin - radius * phase.sin));
    }
}

TEST(PooledAxesRows, ZeroPaddingAndFirstIndicesAreOtherNumbers) {
  const pooled_axes_rows rows(helios);
  const auto entry = rows.entry<double>(0, {12, 13, 4});
  const auto first = rows.entry<double>(0, {12, 12, 1}), second = rows.entry<double>(0, {13, 13, 1});
  const double of_zeros = (from_bits<double>(first.cos) + from_bits<double>(second.cos)) / 4;
  EXPECT_NE(entry.cos, to_bits(of_zeros));
  EXPECT_NE(entry.cos, first.cos);
}

TEST(PooledAxesRows, WindowsThatMeanNothingAreRefused) {
  const pooled_axes_rows rows(helios);
  for (const axis_window& wrong :
       {axis_window{0, 3, 3}, {0, 3, 0}, {0, 3, -4}, {0, 3, 128}, {-1, 3, 2}, {4, 3, 2}})
    EXPECT_THROW((void)rows.entry<float>(0, wrong), std::invalid_argument);
  placed_rope halved = helios;
  halved.coordinates[1].scale = {1, 2};
  EXPECT_THROW((void)pooled_axes_rows(halved), std::invalid_argument);
}

}  // namespace
}  // namespace ropewalk
