// Every law is shown to fail on a kernel with a fault that it exists to catch, with a counterexample that was
// shrunk.

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <iterator>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "fault/faults.hpp"
#include "model/model.hpp"
#include "ropewalk/law/kernel/measure.hpp"
#include "ropewalk/law/rotation_laws.hpp"
#include "search/case_generator.hpp"
#include "search/search.hpp"

namespace ropewalk::search {
namespace {

// A YaRN ramp that ends beyond the last pair, which no published model has: from pair 40.6 to 64.7 of 64.
constexpr std::string_view long_ramp = R"({
  "model_type": "llama", "head_dim": 128, "rope_theta": 10000.0, "max_position_embeddings": 524288,
  "rope_scaling": {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 131072}})";

constexpr std::string_view interleaved_axes = R"({
  "model_type": "qwen2_vl", "head_dim": 128, "rope_theta": 5000000.0, "max_position_embeddings": 262144,
  "rope_scaling": {"rope_type": "default", "mrope_section": [24, 20, 20], "mrope_interleaved": true}})";

/// The model that a faulty kernel is given, and its sequence length.
struct configured {
  std::string_view model;  // of the catalogue, or the text of a config.json; empty: the encoding below
  std::int64_t seq_len = 0;
};

/// A law, a fault that it catches, and the model.
struct caught_fault {
  std::string_view law;
  std::string_view fault;
  configured by{};
};

// Other faults than the one that a law names, and other models. A test below fails for a fault that is in
// neither.
constexpr caught_fault more_caught_faults[] = {
    {"accuracy", "fault-attention-dropped"},
    {"accuracy", "fault-interleaved", {"llama-3.1-8b"}},
    {"accuracy", "fault-head-group"},
    {"canonical", "fault-head-group"},
    {"accuracy", "fault-environment-left"},
    {"canonical", "fault-flush-to-zero"},
    {"accuracy", "fault-flush-to-zero"},
    {"accuracy", "fault-attention-cos-only"},
    {"relative-position", "fault-attention-cos-only"},
    {"norm", "fault-attention-twice"},
    {"accuracy", "fault-yarn-ramp-reversed", {"qwen2.5-7b-yarn4"}},
    {"accuracy", "fault-yarn-ramp-reversed", {"gpt-oss-20b"}},
    {"accuracy", "fault-yarn-clamp-at-half", {long_ramp}},
    {"accuracy", "fault-yarn-untruncated", {"qwen2.5-7b-yarn4"}},
    {"canonical", "fault-yarn-untruncated", {"deepseek-v3"}},
    {"prefill-decode", "fault-llama3-in-prefill-only", {"llama-3.1-8b"}},
    {"prefill-decode", "fault-llama3-in-prefill-only", {"llama-3.2-1b"}},
    {"accuracy", "fault-longrope-switch-at-original", {"phi-3.5-mini", 4096}},
    {"accuracy", "fault-longrope-switch-at-original", {"phi-3.5-moe", 4096}},
    {"norm", "fault-longrope-attention-short-dropped", {"phi-3.5-mini", 4096}},
    {"accuracy", "fault-dynamic-constant", {"internlm2-chat-20b", 65536}},
    {"accuracy", "fault-exponent-over-head-dim", {"gpt-neox-20b"}},
    {"canonical", "fault-kept-row"},
    {"accuracy", "fault-kept-row"},
    {"accuracy", "fault-axis-first", {"qwen2-vl-7b"}},
    {"relative-position", "fault-axis-first", {"qwen2-vl-7b"}},
    {"composition", "fault-axis-first", {"qwen2-vl-7b"}},
    {"canonical", "fault-axis-runs", {interleaved_axes}},
    {"canonical", "fault-axis-interleaved", {"qwen2-vl-7b"}},
    {"relative-position", "fault-axis-exchanged", {"qwen2-vl-7b"}},
    {"accuracy", "fault-axis-stride", {"qwen2-vl-7b"}},
    {"accuracy", "fault-position-step"},
    {"prefill-decode", "fault-shared-row"},
    {"prefill-decode", "fault-range-begin"},
    {"prefill-decode", "fault-range-end"},
    {"accuracy", "fault-key-strides"},
    {"canonical", "fault-aligned"},
    {"sizes", "fault-head-192"},
    {"pass-through", "fault-whole-head"},
    {"norm", "fault-whole-head", {"gpt-neox-20b"}},
};

/// The fault that each law names, then the others.
const std::vector<caught_fault>& caught_faults() {
  static const std::vector<caught_fault> all = [] {
    std::vector<caught_fault> r;
    for (const auto& one : rotation_laws::all) r.push_back({one.name, one.catches});
    r.insert(r.end(), std::begin(more_caught_faults), std::end(more_caught_faults));
    return r;
  }();
  return all;
}

/// A model on which a fault must not show: next to its threshold, under
/// another rule, or without a configuration.
struct silent_fault {
  std::string_view fault;
  configured by{};
};

constexpr silent_fault silent_faults[] = {
    {"fault-half-split", {"llama-3.1-8b"}},
    {"fault-interleaved", {"gpt-j-6b"}},
    {"fault-attention-cos-only", {"llama-3.1-8b"}},
    {"fault-attention-twice", {"llama-3.1-8b"}},
    {"fault-attention-twice", {"deepseek-v3"}},  // its two mscales are equal: the factor is 1
    {"fault-yarn-ramp-reversed", {"llama-3.1-8b"}},
    {"fault-yarn-ramp-reversed"},
    {"fault-yarn-clamp-at-half", {"qwen2.5-7b-yarn4"}},
    {"fault-yarn-untruncated", {"gpt-oss-20b"}},  // truncate is false
    {"fault-yarn-untruncated"},
    {"fault-llama3-in-prefill-only", {"qwen2.5-7b-yarn4"}},
    {"fault-longrope-switch-at-original", {"phi-3.5-mini"}},
    {"fault-longrope-switch-at-original", {"phi-3.5-mini", 4095}},
    {"fault-longrope-switch-at-original", {"phi-3.5-mini", 4097}},
    {"fault-longrope-switch-at-original", {"phi-3.5-moe", 131072}},
    {"fault-longrope-attention-short-dropped", {"phi-3.5-mini", 4097}},
    {"fault-dynamic-constant", {"internlm2-chat-20b"}},
    {"fault-dynamic-constant", {"internlm2-chat-20b", 32768}},
    {"fault-exponent-over-head-dim", {"llama-2-7b"}},
};

// YaRN, so that the attention factor is not 1; interleaved, with channels that pass through and a tail of 3
// pairs.
const rope encoding{.base = 1000000,
                    .rotary_dim = 22,
                    .scaling = yarn{.factor = 4, .original_max_position_embeddings = 32768}};
constexpr head_layout layout{27, pairing::interleaved, pairing::interleaved};

const law<held_rotation>& law_named(std::string_view name) {
  return *std::find_if(rotation_laws::all.begin(), rotation_laws::all.end(),
                       [&](const auto& one) { return one.name == name; });
}

const ropewalk_kernel& fault_named(std::string_view name) {
  for (const ropewalk_kernel& one : fault::fault_kernels())
    if (one.name == name) return one;
  throw std::invalid_argument("no fault named '" + std::string(name) + "'");
}

model::model model_of(const configured& by) {
  model::model r;
  if (by.model.empty())
    r.encoding = encoding, r.layout = layout;
  else
    r = by.model.front() == '{' ? model::parse_model(by.model, "text") : model::catalogue_model(by.model);
  if (by.seq_len > 0) r = at_length(std::move(r), {by.seq_len, "the test"});
  return r;
}

/// A kernel with a fault, given a model.
struct faulty {
  faulty(std::string_view fault, const configured& by) : faulty(fault, model_of(by)) {}
  faulty(std::string_view fault, const model::model& by)
      : held(fault_named(fault), promise::canonical, by.encoding, by.layout,
             {by.config, by.axes, by.query_heads, by.key_heads}) {}

  held_rotation held;
};

const std::atomic<bool> never{false};
constexpr limits enough{300, 300, {}};

class Fault : public testing::TestWithParam<caught_fault> {};

TEST_P(Fault, IsCaughtAndShrunk) {
  const caught_fault& expected = GetParam();
  const law<held_rotation>& judged_by = law_named(expected.law);
  const faulty kernel(expected.fault, expected.by);
  const held_rotation& held = kernel.held;
  outcome found = search(judged_by, held, ROPEWALK_F32, 1, enough, never);
  ASSERT_TRUE(found.failure) << expected.law << " does not catch " << expected.fault;
  shrink(judged_by, held, 1, *found.failure, never);
  const law_case& smallest = found.failure->smallest;
  EXPECT_FALSE(measure(judged_by, held, smallest).holds);
  EXPECT_LE(smallest.batch * smallest.tokens, 4) << text_of(smallest);
  const auto count = [](const auto& elements) {
    return std::count_if(elements.begin(), elements.end(), [](std::uint64_t bits) { return bits != 0; });
  };
  EXPECT_LE(count(smallest.query) + count(smallest.key), 4) << text_of(smallest);
}

TEST_P(Fault, IsFoundAgainWithTheSameSeed) {
  const law<held_rotation>& judged_by = law_named(GetParam().law);
  const faulty kernel(GetParam().fault, GetParam().by);
  const held_rotation& held = kernel.held;
  outcome first = search(judged_by, held, ROPEWALK_BF16, 7, enough, never);
  ASSERT_TRUE(first.failure);
  const std::int64_t cases = first.failure->case_number + 1;
  outcome again = search(judged_by, held, ROPEWALK_BF16, 7, {cases, cases, {}}, never);
  ASSERT_TRUE(again.failure);
  shrink(judged_by, held, 7, *first.failure, never);
  shrink(judged_by, held, 7, *again.failure, never);
  EXPECT_EQ(first.failure->smallest, again.failure->smallest);
}

std::string test_name(const testing::TestParamInfo<caught_fault>& tested) {
  const std::string_view model = tested.param.by.model;
  std::string name;
  bool capital = true;
  for (const std::string_view part :
       {tested.param.law, tested.param.fault, model.starts_with('{') ? std::string_view("config") : model}) {
    for (const char letter : part) {
      const bool is_letter = std::isalnum(static_cast<unsigned char>(letter)) != 0;
      if (is_letter) name += static_cast<char>(capital ? std::toupper(letter) : letter);
      capital = !is_letter;
    }
    capital = true;
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(Law, Fault, testing::ValuesIn(caught_faults()), test_name);

TEST(Faults, AreSilentWhereTheyDoNotApply) {
  for (const silent_fault& one : silent_faults) {
    const faulty kernel(one.fault, one.by);
    for (const char* name : {"accuracy", "canonical", "prefill-decode"}) {
      constexpr limits few{20, 20, {}};
      const outcome found = search(law_named(name), kernel.held, ROPEWALK_F32, 3, few, never);
      EXPECT_TRUE(found.holds() && !found.says_nothing())
          << one.fault << " in " << one.by.model << " for " << one.by.seq_len << " by " << name;
    }
  }
}

TEST(Faults, OfPrefillShowInNoCallOfSeveralTokens) {
  const faulty kernel("fault-llama3-in-prefill-only", configured{"llama-3.1-8b"});
  const law<held_rotation>& accuracy = law_named("accuracy");
  const case_domain domain = domain_of(accuracy, kernel.held, ROPEWALK_F32);
  int judged = 0, wrong = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const law_case given = cases(domain)(rc::Random(seed), 0).value();
    const bool holds = measure(accuracy, kernel.held, given).holds;
    if (given.tokens > 1) {
      EXPECT_TRUE(holds) << text_of(given);
      ++judged;
    } else if (!holds) {
      ++wrong;
    }
  }
  EXPECT_GT(judged, 0);
  EXPECT_GT(wrong, 0);
}

TEST(Faults, EveryLawNamesOne) {
  for (const auto& one : rotation_laws::all)
    EXPECT_NO_THROW(fault_named(one.catches)) << one.name << " names no fault that it catches";
}

// Caught by the law of sizes, in size_test.cpp: its smallest case is large.
constexpr std::string_view caught_elsewhere[] = {"fault-grid"};

TEST(Faults, AreAllCaught) {
  std::set<std::string_view> caught(std::begin(caught_elsewhere), std::end(caught_elsewhere));
  for (const caught_fault& one : caught_faults()) caught.insert(one.fault);
  for (const ropewalk_kernel& one : fault::fault_kernels())
    EXPECT_TRUE(caught.contains(one.name)) << one.name << " is caught by no law";
}

}  // namespace
}  // namespace ropewalk::search
