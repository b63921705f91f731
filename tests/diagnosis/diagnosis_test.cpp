// Known faults are named: a sample of all faults, models and dtypes is named correctly, and no other fault
// ever is. The sample is larger in `./dev prove`.

#include "diagnosis/diagnosis.hpp"

#include <gtest/gtest.h>

#include <cstdio>

#include "diagnosis/diagnosed_faults.hpp"
#include "diagnosis/diagnosed_kernels.hpp"
#include "diagnosis/engines.hpp"
#include "fault/canonical_steps.hpp"
#include "fault/faults.hpp"
#include "fault/rounded_angle.hpp"
#include "oracle/in_full.hpp"

namespace ropewalk::diagnosed {
namespace {

// One fault in so many is tried on each model, other faults on other models.
constexpr std::size_t sampled = 19;

/// A step through faults, or one so many times as large where a sample runs.
std::size_t sampled_step(std::size_t in_full, std::size_t times) {
  return is_in_full() ? in_full : times * in_full;
}

TEST(Diagnosis, NamesASampleOfFaultsAndNoOther) {
  counts all;
  for (std::size_t count = 0; count < models().size(); ++count) {
    auto causes = causes_on(models()[count]);
    for (std::size_t i = count; i < causes.singles(); i += sampled_step(4 * sampled, 4))
      all.add(diagnosed_fault(causes.fault(i), causes, promise::canonical, {all_dtypes[(i + count) % 4]},
                              count + 1, models()[count].name));
  }
  std::printf("%s", all.text().c_str());
  EXPECT_GE(all.rightly, is_in_full() ? 7 : 1);
  EXPECT_GE(100 * all.rightly, 95 * all.failing()) << all.text();
  EXPECT_EQ(all.wrongly, 0) << all.text();
}

TEST(Diagnosis, NamesNoOtherFaultWhereTheRightOneIsLeftOut) {
  counts all;
  for (std::size_t count = 0; count < models().size();
       count += sampled_step(2, 2)) {  // compounds are tried, too
    auto causes = causes_on(models()[count]);
    for (std::size_t i = count + 6; i < causes.singles(); i += 10 * sampled)
      all.add(diagnosed_fault(causes.fault(i), causes, promise::canonical, {all_dtypes[(i + count) % 4]},
                              count + 1, models()[count].name, true));
  }
  std::printf("%s", all.text().c_str());
  EXPECT_GE(all.unexplained, is_in_full() ? 3 : 1);
  EXPECT_EQ(all.wrongly, 0) << all.text();
}

TEST(Diagnosis, NamesFaultsOfKernelsThatPromiseABoundAndNoBits) {
  counts all;
  for (const promise promised : {promise::rounded_table, promise::angle_f32}) {
    for (const char* name : {"unscaled", "yarn", "three axes"}) {
      auto causes = causes_on(model_named(name));
      for (std::size_t i = 3; i < causes.singles(); i += sampled_step(6 * sampled, 4))
        all.add(diagnosed_fault(causes.fault(i), causes, promised, {ROPEWALK_F32}, 1, name));
    }
  }
  std::printf("%s", all.text().c_str());
  EXPECT_GE(all.rightly, is_in_full() ? 8 : 2);
  EXPECT_EQ(all.wrongly, 0) << all.text();
}

/// Interleaved pairs, with angles in binary64: at far positions they err by more than slow pairs may.
struct interleaved_binary64_steps : fault::canonical_steps {
  rotated_layout layout(rotated_layout layout) const {
    layout.head.pairing_in = layout.head.pairing_out = pairing::interleaved;
    return layout;
  }
  template <floating_format Table>
  void fill(token_row<Table>& row, const rotation_plan& plan, const token_place& place, bool unit,
            bool backward) const {
    fault::fill_by_angle(row, plan, place, unit, backward, [](double position, double inv_freq) {
      return static_cast<double>(position) * inv_freq;
    });
  }
};

/// A known fault's kernel, by its name.
const fault::known_fault& known_fault_named(std::string_view name) {
  const auto all = fault::known_rotation_faults();
  return *std::find_if(all.begin(), all.end(), [&](const auto& item) { return item.kernel.name == name; });
}

TEST(Diagnosis, NamesFaultsOfEnginesAndTheEngines) {
  const model::model axes = model::parse_model(R"({"model_type": "qwen3_vl_text", "head_dim": 32,
      "max_position_embeddings": 32768, "rope_theta": 5000000, "rope_scaling": {"mrope_section": [8, 4, 4],
      "rope_type": "default"}})",
                                               "interleaved axes");
  const model::model lists = model::at_length(
      model::parse_model(R"({"model_type": "phi3", "head_dim": 16, "max_position_embeddings": 131072,
      "original_max_position_embeddings": 4096, "rope_scaling": {"rope_type": "yarn",
      "short_factor": [1, 1, 1, 1, 1, 2, 2, 2], "long_factor": [1, 2, 3, 4, 5, 6, 7, 8]}})",
                         "a rule named yarn"),
      {131072, "the test"});
  const struct {
    const model::model& read_model;
    const char* fault;
    const char* engines;
  } cases[] = {
      {axes, "fault-fourth-row", ", as llama.cpp b10256 does"},
      {axes, "fault-axis-runs", ""},
      {lists, "fault-yarn-mscale",
       ", as llama.cpp's converter 051139f5 and transformers before version 5 do"},
      {model_named("yarn, long ramp"), "fault-yarn-truncated", ", as llama.cpp b10256 does"},
      {model_named("longrope"), "fault-longrope-other-list", ", as llama.cpp b10256 and vLLM 17d618b0 do"}};
  for (const auto& [model, name, engines] : cases) {
    const fault::known_fault& fault = known_fault_named(name);
    const diagnosis::cause cause = cause_of(fault.kernel, model, promise::canonical);
    EXPECT_EQ(cause.verdict, diagnosis::verdict::explained) << name << ": " << diagnosis::text_of(cause);
    EXPECT_EQ(cause.sentence, fault.sentence);
    EXPECT_EQ(diagnosis::as_engines_do(model, cause.faults), engines);
  }
}

TEST(Diagnosis, NamesThePairingWhateverPositionsAreDrawn) {
  const model::model wide = model::catalogue_model("llama-3.1-8b");
  auto causes = causes_on(wide);
  const ropewalk_kernel kernel = fault::kernel_with<interleaved_binary64_steps>("interleaved-binary64");
  for (std::uint64_t seed = 1; seed <= (is_in_full() ? 3 : 1); ++seed) {
    const std::vector<ropewalk_dtype> dtypes{ROPEWALK_F32};
    const auto failed = failures_of(*causes.hold(kernel, promise::angle_f64), dtypes, seed, 20);
    const diagnosis::cause cause = diagnosis::diagnose(kernel, promise::angle_f64, causes, failed,
                                                       {.seed = seed, .dtypes = dtypes}, never);
    EXPECT_NE(text_of(cause).find("channels are paired as interleaved"), std::string::npos) << text_of(cause);
  }
}

TEST(Diagnosis, NamesFaultsOfKernelsThatAdd) {
  const std::shared_ptr<const addition_truth> truths[] = {
      std::make_shared<const addition_truth>(sinusoidal{.d_model = 17, .odd = odd_width::zero}),
      std::make_shared<const addition_truth>(alibi{.heads = 6}, 13),
      std::make_shared<const addition_truth>(alibi{.heads = 6, .form = alibi_form::symmetric}, 13)};
  for (const bool left_out : {false, true}) {
    counts all;
    for (std::size_t t = 0; t < std::size(truths); ++t) {
      diagnosis::known_causes<checked_addition> causes(
          truths[t]->operation(), [&](const ropewalk_kernel& kernel, promise promised) {
            return std::make_unique<checked_addition>(kernel, promised, truths[t]);
          });
      for (std::size_t i = left_out ? 1 : 0; i < causes.singles(); i += sampled_step(left_out ? 9 : 6, 5))
        all.add(diagnosed_fault(causes.fault(i), causes, promise::canonical, {all_dtypes[(i + t) % 4]}, 1,
                                "additions", left_out));
    }
    std::printf("%s", all.text().c_str());
    EXPECT_GE(left_out ? all.unexplained : all.rightly, is_in_full() ? 15 : 3);
    EXPECT_GE(100 * (left_out ? all.unexplained : all.rightly), 95 * all.failing()) << all.text();
    EXPECT_EQ(all.wrongly, 0) << all.text();
  }
}

// One compound in so many is tried on each model, other compounds on other models.
constexpr std::size_t sampled_compounds = 1597;

TEST(Diagnosis, NamesTwoFaultsAtOnceAndFaultsOfOnePath) {
  counts all;
  for (std::size_t count = 0; count < models().size(); ++count) {
    auto causes = causes_on(models()[count]);
    for (std::size_t i = causes.singles() + 40 * count; i < causes.count();
         i += sampled_step(sampled_compounds, 8))
      all.add(diagnosed_fault(causes.fault(i), causes, promise::canonical, {all_dtypes[(i + count) % 4]},
                              count + 1, models()[count].name));
  }
  std::printf("%s", all.text().c_str());
  EXPECT_GE(all.rightly, is_in_full() ? 8 : 1);
  EXPECT_EQ(all.wrongly, 0) << all.text();
}

TEST(Diagnosis, NeverSpeaksOfAnAttentionFactorThatIsOne) {
  auto causes = causes_on(model_named("unscaled"));
  std::size_t count = 0;
  for (std::size_t i = 0; i < causes.singles(); ++i) {
    if (causes.fault(i).sentence.find("attention factor") == std::string::npos) continue;
    if (count++ % sampled_step(1, 3) != 0) continue;
    const counts counts =
        diagnosed_fault(causes.fault(i), causes, promise::canonical, {ROPEWALK_F32}, 1, "unscaled");
    EXPECT_EQ(counts.silent, 1) << causes.fault(i).kernel.name;
  }
}

TEST(Diagnosis, TakesOneSentenceForOneCause) {
  const diagnosis::cause cause =
      cause_of(fault::backward_is_forward(), model_named("yarn"), promise::canonical, every_dtype);
  EXPECT_EQ(cause.verdict, diagnosis::verdict::explained);
  EXPECT_EQ(cause.sentence, "the backward flag is not read: backward turns as forward does");
  EXPECT_EQ(cause.faults,
            (std::vector<diagnosis::named_fault>{{"fault-backward-is-forward", cause.sentence}}));
  EXPECT_GT(cause.failing, 0);
  EXPECT_GT(cause.passing, 0);
  EXPECT_NE(text_of(cause).find("(explains all "), std::string::npos) << text_of(cause);
}

TEST(Diagnosis, TakesOfTwoModelsTheFaultsThatExplainBoth) {
  const diagnosis::named_fault dropped{"a", "the factor is dropped"}, unscaled{"b", "nothing is scaled"};
  const diagnosis::cause first{
      .verdict = diagnosis::verdict::explained, .faults = {dropped, unscaled}, .failing = 3, .passing = 4};
  diagnosis::cause other = first;
  other.faults = {dropped};
  const auto both = diagnosis::common_cause(first, other);
  ASSERT_TRUE(both);
  EXPECT_EQ(both->faults, std::vector{dropped});
  EXPECT_EQ(text_of(*both),
            "the factor is dropped (explains all 6 failing and 8 passing cases that it was tried on)");
  other.faults = {{"c", "something else"}};
  EXPECT_FALSE(diagnosis::common_cause(first, other));
  other.verdict = diagnosis::verdict::refused;
  EXPECT_FALSE(diagnosis::common_cause(first, other));
}

TEST(Diagnosis, NamesAFaultThatTheLawOfSizesAloneSees) {
  const diagnosis::cause cause = cause_of(fault::offset_32(), model_named("unscaled"), promise::canonical);
  EXPECT_EQ(cause.verdict, diagnosis::verdict::explained);
  EXPECT_NE(cause.sentence.find("32-bit"), std::string::npos) << diagnosis::text_of(cause);
}

}  // namespace
}  // namespace ropewalk::diagnosed
