// Every law is shown to fail on a kernel with a fault that it exists to catch, with a counterexample that was
// shrunk and words that name the fault.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <string>

#include "fault/faults.hpp"
#include "ropewalk/law/laws.hpp"
#include "search/case_generator.hpp"
#include "search/diagnosis.hpp"

namespace ropewalk::search {
namespace {

/// A law, a fault that it catches, and what is then said.
struct caught_fault {
  std::string_view law;
  std::string_view fault;
  std::string_view words;
};

// The one table: the tests below fail for a law or a fault that it leaves out.
constexpr caught_fault caught_faults[] = {
    {"canonical", "fault-small-flushed", "small values are flushed to zero"},
    {"accuracy", "fault-tail", "left unrotated"},
    {"accuracy", "fault-attention-dropped", "the attention factor was dropped"},
    {"norm", "fault-attention-dropped", "the attention factor was dropped"},
    {"relative-position", "fault-half-split", "interleaved and half-split are mixed up"},
    {"identity", "fault-position-off-by-one", "off by one"},
    {"composition", "fault-position-off-by-one", "those of position + 1"},
    {"round-trip", "fault-backward-is-forward", "backward and forward are mixed up"},
    {"adjoint", "fault-inverse-attention", "inverse in place of the adjoint"},
    {"extrapolation", "fault-angle-f32", "an angle formed in binary32"},
    {"prefill-decode", "fault-batch-row", "batch rows above 0"},
    {"layouts", "fault-half-split", ""},
    {"pass-through", "fault-pass-through-zeroed", "zeroed"},
    {"non-finite", "fault-nan-spreads", "spread"},
    {"linearity", "fault-small-flushed", "flushed"},
    {"accuracy", "fault-head-group", "left unrotated"},
    {"canonical", "fault-head-group", "left unrotated"},
    {"accuracy", "fault-environment-left", "changed the floating environment"},
    {"canonical", "fault-flush-to-zero", "the kernel does not set its own"},
    {"accuracy", "fault-flush-to-zero", "the kernel does not set its own"},
    {"unit-rotation", "fault-attention-in-unit", "although the rotation is a unit one"},
};

// YaRN, so that the attention factor is not 1; interleaved, with channels that pass through and a tail of 3
// pairs.
const rope encoding{.base = 1000000,
                    .rotary_dim = 22,
                    .scaling = yarn{.factor = 4, .original_max_position_embeddings = 32768}};
constexpr head_layout layout{27, pairing::interleaved, pairing::interleaved};

const law& law_named(std::string_view name) {
  return *std::find_if(laws.begin(), laws.end(), [&](const law& one) { return one.name == name; });
}

const ropewalk_kernel& fault_named(std::string_view name) {
  const auto faults = fault::fault_kernels();
  return *std::find_if(faults.begin(), faults.end(), [&](const auto& one) { return one.name == name; });
}

const std::atomic<bool> never{false};
constexpr limits enough{300, 300, {}};

class Fault : public testing::TestWithParam<caught_fault> {};

TEST_P(Fault, IsCaughtShrunkAndNamed) {
  const caught_fault& expected = GetParam();
  const law& judged_by = law_named(expected.law);
  const held_kernel held(fault_named(expected.fault), ROPEWALK_CANONICAL, encoding, layout);
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
  const std::string words = words_for(judged_by, held, *found.failure);
  EXPECT_NE(words.find(expected.words), std::string::npos) << words;
}

TEST_P(Fault, IsFoundAgainWithTheSameSeed) {
  const law& judged_by = law_named(GetParam().law);
  const held_kernel held(fault_named(GetParam().fault), ROPEWALK_CANONICAL, encoding, layout);
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
  std::string name;
  bool capital = true;
  for (const char letter : std::string(tested.param.law) + "-" + std::string(tested.param.fault)) {
    if (letter != '-') name += static_cast<char>(capital ? std::toupper(letter) : letter);
    capital = letter == '-';
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(Law, Fault, testing::ValuesIn(caught_faults), test_name);

TEST(Faults, EveryLawCatchesOne) {
  for (const law& one : laws)
    EXPECT_TRUE(std::any_of(std::begin(caught_faults), std::end(caught_faults),
                            [&](const caught_fault& caught) { return caught.law == one.name; }))
        << one.name << " has no fault that it catches";
}

TEST(Faults, AreAllCaught) {
  for (const ropewalk_kernel& one : fault::fault_kernels())
    EXPECT_TRUE(std::any_of(std::begin(caught_faults), std::end(caught_faults),
                            [&](const caught_fault& caught) { return caught.fault == one.name; }))
        << one.name << " is caught by no law";
}

}  // namespace
}  // namespace ropewalk::search
