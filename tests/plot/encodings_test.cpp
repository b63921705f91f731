// Figures of encodings: facts that their numbers must satisfy, whoever draws them.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "model/model.hpp"
#include "plot/figures.hpp"
#include "plot/subject.hpp"
#include "ropewalk/numeric/ulp.hpp"
#include "ropewalk/table/inv_freq_table.hpp"

namespace ropewalk::plot {
namespace {

constexpr std::int64_t trained_on = 32768, asked_for = 131072;

// Two entries within 2^-54 of exact ones, whose squares sum to 1, and three roundings within 2^-53 each.
constexpr double norm_error = 0x1p-51;

subject qwen() {
  subject qwen;
  qwen.model = model::catalogue_model("qwen2.5-7b-yarn4");
  qwen.which_options = " --model qwen2.5-7b-yarn4";
  qwen.trained = trained_on;
  qwen.target = asked_for;
  return qwen;
}

std::vector<figure> every_figure_of_encodings() {
  std::vector<figure> result;
  for (const description& description : figures())
    if (!description.needs_measurement && description.name != "error-by-position")
      result.push_back(description.make(qwen()));
  return result;
}

/// The series of a panel with the tag or, without one, the name.
series series_named(const panel& panel, const std::string& name) {
  const auto match = std::find_if(panel.series.begin(), panel.series.end(), [&](const series& series) {
    const auto tag = series.tags.find("rule");
    return series.name == name || (tag != series.tags.end() && tag->second == name);
  });
  if (match == panel.series.end()) throw std::invalid_argument("no series " + name);
  return *match;
}

double norm_of(const series& points, std::size_t at) {
  return points.x[at] * points.x[at] + points.y[at] * points.y[at];
}

std::size_t count_of(const std::string& text, const std::string& name) {
  std::size_t count = 0;
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) ++count;
  return count;
}

TEST(FiguresOfEncodings, TenAreListed) { EXPECT_EQ(every_figure_of_encodings().size(), 10u); }

TEST(FiguresOfEncodings, SayWhatToSeeAndHowToMakeThem) {
  for (const figure& figure : every_figure_of_encodings()) {
    SCOPED_TRACE(figure.name);
    EXPECT_EQ(figure_named(figure.name).name, figure.name);
    EXPECT_FALSE(figure.title.empty());
    ASSERT_FALSE(figure.sentence.empty());
    EXPECT_EQ(figure.sentence.back(), '.');
    EXPECT_GT(figure.alt.size(), figure.sentence.size());
    EXPECT_EQ(figure.alt.back(), '.');
    EXPECT_TRUE(
        std::any_of(figure.alt.begin(), figure.alt.end(), [](char c) { return c >= '0' && c <= '9'; }));
    EXPECT_EQ(count_of(figure.alt, "nan") + count_of(figure.sentence, "nan"), 0u);
    EXPECT_TRUE(figure.command.starts_with("ropewalk plot " + figure.name + " "));
    EXPECT_TRUE(figure.command.ends_with(" --svg " + figure.name + ".svg"));
  }
}

TEST(FiguresOfEncodings, NameTheModelWhereTheyDependOnIt) {
  for (const char* name : {"extrapolation", "wavelengths", "long-term-decay", "rotation", "table-bits"}) {
    const figure figure = figure_named(name).make(qwen());
    EXPECT_NE(figure.command.find(" --model qwen2.5-7b-yarn4 "), std::string::npos) << name;
    EXPECT_NE(figure.title.find("qwen2.5-7b-yarn4"), std::string::npos) << name;
  }
}

TEST(FiguresOfEncodings, HaveAxesWithTitlesAndSeriesOfOneLength) {
  for (const figure& figure : every_figure_of_encodings())
    for (const panel& part : figure.panels) {
      SCOPED_TRACE(figure.name + ", " + part.title);
      EXPECT_FALSE(part.x.title.empty());
      EXPECT_FALSE(part.y.title.empty());
      EXPECT_TRUE(part.cells || !part.series.empty());
      for (const series& line : part.series) {
        EXPECT_GE(line.x.size(), 2u - (line.mark == mark::points ? 1u : 0u)) << line.name;
        EXPECT_EQ(line.y.size(), line.x.size());
        EXPECT_TRUE(line.hints.empty() || line.hints.size() == line.x.size());
        EXPECT_TRUE(line.labels.empty() || line.labels.size() == line.x.size());
        EXPECT_EQ(line.upper.size(), line.mark == mark::band ? line.x.size() : 0u);
      }
    }
}

TEST(FiguresOfEncodings, HaveCellsWithinTheirColours) {
  for (const figure& figure : every_figure_of_encodings())
    for (const panel& part : figure.panels) {
      if (!part.cells) continue;
      SCOPED_TRACE(figure.name + ", " + part.title);
      EXPECT_EQ(part.cells->values.size(), part.cells->rows * part.cells->columns);
      for (const double value : part.cells->values)
        if (!std::isnan(value)) {
          ASSERT_GE(value, part.cells->least.value);
          ASSERT_LE(value, part.cells->most.value);
        }
    }
}

TEST(Wavelengths, BeginAtTwoPiAndGrow) {
  const figure figure = wavelengths(qwen());
  const series before = series_named(figure.panels[0], "none");
  ASSERT_EQ(before.y.size(), 64u);
  EXPECT_EQ(before.y[0], 0x1.921fb54442d18p2);  // the binary64 nearest to 2 pi
  for (std::size_t pair = 1; pair < 64; ++pair) EXPECT_GT(before.y[pair], before.y[pair - 1]);
}

TEST(Wavelengths, AreThoseOfTheModelsTable) {
  const subject subject = qwen();
  const series own = series_named(wavelengths(subject).panels[0], "yarn");
  const std::vector<std::uint64_t> inv_freq = inv_freqs<double>(subject.model.encoding);
  constexpr std::uint64_t roundings = 4;  // of the frequency, 2 pi and quotient here; of the quotient there
  for (std::size_t pair = 0; pair < 64; ++pair) {
    const double wavelength = 0x1.921fb54442d18p2 / from_bits<double>(inv_freq[pair]);
    EXPECT_LE(ulp_distance<double>(to_bits(own.y[pair]), to_bits(wavelength)), roundings) << pair;
  }
}

TEST(Wavelengths, YarnKeepsTheFirstPairsAndDividesTheLastByTheFactor) {
  const figure figure = wavelengths(qwen());
  const series change = series_named(figure.panels[1], "yarn");
  EXPECT_EQ(std::count(change.y.begin(), change.y.end(), 1.0), 24);
  EXPECT_EQ(std::count(change.y.begin(), change.y.end(), 0.25), 24);
  EXPECT_EQ(change.y.front(), 1);
  EXPECT_EQ(change.y.back(), 0.25);
  for (std::size_t pair = 24; pair < 40; ++pair) EXPECT_LT(change.y[pair], change.y[pair - 1]);
  EXPECT_NE(figure.sentence.find(
                "keeps the frequencies of 24 pairs, divides those of 24 by 4 and those of 16 by less."),
            std::string::npos);
}

TEST(Wavelengths, TellWhatYarnDoesToPair30OfQwen) {
  const figure figure = wavelengths(qwen());
  const std::string hint = series_named(figure.panels[0], "yarn").hints[30];
  // 1 - (30 - 23) / (40 - 23) x 3 / 4 = 47 / 68, of a ramp from 23 to 40
  EXPECT_EQ(hint,
            "pair 30 with yarn (the model's own): a turn in 5903.25 tokens, before 4080.19; inv_freq x "
            "0.691176, 41.2 % of the way to dividing by 4");
  EXPECT_EQ(series_named(figure.panels[1], "yarn").y[30], 47.0 / 68);
  EXPECT_NE(figure.alt.find(hint), std::string::npos);
}

TEST(Wavelengths, DrawARuleOnceIfItIsTheModelsOwn) {
  const figure drawing = wavelengths(qwen());
  std::size_t drawn_as_yarn = 0;
  for (const series& line : drawing.panels[0].series)
    if (const auto tag = line.tags.find("rule"); tag != line.tags.end())
      drawn_as_yarn += tag->second == "yarn";
  EXPECT_EQ(drawn_as_yarn, 1u);
  subject shorter = qwen();
  shorter.target = 2 * trained_on;  // at factor 2, YaRN is not as configured
  const figure two = wavelengths(shorter);
  EXPECT_EQ(series_named(two.panels[0], "yarn (the model's own)").y.size(), 64u);
  EXPECT_EQ(series_named(two.panels[1], "yarn").y.back(), 0.25);
  EXPECT_EQ(two.panels[1].series.size(), drawing.panels[1].series.size() + 1);
}

subject subject_of_model(const char* name, std::int64_t trained, std::int64_t target) {
  subject result;
  result.model = model::at_seq_len(model::catalogue_model(name), {}, {target, "the target length"});
  result.trained = trained;
  result.target = target;
  return result;
}

TEST(Wavelengths, TellOfFactorsOfTheirOwnAndOfPairsThatStandStill) {
  EXPECT_NE(wavelengths(subject_of_model("phi-3-mini-128k", 4096, 131072))
                .sentence.find("longrope (the model's own) divides each frequency by its own number, from "),
            std::string::npos);
  const figure figure = wavelengths(subject_of_model("gemma-4", 131072, 262144));
  EXPECT_NE(
      figure.sentence.find("proportional (the model's own) keeps the frequencies of 64 pairs, stops 192."),
      std::string::npos);
  const series own = series_named(figure.panels[0], "proportional");
  EXPECT_FALSE(std::isnan(own.y[63]));
  EXPECT_TRUE(std::isnan(own.y[64]));
  EXPECT_EQ(series_named(figure.panels[1], "proportional").y[64], 0);
}

TEST(FiguresOfEncodings, NameAnEncodingByHandByItsNumbers) {
  subject subject = qwen();
  subject.model = model::model_by_hand(500, 64, 64, pairing::half_split, "");
  EXPECT_EQ(rotation(subject).title, "Rotation of pairs by their position: base 500, rotary_dim 64");
}

TEST(Extrapolation, PairsThatFinishNoTurnMeetNewPhasesWithoutARule) {
  const figure figure = extrapolation(qwen());
  const std::vector<double> turns = wavelengths_of(plain_encoding(qwen()));
  const series& unseen = figure.panels[0].series[0];
  ASSERT_EQ(unseen.mark, mark::band);
  for (std::size_t pair = 0; pair < 64; ++pair) {
    EXPECT_EQ(unseen.upper[pair] > unseen.y[pair], turns[pair] > trained_on) << pair;
    EXPECT_LE(unseen.upper[pair], 100);
  }
  EXPECT_NE(figure.panels[0].title.find("none: 24 of 64 pairs"), std::string::npos);
}

TEST(Extrapolation, YarnLeavesNothingNewAndLinearDividesEveryStep) {
  const figure figure = extrapolation(qwen());
  const series& by_yarn = figure.panels[1].series[0];
  ASSERT_TRUE(figure.panels[1].title.starts_with("yarn (own): 0 of 64"));
  for (std::size_t pair = 0; pair < 64; ++pair) EXPECT_LE(by_yarn.upper[pair], by_yarn.y[pair]) << pair;
  ASSERT_TRUE(figure.panels[2].title.starts_with("linear: 0 of 64"));
  const series step = series_named(figure.panels[2], "step, of training's");
  EXPECT_EQ(std::count(step.y.begin(), step.y.end(), 25), 64);
}

TEST(Extrapolation, LearnedAndBinaryCodesRefuseTheLastPosition) {
  const panel encodings = extrapolation(qwen()).panels.back();
  const series refused = series_named(encodings, "refuses it");
  ASSERT_EQ(refused.y.size(), 2u);
  std::string names;
  for (const double row : refused.y) names += encodings.y.ticks[static_cast<std::size_t>(row)].label + " ";
  EXPECT_EQ(names, "learned binary ");
  for (const double share : refused.x) EXPECT_EQ(share, 75);  // of 131072 positions, 32768 were there
}

TEST(LongTermDecay, BeginsAtTheMeanOf1To64AndFallsOnTheWhole) {
  const series curve = long_term_decay(qwen()).panels[0].series[0];
  EXPECT_EQ(curve.x.front(), 0);
  EXPECT_EQ(curve.y.front(), 32.5);
  EXPECT_EQ(curve.x.back(), 256);
  EXPECT_LT(curve.y.back(), curve.y.front() / 2);
  EXPECT_TRUE(std::is_sorted(curve.y.begin(), curve.y.begin() + 11, std::greater<>()));
  EXPECT_GT(curve.y[12], curve.y[11]);  // the first rise, of which the sentence speaks
  EXPECT_NE(long_term_decay(qwen()).sentence.find("it first rises at 12;"), std::string::npos);
}

TEST(LongTermDecay, ScoresDependOnTheDistanceAlone) {
  const heat_map cells = *long_term_decay(qwen()).panels[2].cells;
  for (std::size_t query = 0; query < 64; ++query)
    for (std::size_t key = 0; key < 64; ++key) {
      const std::size_t distance = query > key ? query - key : key - query;
      EXPECT_LE(std::abs(cells.values[query * 64 + key] - cells.values[distance]), 2 * norm_error);
    }
  EXPECT_LE(std::abs(cells.values[0] - 1), norm_error);
  EXPECT_LT(cells.values[63], 0.9);
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

TEST(FiguresOfEncodings, ServeEveryModelOfTheSpread) {
  for (const std::string_view name : model::catalogue_spread()) {
    subject subject = qwen();
    subject.model = model::catalogue_model(name);
    subject.trained = 2048;
    subject.target = 8192;
    subject.model = model::at_seq_len(subject.model, {}, {subject.target, "the target length"});
    subject.is_quick = true;
    for (const char* figure_name : {"extrapolation", "wavelengths", "rotation"}) {
      SCOPED_TRACE(std::string(name) + ", " + figure_name);
      const figure figure = figure_named(figure_name).make(subject);
      EXPECT_EQ(figure.alt.find("nan"), std::string::npos);
      EXPECT_EQ(figure.sentence.find("nan"), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace ropewalk::plot
