// Laws of scaling: they hold for the exact tables of every rule, and each fails on a table with the matching
// fault.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "law/broken_laws.hpp"
#include "law/faulty_frequencies.hpp"
#include "oracle/models.hpp"
#include "oracle/random_config.hpp"
#include "ropewalk/law/table_laws.hpp"
#include "ropewalk/table/inv_freq_table.hpp"

namespace ropewalk::frequency_laws_test {
namespace {

const frequency_source exact_tables = [](const rope& config) { return inv_freqs<double>(config); };

using example::names;

/// Names of the laws that a table breaks.
names broken(const frequency_source& tables, const rope& config) {
  return example::broken(frequency_laws::all, checked_frequencies{tables, config});
}

constexpr rope deepseek_long{.base = 10000,
                             .rotary_dim = 64,
                             .scaling = yarn{.factor = 40, .original_max_position_embeddings = 131072}};

TEST(FrequencyLaws, HoldForPublishedModels) {
  for (const oracle::model& model : oracle::models)
    EXPECT_EQ(broken(exact_tables, model.config), names{}) << model.name;
}

TEST(FrequencyLaws, HoldForAnyConfiguration) {
  for (const rope_scaling& rule : oracle::every_rule()) {
    oracle::random_configs draw(100 + static_cast<std::uint64_t>(rule.index));
    for (int i = 0; i < 60; ++i)
      EXPECT_EQ(broken(exact_tables, draw.of(rule)), names{}) << name_of(rule) << ' ' << i;
  }
}

TEST(FrequencyLaws, HaveNamesOfTheirOwn) { example::expect_names_of_their_own(frequency_laws::all); }

TEST(FrequencyLaws, SpeakOfEveryRule) {
  for (const oracle::model& model : oracle::models)
    EXPECT_TRUE(std::any_of(frequency_laws::all.begin(), frequency_laws::all.end(), [&](const auto& law) {
      return law.applies({exact_tables, model.config});
    })) << model.name;
}

TEST(FrequencyLaws, HoldForYarnWrittenOnceMore) {
  const auto tables = example::tables_of([](int pair, const rope& config) {
    if (config.scaling.is<unscaled>()) return example::unscaled(pair, config);
    return example::yarn_frequency(pair, config, example::yarn_fault::none);
  });
  for (const rope& config : {oracle::qwen_yarn, oracle::deepseek_v3, oracle::gpt_oss, deepseek_long})
    EXPECT_EQ(broken(tables, config), names{});
}

names broken_by(example::yarn_fault fault, const rope& config) {
  return broken(example::tables_of([=](int pair, const rope& encoding) {
                  if (encoding.scaling.is<unscaled>()) return example::unscaled(pair, encoding);
                  return example::yarn_frequency(pair, encoding, fault);
                }),
                config);
}

TEST(FrequencyLaws, AReversedRampBreaksKeptDividedAndMonotone) {
  const auto law_names = broken_by(example::yarn_fault::ramp_reversed, oracle::qwen_yarn);
  EXPECT_TRUE(law_names.contains("kept"));
  EXPECT_TRUE(law_names.contains("divided"));
  // With a factor of 40 the reversed ramp even rises.
  EXPECT_TRUE(broken_by(example::yarn_fault::ramp_reversed, oracle::deepseek_v3).contains("monotone"));
}

TEST(FrequencyLaws, AClampAtTheLastPairBreaksContinuity) {
  EXPECT_EQ(broken_by(example::yarn_fault::clamp_at_half, deepseek_long), names{"continuity"});
}

TEST(FrequencyLaws, ARampThatIsNotTruncatedBreaksContinuity) {
  EXPECT_EQ(broken_by(example::yarn_fault::not_truncated, oracle::qwen_yarn), names{"continuity"});
  EXPECT_EQ(broken_by(example::yarn_fault::not_truncated, oracle::deepseek_v3), names{"continuity"});
}

TEST(FrequencyLaws, ScalingWhatIsKeptBreaksKept) {
  const auto tables = example::tables_of(
      [](int pair, const rope& config) { return example::wide(example::unscaled(pair, config) / 4); });
  EXPECT_TRUE(broken(tables, oracle::qwen_yarn).contains("kept"));
}

TEST(FrequencyLaws, ExchangedFactorsOfLlama3BreakContinuity) {
  EXPECT_TRUE(broken(example::tables_of(example::llama3_with_factors_exchanged), oracle::llama_31)
                  .contains("continuity"));
}

TEST(FrequencyLaws, SwitchingAtTheOriginalLengthBreaksSwitch) {
  EXPECT_EQ(
      broken(example::tables_of(example::longrope_switched_at_original), oracle::phi_35_mini(4096)).size(),
      1u);
  const checked_frequencies switched{example::tables_of(example::longrope_switched_at_original),
                                     oracle::phi_35_mini(1)};
  EXPECT_FALSE(frequency_laws::switch_of_lists.measure(switched, {}).holds);
}

TEST(FrequencyLaws, DynamicThatIsConstantBreaksGrowth) {
  const rope config = oracle::internlm_25(65536);
  const auto never = example::tables_of(example::unscaled);
  EXPECT_EQ(broken(never, config), (names{"growth", "slowest-pair"}));
  const auto always = example::tables_of([](int pair, const rope& encoding) {
    return example::ntk_frequency(pair, encoding, example::wide(3));
  });
  EXPECT_EQ(broken(always, config), names{"growth"});  // correct at this one length
}

TEST(FrequencyLaws, NtkWithTheExponentOfPlainBasesBreaksTheSlowestPair) {
  const auto tables = example::tables_of([](int pair, const rope& config) {
    if (config.scaling.is<unscaled>()) return example::unscaled(pair, config);
    rope grown = config;
    grown.base *= config.scaling.as<ntk>().factor;
    return example::unscaled(pair, grown);
  });
  EXPECT_EQ(broken(tables, oracle::by_ntk), names{"slowest-pair"});
}

TEST(FrequencyLaws, AFactorAppliedTwiceBreaksBetween) {
  const auto tables = example::tables_of([](int pair, const rope& config) {
    const double factor = config.scaling.is<linear>() ? config.scaling.as<linear>().factor : 1;
    return example::wide(example::unscaled(pair, config) / factor / factor);
  });
  const rope config{.base = 10000, .rotary_dim = 64, .scaling = linear{8}};
  EXPECT_EQ(broken(tables, config), (names{"between", "divided"}));
}

TEST(FrequencyLaws, ARuleComputedInBinary32BreaksFactorOne) {
  const frequency_source tables = [](const rope& config) {
    std::vector<std::uint64_t> table = inv_freqs<double>(config);
    if (config.scaling.is<unscaled>()) return table;
    for (std::uint64_t& bits : table)
      bits = to_bits(static_cast<double>(static_cast<float>(from_bits<double>(bits))));
    return table;
  };
  EXPECT_TRUE(broken(tables, oracle::by_ntk).contains("factor-one"));
  EXPECT_TRUE(broken(tables, oracle::qwen_yarn).contains("factor-one"));
}

TEST(FrequencyLaws, PartialRotationInPlaceOfProportionalBreaksStill) {
  const auto tables = example::tables_of(example::unscaled);
  EXPECT_EQ(broken(tables, oracle::gemma_4), names{"still"});
}

TEST(FrequencyLaws, AnythingThatIsNoFrequencyBreaksEveryLaw) {
  for (const double bad : {-1.0, HUGE_VAL, -HUGE_VAL, std::nan("")}) {
    const frequency_source tables = [=](const rope& config) {
      return std::vector<std::uint64_t>(static_cast<std::size_t>(pair_count(config)), to_bits(bad));
    };
    for (const oracle::model& model : oracle::models)
      for (const auto& law : frequency_laws::all)
        EXPECT_FALSE(law.applies({tables, model.config}) && law.measure({tables, model.config}, {}).holds)
            << law.name << " " << bad;
  }
}

TEST(FrequencyLaws, ATableOfAnotherLengthIsRefused) {
  const checked_frequencies short_one{[](const rope&) { return std::vector<std::uint64_t>(3); },
                                      oracle::qwen_yarn};
  for (const auto& law : frequency_laws::all) {
    if (!law.applies(short_one)) continue;
    EXPECT_THROW(law.measure(short_one, {}), std::invalid_argument) << law.name;
  }
}

}  // namespace
}  // namespace ropewalk::frequency_laws_test
