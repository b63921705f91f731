// Figures of the entries of tables, of codes, rotations and biases: facts that their numbers must satisfy.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

#include "plot/figure_numbers.hpp"
#include "plot/figures.hpp"
#include "plot/subject.hpp"

namespace ropewalk::plot {
namespace {

double norm_of(const series& points, std::size_t at) {
  return points.x[at] * points.x[at] + points.y[at] * points.y[at];
}

TEST(Sinusoids, AreAllEntriesOfGpt2sShape) {
  const heat_map cells = *sinusoids(qwen()).panels[0].cells;
  ASSERT_EQ(cells.rows, 1024u);
  ASSERT_EQ(cells.columns, 768u);
  for (std::size_t channel = 0; channel < 768; ++channel) EXPECT_EQ(cells.values[channel], channel % 2);
  EXPECT_EQ(cells.values[768], 0x1.aed548f090ceep-1);      // sin 1, correctly rounded
  EXPECT_EQ(cells.values[768 + 1], 0x1.14a280fb5068cp-1);  // cos 1
  EXPECT_NE(sinusoids(qwen()).alt.find("every row has the norm 19.6,"), std::string::npos);
}

TEST(Oscillations, AreColumnsOfTheTable) {
  const heat_map cells = *sinusoids(qwen()).panels[0].cells;
  const figure figure = oscillations(qwen());
  const int drawn_at[] = {1, 50, 150};
  for (std::size_t k = 0; k < 3; ++k) {
    const panel& all = figure.panels[2 * k];
    ASSERT_EQ(all.series[0].y.size(), 1024u);
    const auto sine = static_cast<std::size_t>(2 * drawn_at[k]);
    for (std::size_t position = 0; position < 1024; ++position)
      EXPECT_EQ(all.series[0].y[position], cells.values[position * 768 + sine]);
    const series& cosine = figure.panels[2 * k + 1].series[1];
    for (std::size_t position = 0; position < cosine.y.size(); ++position)
      EXPECT_EQ(cosine.y[position], cells.values[position * 768 + sine + 1]);
  }
  EXPECT_NE(figure.sentence.find("turn once in 6.436, 20.85, 229.4 tokens"), std::string::npos);
}

TEST(Oscillations, ProductsOfRowsDependOnTheirDistanceAlone) {
  const panel shifts = oscillations(qwen()).panels[6];
  ASSERT_EQ(shifts.series.size(), 3u);
  const series from_0 = shifts.series[0], from_300 = shifts.series[1];
  constexpr double sum_error = 768 * 768 * 0x1p-53;  // of 768 products and sums of numbers up to 768
  EXPECT_LE(std::abs(from_0.y[0] - 384), sum_error);
  for (std::size_t distance = 0; distance < from_0.y.size(); ++distance)
    EXPECT_LE(std::abs(from_0.y[distance] - from_300.y[distance]), 2 * sum_error);
}

TEST(BinaryCodes, DigitsAddUpToThePosition) {
  const heat_map bits = *binary_codes(qwen()).panels[0].cells;
  ASSERT_EQ(bits.rows, 32u);
  ASSERT_EQ(bits.columns, 5u);
  for (std::size_t position = 0; position < 32; ++position) {
    double sum = 0;
    for (std::size_t bit = 0; bit < 5; ++bit) sum += bits.values[position * 5 + bit] * std::exp2(bit);
    EXPECT_EQ(sum, position);
  }
}

TEST(BinaryCodes, SinesDoubleTheirWavelengthsFromPairToPair) {
  const heat_map sines = *binary_codes(qwen()).panels[1].cells;
  for (std::size_t pair = 1; pair < 5; ++pair)  // sin(p / 2^k) at 2 p is sin(p / 2^(k - 1)) at p
    for (std::size_t position = 0; position < 16; ++position)
      EXPECT_LE(std::abs(sines.values[2 * position * 5 + pair] - sines.values[position * 5 + pair - 1]),
                0x1p-53);  // each correctly rounded
}

TEST(BinaryCodes, NormalisedIndexDependsOnTheLength) {
  const panel codes = binary_codes(qwen()).panels[5];
  EXPECT_EQ(series_named(codes, "5 positions").y[2], 0.5);
  EXPECT_EQ(series_named(codes, "100 positions").y[2], 2.0 / 99);
  EXPECT_EQ(series_named(codes, "20 positions").y.back(), 1);
}

TEST(Rotation, KeepsTheNorm) {
  const figure figure = rotation(qwen());
  for (std::size_t k = 0; k < 3; ++k) {
    const series points = series_named(figure.panels[k], "positions 0 to 7");
    ASSERT_EQ(points.x.size(), 8u);
    EXPECT_EQ(points.x[0], 1);
    EXPECT_EQ(points.y[0], 0);
    for (std::size_t at = 0; at < 8; ++at) EXPECT_LE(std::abs(norm_of(points, at) - 1), norm_error);
  }
  const series first = series_named(figure.panels[0], "positions 0 to 7");
  EXPECT_EQ(first.x[1], 0x1.14a280fb5068cp-1);  // cos 1
  EXPECT_EQ(first.y[1], 0x1.aed548f090ceep-1);  // sin 1
}

TEST(Rotation, RepeatsTheWorkedExample) {
  EXPECT_NE(rotation(qwen()).alt.find("(1, 0, 1, 0) at position 2 into (-0.42, 0.91, 0.98, 0.20)"),
            std::string::npos);
}

TEST(Rotation, TurnsAVectorOfOnesAndKeepsItsNorm) {
  const heat_map cells = *rotation(qwen()).panels.back().cells;
  ASSERT_EQ(cells.columns, 128u);
  for (std::size_t channel = 0; channel < 128; ++channel) EXPECT_EQ(cells.values[channel], 1);
  for (std::size_t position = 0; position < cells.rows; ++position) {
    const double* row = cells.values.data() + position * cells.columns;
    EXPECT_LE(std::abs(row[0] * row[0] + row[1] * row[1] - 2), 2 * norm_error);
  }
}

TEST(Biases, AlibiIsMinusTheSlopeTimesTheDistance) {
  const figure figure = biases(qwen());
  const double slopes[] = {0.5, 0.0625, 0.00390625};
  for (std::size_t k = 0; k < 3; ++k) {
    const heat_map& cells = *figure.panels[k].cells;
    for (std::size_t query = 0; query < 64; ++query)
      for (std::size_t key = 0; key < 64; ++key) {
        const double bias = cells.values[query * 64 + key];
        if (key > query)
          EXPECT_TRUE(std::isnan(bias));
        else
          EXPECT_EQ(bias, -slopes[k] * static_cast<double>(query - key));
      }
  }
}

TEST(Biases, BucketsOfT5) {
  const figure figure = biases(qwen());
  const heat_map& cells = *figure.panels[3].cells;
  for (std::size_t query = 0; query < 64; ++query) {
    EXPECT_EQ(cells.values[query * 64 + query], 0);
    for (std::size_t key = query + 1; key < 64; ++key)  // keys ahead have buckets of their own
      EXPECT_EQ(cells.values[query * 64 + key], 16 + cells.values[key * 64 + query]);
    if (query >= 8) {
      EXPECT_EQ(cells.values[query * 64 + query - 7], 7);
      EXPECT_EQ(cells.values[query * 64 + query - 8], 8);
    }
  }
  const series decoder = series_named(figure.panels[4], "decoder (causal)");
  const auto last = std::find(decoder.x.begin(), decoder.x.end(), 113);
  ASSERT_NE(last, decoder.x.end());
  EXPECT_EQ(decoder.y[static_cast<std::size_t>(last - decoder.x.begin())], 31);
  EXPECT_EQ(decoder.y.back(), 31);
}

TEST(Biases, AttentionFallsWithTheDistanceAndFasterInEarlierHeads) {
  const panel attention = biases(qwen()).panels[5];
  ASSERT_EQ(attention.series.size(), 3u);
  for (const series& head : attention.series)
    EXPECT_TRUE(std::is_sorted(head.y.begin(), head.y.end(), std::greater<>())) << head.name;
  for (std::size_t k = 1; k < 3; ++k) EXPECT_GT(attention.series[k].y[4], attention.series[k - 1].y[4]);
}

TEST(TableBits, OurTablesHaveNoWrongEntryAndEnginesEverMore) {
  const figure figure = table_bits(qwen());
  const panel& shares = figure.panels[0];
  const series ours = series_named(shares, "bf16 and f16, correctly rounded");
  const series cache = series_named(shares, "bf16, angle in f32");
  const series whole = series_named(shares, "bf16, angle in bf16");
  ASSERT_EQ(cache.x.size(), 18u);
  EXPECT_EQ(cache.x.front(), 8);
  EXPECT_EQ(cache.x.back(), 1048576);
  for (std::size_t k = 0; k < 18; ++k) {
    EXPECT_EQ(ours.y[k], ours.y[0]);
    EXPECT_NE(ours.hints[k].find(": 0 % of the entries differ"), std::string::npos);
    EXPECT_GT(whole.y[k], cache.y[k]);
  }
  EXPECT_GT(cache.y[14], 1);  // just below 131072
  EXPECT_GT(cache.y[17], cache.y[14]);
}

TEST(TableBits, ThePairWhoseAngleIsExactHasNoWrongEntryInBfloat16) {
  const figure figure = table_bits(qwen());
  ASSERT_EQ(figure.panels.size(), 4u);
  const heat_map& cells = *figure.panels[2].cells;
  ASSERT_EQ(figure.panels[2].title, "bf16, angle in f32");
  bool is_second_wrong = false;
  for (std::size_t row = 0; row < cells.rows; ++row) {
    EXPECT_EQ(cells.values[row * cells.columns], 0);
    is_second_wrong = is_second_wrong || cells.values[row * cells.columns + 1] > 50;
  }
  EXPECT_TRUE(is_second_wrong);
}

}  // namespace
}  // namespace ropewalk::plot
