// Tables with the faults of public trackers: each is made in plain arithmetic, and must be named; an honest
// engine's table is never blamed.

#include "diagnosis/table_cause.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numbers>
#include <set>
#include <string>
#include <string_view>

#include "diagnosis/addition_faults.hpp"
#include "diagnosis/named_tables.hpp"
#include "diagnosis/unknown_mistakes.hpp"
#include "oracle/in_full.hpp"

namespace ropewalk::table_faults {
namespace {

using diagnosis::table_cause, diagnosis::table_verdict;
using tables::table_dtype;

input::position_list positions(std::int64_t begin, std::int64_t end) { return {.range = {begin, end}}; }

model::model model_of(const char* name) { return model::catalogue_model(name); }

// Its slowest pairs turn within few positions.
constexpr std::string_view qwen3_vl = R"({
  "model_type": "qwen3_vl_text", "head_dim": 128, "max_position_embeddings": 262144, "rope_theta": 100})";

/// Models on which every fault shows.
std::vector<model::model> some_models() {
  std::vector<model::model> models;
  for (const char* name : {"llama-2-7b", "llama-3.2-1b", "gpt-oss-20b", "deepseek-v3", "qwen2.5-7b-yarn4",
                           "gpt-neox-20b", "gemma-4", "mistral-nemo", "gemma-3-27b", "phi-3.5-mini"})
    models.push_back(model::catalogue_model(name));
  models.push_back(model::catalogue_model("gemma-3-27b", {.layer = "sliding_attention"}));
  models.push_back(model::at_length(model::catalogue_model("internlm2.5-7b-chat"), {100000, "the test"}));
  models.push_back(model::parse_model(qwen3_vl, "qwen3-vl"));
  return models;
}

constexpr manufacture some_ways[] = {{inv_freq_layout, table_dtype::f32, working::binary32},
                                     {inv_freq_layout, table_dtype::bf16, working::binary64},
                                     {vllm_layout, table_dtype::f32, working::binary32},
                                     {hf_layout, table_dtype::bf16, working::binary64}};

TEST(TableCause, EveryFaultOfTheTrackersIsNamed) {
  std::vector<table_counts> counts(tracker_faults().size());
  for (const model::model& model : some_models()) {
    diagnosis::rotary_diagnosis diagnosis(model);
    for (std::size_t i = 0; i < counts.size(); ++i)
      for (std::size_t way = is_in_full() ? 0 : i % 2; way < std::size(some_ways);
           way += is_in_full() ? 1 : 2)
        count(counts[i], tracker_faults()[i], model, diagnosis, some_ways[way], positions(-4, 262));
  }
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const table_counts& all = counts[i];
    EXPECT_GT(all.rightly, 0) << tracker_faults()[i].fault;
    EXPECT_EQ(all.wrongly + all.unexplained + all.holding, 0) << tracker_faults()[i].fault << all.text();
  }
}

TEST(TableCause, TheReadmeListsTheFaultsOfTheTrackers) {
  std::ifstream file(std::string(ROPEWALK_SOURCE) + "/tests/README.md");
  const std::string readme{std::istreambuf_iterator<char>(file), {}};
  const std::size_t heading = readme.find("| fault | threads | hypothesis |\n|---|---|---|\n");
  ASSERT_NE(heading, std::string::npos);
  std::string rows;
  for (const tracker_fault& fault : tracker_faults())
    if (!fault.threads.empty())
      rows += "| " + fault.fault + " | " + fault.threads + " | " + fault.hypothesis + " |\n";
  for (const addition_fault& fault : addition_faults)
    rows += std::string("| ") + fault.fault + " | " + fault.threads + " | " + fault.hypothesis + " |\n";
  EXPECT_EQ(readme.substr(readme.find("|---|---|---|\n", heading) + 14), rows);
}

TEST(TableCause, AnHonestTableIsNeverBlamed) {
  for (const model::model& model : some_models()) {
    diagnosis::rotary_diagnosis diagnosis(model);
    for (const manufacture& made : some_ways) {
      const auto array = laid_out(right_engine(model), made.layout, made.dtype, positions(-20, 100), made.in);
      const table_cause cause = diagnosis.explain(array);
      EXPECT_EQ(cause.verdict, table_verdict::holds) << model.name << ": " << diagnosis::text_of(cause);
    }
  }
}

/// The cause of an engine's table in both layouts and dtypes, which must be the same.
std::string sentence_of(const engine_table& engine, const model::model& model) {
  diagnosis::rotary_diagnosis diagnosis(model);
  std::set<std::string> sentences;
  for (const manufacture& made : some_ways)
    sentences.insert(diagnosis::text_of(
        diagnosis.explain(laid_out(engine, made.layout, made.dtype, positions(0, 4100), made.in))));
  return sentences.size() == 1 ? *sentences.begin() : fmt::format("{}", fmt::join(sentences, "\n"));
}

TEST(TableCause, NamesTheEnginesThatAreKnownToDoSo) {
  const std::string full = R"("full_attention": {"rope_type": "yarn", "rope_theta": 150000, "factor": 32,
      "original_max_position_embeddings": 4096, "truncate": false})";
  const std::string olmo = R"("model_type": "olmo3", "hidden_size": 64, "num_attention_heads": 1, )";
  const auto parsed = [](const std::string& keys) { return model::parse_model("{" + keys + "}", "a test"); };
  const auto ramp = [](const model::model& model) { return detail::ramp(model, true, false).value(); };
  const auto short_phi = model::at_length(model_of("phi-3.5-mini"), {4096, "the test"});
  const auto long_moe = model::at_length(model_of("phi-3.5-moe"), {131072, "the test"});
  const struct {
    ropewalk::model::model model;
    engine_table engine;
    std::string ends_with;
  } cases[] = {
      {model_of("gpt-oss-20b"), ramp(model_of("gpt-oss-20b")), "truncate is false, as llama.cpp b10256 does"},
      {parsed(olmo +
              R"("rope_parameters": {"sliding_attention": {"rope_type": "default", "rope_theta": 1e4}, )" +
              full + "}"),
       ramp(parsed(olmo + R"("rope_parameters": {"sliding_attention": {"rope_type": "default"}, )" + full +
                   "}")),
       "truncate is false, as llama.cpp b10256 and transformers decba1d2 do"},
      {model::parse_model(qwen3_vl, "a test"),
       detail::fourth_row(model::parse_model(qwen3_vl, "a test")).value(),
       "which is 0, as llama.cpp b10256 does"},
      {short_phi, detail::list_of_other_length(short_phi).value(),
       ", as llama.cpp b10256 and vLLM 17d618b0 do"},
      {long_moe, detail::list_of_other_length(long_moe).value(), ", as transformers decba1d2 does"},
      // No engine is known to take this factor twice.
      {model_of("qwen2.5-7b-yarn4"), detail::factor_twice(model_of("qwen2.5-7b-yarn4")).value(), "twice"}};
  for (const auto& test_case : cases) {
    diagnosis::rotary_diagnosis diagnosis(test_case.model);
    const std::string name = diagnosis::text_of(diagnosis.explain(
        laid_out(test_case.engine, vllm_layout, table_dtype::f32, positions(0, 4096), working::binary32)));
    EXPECT_TRUE(name.ends_with(test_case.ends_with)) << name;
  }
}

TEST(TableCause, NamesABaseThatOnlyTheArrayTells) {
  const model::model model = model_of("llama-2-7b");
  EXPECT_EQ(sentence_of({plain_inv_freqs(8000000, 64, 128)}, model), "the base is 8000000");
}

TEST(TableCause, NamesAFactorThatOnlyTheArrayTells) {
  const model::model model = model_of("llama-3.1-8b");
  engine_table engine{plain_inv_freqs(500000, 64, 128)};
  engine.inv_freqs = by_llama3(engine.inv_freqs, {16, 1, 4, 8192});
  EXPECT_EQ(sentence_of(engine, model), "the rule's factor is 16");
}

TEST(TableCause, NamesANumberByWhichEveryFrequencyIsMultiplied) {
  const model::model model = model_of("llama-2-7b");
  engine_table engine = right_engine(model);
  for (double& inv_freq : engine.inv_freqs) inv_freq /= 3;
  EXPECT_EQ(sentence_of(engine, model), "every frequency is the expected one divided by 3");
}

TEST(TableCause, SaysWhatIsSeenWhereNothingExplains) {
  const model::model model = model_of("llama-2-7b");
  engine_table engine = right_engine(model);
  for (std::size_t pair = 40; pair < 50; ++pair) engine.inv_freqs[pair] *= 1.5;
  diagnosis::rotary_diagnosis diagnosis(model);
  const auto text = [&](const tables::array_layout& layout) {
    const auto array = laid_out(engine, layout, table_dtype::f32, positions(0, 4100), working::binary64);
    return diagnosis::text_of(diagnosis.explain(array));
  };
  const std::string seen = "; the frequencies of pairs 40 to 49 are 1.5 times the expected";
  const std::string begin = "not explained by any known mistake; the wrong entries have in common: ";
  EXPECT_EQ(text(inv_freq_layout), begin + "pairs 40 to 49" + seen);
  EXPECT_EQ(text(vllm_layout), begin + "positions from 1 on" + seen);
}

TEST(TableCause, ExplainsNoShortTableByANumberThatItLeavesOpen) {
  const model::model model = model_of("llama-3.1-8b");
  engine_table engine = right_engine(model);
  for (std::size_t pair = 20; pair < 30; ++pair) engine.inv_freqs[pair] *= 1.5;
  const auto array = laid_out(engine, vllm_layout, table_dtype::bf16, positions(0, 40), working::binary64);
  EXPECT_EQ(names_of(diagnosis::rotary_diagnosis(model).explain(array)), "not explained");
}

/// The names of what explains an engine's table in one layout and dtype.
std::string names_for(const engine_table& engine, const model::model& model,
                      const tables::array_layout& layout, table_dtype dtype = table_dtype::f32) {
  return names_of(diagnosis::rotary_diagnosis(model).explain(
      laid_out(engine, layout, dtype, positions(0, 600), working::binary32)));
}

/// An engine's array, read as if it had another layout of the same shape.
diagnosis::given_array taken_as(diagnosis::given_array array, const tables::array_layout& layout) {
  array.layout = layout;
  return array;
}

TEST(TableCause, NamesEntriesThatStandElsewhere) {
  const model::model model = model_of("llama-2-7b");
  diagnosis::rotary_diagnosis diagnosis(model);
  constexpr tables::array_layout complex{tables::table_kind::cos_sin, tables::cos_sin_layout::complex};
  tables::array_layout interleaved = hf_layout;
  interleaved.duplicated = pairing::interleaved;
  const auto made = [&](const tables::array_layout& layout) {
    return laid_out(right_engine(model), layout, table_dtype::bf16, positions(0, 100), working::binary64);
  };
  EXPECT_EQ(names_of(diagnosis.explain(taken_as(made(complex), vllm_layout))), "other-arrangement");
  EXPECT_EQ(names_of(diagnosis.explain(taken_as(made(vllm_layout), complex))), "other-arrangement");
  EXPECT_EQ(names_of(diagnosis.explain(taken_as(made(interleaved), hf_layout))), "other-copies");
  EXPECT_EQ(names_of(diagnosis.explain(taken_as(made({tables::table_kind::sin}), {tables::table_kind::cos}))),
            "row-exchanged");
  engine_table negated = right_engine(model);
  negated.sin_sign = -1;
  EXPECT_EQ(names_for(negated, model, hf_layout), "sine-negated, positions-negated");
}

TEST(TableCause, NamesUnitsFactorsAndPositions) {
  const model::model model = model_of("qwen2.5-7b-yarn4");
  engine_table engine = right_engine(model);
  engine.factor *= engine.factor;
  EXPECT_EQ(names_for(engine, model, vllm_layout), "attention-twice");
  engine = right_engine(model);
  engine.position = [](double p) { return p + 1; };
  EXPECT_EQ(names_for(engine, model, vllm_layout), "positions-after");
  engine.position = [](double p) { return std::min(p, 511.0); };
  EXPECT_EQ(names_for(engine, model, vllm_layout), "positions-clamped-512, positions-clamped-above-512");
  engine = right_engine(model);
  for (double& inv_freq : engine.inv_freqs) inv_freq *= 2 * std::numbers::pi;
  EXPECT_EQ(names_for(engine, model, inv_freq_layout), "radians-as-turns");
}

TEST(TableCause, NamesTheTableOfTheOtherKindOfLayers) {
  for (const char* name : {"gemma-3-27b", "gemma-4"}) {
    const model::model full = model_of(name);
    const model::model sliding = model::catalogue_model(name, {.layer = "sliding_attention"});
    EXPECT_EQ(names_for(right_engine(sliding), full, hf_layout), "other-layer-type") << name;
    EXPECT_NE(names_for(right_engine(full), sliding, hf_layout).find("other-layer-type"), std::string::npos)
        << name;
  }
}

TEST(TableCause, ReadsListedAndRealPositions) {
  const model::model model = model_of("mistral-nemo");
  diagnosis::rotary_diagnosis diagnosis(model);
  const engine_table wrong{plain_inv_freqs(10000, 64, 128)};
  const input::position_list listed{.listed = {1000, 0, 5, 70000}, .is_listed = true};
  const input::position_list real{.real = {0.5, 1000.25}};
  for (const input::position_list& at : {listed, real}) {
    const auto array = [&](const engine_table& engine) {
      return laid_out(engine, vllm_layout, table_dtype::f32, at, working::binary64);
    };
    EXPECT_EQ(names_of(diagnosis.explain(array(right_engine(model)))), "holds");
    EXPECT_EQ(names_of(diagnosis.explain(array(wrong))), "base-10000");
  }
}

TEST(TableCause, NamesEntriesThatWereNeverComputed) {
  const model::model model = model_of("llama-2-7b");
  engine_table engine = right_engine(model);
  std::fill(engine.inv_freqs.begin(), engine.inv_freqs.end(), 1e-41);
  engine.inv_freqs[9] = -3e20;
  EXPECT_EQ(names_for(engine, model, inv_freq_layout), "frequencies-stale");
  engine.inv_freqs.assign(64, std::nan(""));
  EXPECT_EQ(names_for(engine, model, inv_freq_layout), "entries-not-numbers, frequencies-stale");
  EXPECT_EQ(names_for(engine, model, hf_layout), "entries-not-numbers");
  engine.inv_freqs.assign(64, 0.25);
  EXPECT_EQ(names_for(engine, model, inv_freq_layout), "entries-equal");
  engine.factor = 0;
  EXPECT_EQ(names_for(engine, model, hf_layout), "entries-zero");
}

TEST(TableCause, NamesTheCauseOfGgmlsDivisors) {
  const model::model model = model_of("llama-3.1-8b");
  constexpr tables::array_layout factors{tables::table_kind::ggml_factors};
  const auto divisors = [&](const std::vector<double>& inv_freqs) {
    engine_table engine{plain_inv_freqs(model.encoding.base, 64, 128)};
    for (std::size_t pair = 0; pair < engine.inv_freqs.size(); ++pair)
      engine.inv_freqs[pair] /= inv_freqs[pair];
    return engine;
  };
  const std::vector<double> plain = plain_inv_freqs(model.encoding.base, 64, 128);
  EXPECT_EQ(names_for(divisors(right_engine(model).inv_freqs), model, factors), "holds");
  EXPECT_EQ(names_for(divisors(by_llama3(plain, {32, 1, 4, 8192})), model, factors), "llama3-usual-32");
  EXPECT_EQ(names_for(divisors(plain), model, factors), "unscaled-without-factor, entries-equal");
}

TEST(TableCause, ReadsArraysOfAnySize) {
  const model::model model = model_of("llama-2-7b");
  diagnosis::rotary_diagnosis diagnosis(model);
  const auto none =
      laid_out(right_engine(model), vllm_layout, table_dtype::f32, positions(0, 0), working::binary64);
  EXPECT_EQ(diagnosis.explain(none).verdict, table_verdict::holds);
  engine_table narrow = right_engine(model);
  narrow.inv_freqs.resize(17);
  const auto text = [&](const engine_table& engine) {
    return diagnosis::text_of(
        diagnosis.explain(laid_out(engine, inv_freq_layout, table_dtype::f32, {}, working::binary64)));
  };
  EXPECT_EQ(text(narrow), "the table has the first 17 of 64 pairs");
  narrow.inv_freqs = {1, 0.5, 0.75, 0.1};
  EXPECT_EQ(text(narrow),
            "not explained by any known mistake; the wrong entries have in common: all 4 pairs that were "
            "inspected; the array has 4 pairs, and the model 64");
  // A wrong row between the inspected places is found where the caller names it.
  const engine_table right = right_engine(model);
  auto array = laid_out(right, vllm_layout, table_dtype::f32, positions(0, 5000), working::binary64);
  const auto wrong = laid_out({plain_inv_freqs(500, 64, 128)}, vllm_layout, table_dtype::f32,
                              positions(4001, 4002), working::binary64);
  array.read = [read = array.read, wrong = wrong.read](std::int64_t row, std::byte* out) {
    row == 4001 ? wrong(0, out) : read(row, out);
  };
  EXPECT_EQ(diagnosis.explain(array).verdict, table_verdict::holds);
  array.places = {4001};
  EXPECT_EQ(diagnosis::text_of(diagnosis.explain(array)),
            "not explained by any known mistake; the wrong entries have in common: position 4001");
}

TEST(TableCause, AMistakeThatNobodyKnowsIsNotExplained) {
  for (const model::model& model : some_models()) {
    diagnosis::rotary_diagnosis diagnosis(model);
    for (const unknown_mistake& mistake : unknown_mistakes()) {
      const auto array =
          laid_out(mistake.on(model), vllm_layout, table_dtype::f32, positions(-20, 100), working::binary32);
      const table_cause cause = diagnosis.explain(array);
      EXPECT_EQ(cause.verdict, table_verdict::not_explained)
          << model.name << ", " << mistake.name << ": " << diagnosis::text_of(cause);
    }
  }
}

}  // namespace
}  // namespace ropewalk::table_faults
