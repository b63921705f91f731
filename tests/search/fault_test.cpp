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

#include "oracle/in_full.hpp"
#include "ropewalk/law/kernel/measure.hpp"
#include "ropewalk/law/rotation_laws.hpp"
#include "search/case_generator.hpp"
#include "search/caught_faults.hpp"
#include "search/search.hpp"

namespace ropewalk::search {
namespace {

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

const std::atomic<bool> never{false};
constexpr limits enough{300, 300, {}};

class Fault : public testing::TestWithParam<caught_fault> {};

TEST_P(Fault, IsCaughtAndShrunk) {
  const caught_fault& expected = GetParam();
  const law<checked_rotation>& judged_by = law_named(expected.law);
  const faulty kernel(expected.fault, expected.by);
  const checked_rotation& checked = kernel.checked;
  outcome outcome = search(judged_by, checked, ROPEWALK_F32, 1, enough, never);
  ASSERT_TRUE(outcome.failure) << expected.law << " does not catch " << expected.fault;
  shrink(judged_by, checked, 1, *outcome.failure, never);
  const law_case& smallest = outcome.failure->smallest;
  EXPECT_FALSE(measure(judged_by, checked, smallest).holds);
  EXPECT_LE(smallest.batch * smallest.tokens, 4) << text_of(smallest);
  const auto count = [](const auto& elements) {
    return std::count_if(elements.begin(), elements.end(), [](std::uint64_t bits) { return bits != 0; });
  };
  EXPECT_LE(count(smallest.query) + count(smallest.key), 4) << text_of(smallest);
}

TEST_P(Fault, IsFoundAgainWithTheSameSeed) {
  const law<checked_rotation>& judged_by = law_named(GetParam().law);
  if (judged_by.needs.sizes && !is_in_full()) GTEST_SKIP() << "its cases are large: ./dev prove runs it";
  const faulty kernel(GetParam().fault, GetParam().by);
  const checked_rotation& checked = kernel.checked;
  outcome first = search(judged_by, checked, ROPEWALK_BF16, 7, enough, never);
  ASSERT_TRUE(first.failure);
  const std::int64_t cases = first.failure->case_number + 1;
  outcome again = search(judged_by, checked, ROPEWALK_BF16, 7, {cases, cases, {}}, never);
  ASSERT_TRUE(again.failure);
  shrink(judged_by, checked, 7, *first.failure, never);
  shrink(judged_by, checked, 7, *again.failure, never);
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
  for (const silent_fault& fault : silent_faults) {
    const faulty kernel(fault.fault, fault.by);
    for (const char* name : {"accuracy", "canonical", "prefill-decode"}) {
      constexpr limits few{10, 10, {}};
      const outcome outcome = search(law_named(name), kernel.checked, ROPEWALK_F32, 3, few, never);
      EXPECT_TRUE(outcome.holds() && !outcome.says_nothing())
          << fault.fault << " in " << fault.by.model << " for " << fault.by.seq_len << " by " << name;
    }
  }
}

TEST(Faults, OfPrefillShowInNoCallOfSeveralTokens) {
  const faulty kernel("fault-llama3-in-prefill-only", configured{"llama-3.1-8b"});
  const law<checked_rotation>& accuracy = law_named("accuracy");
  const case_domain domain = domain_of(accuracy, kernel.checked, ROPEWALK_F32);
  int judged = 0, wrong = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const law_case test_case = cases(domain)(rc::Random(seed), 0).value();
    const bool holds = measure(accuracy, kernel.checked, test_case).holds;
    if (test_case.tokens > 1) {
      EXPECT_TRUE(holds) << text_of(test_case);
      ++judged;
    } else if (!holds) {
      ++wrong;
    }
  }
  EXPECT_GT(judged, 0);
  EXPECT_GT(wrong, 0);
}

TEST(Faults, EveryLawNamesOne) {
  for (const auto& law : rotation_laws::all)
    EXPECT_NO_THROW(fault_named(law.catches)) << law.name << " names no fault that it catches";
}

// Caught by the law of sizes, in size_test.cpp: its smallest case is large.
constexpr std::string_view caught_elsewhere[] = {"fault-grid"};

TEST(Faults, AreAllCaught) {
  std::set<std::string_view> caught(std::begin(caught_elsewhere), std::end(caught_elsewhere));
  for (const caught_fault& fault : caught_faults()) caught.insert(fault.fault);
  for (const ropewalk_kernel& kernel : fault::fault_kernels())
    EXPECT_TRUE(caught.contains(kernel.name)) << kernel.name << " is caught by no law";
}

}  // namespace
}  // namespace ropewalk::search
