// Figures of wavelengths, of extrapolation and of the decay of scores: facts that their numbers must satisfy.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "model/model.hpp"
#include "plot/figure_numbers.hpp"
#include "plot/figures.hpp"
#include "plot/subject.hpp"
#include "ropewalk/numeric/ulp.hpp"
#include "ropewalk/table/inv_freq_table.hpp"

namespace ropewalk::plot {
namespace {

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

}  // namespace
}  // namespace ropewalk::plot
