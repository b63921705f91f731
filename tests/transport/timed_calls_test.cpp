// Times that a program measures itself: what it says is read where it can be true, and refused otherwise.

#include "transport/timed_calls.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "kernel/kernels.hpp"
#include "ropewalk/kernel/resolved.hpp"
#include "ropewalk/law/kernel/kernel_call.hpp"
#include "transport/exchange.hpp"
#include "transport/message_kernels.hpp"
#include "transport/program.hpp"

namespace ropewalk::transport {
namespace {

constexpr int head_dim = 8, tokens = 3, heads = 2, calls = 5;

/// A plan of a kernel, and a call of it out of place.
class planned_call {
 public:
  explicit planned_call(const ropewalk_kernel& kernel)
      : kernel_(kernel),
        in_(std::size_t{tokens} * heads * head_dim, 1.0f),
        out_(in_.size(), 0.0f),
        call_(empty_call<rotate>()) {
    const resolved_encoding encoding(rope{.base = 10000, .rotary_dim = head_dim}, head_layout{head_dim});
    const ropewalk_rotation view = encoding.view();
    ropewalk_error error{};
    detail::expect_ok(kernel_.plan(&view.head, &plan_, &error), error);
    const auto tensor = [](std::vector<float>& numbers) {
      return ropewalk_tensor{numbers.data(),
                             ROPEWALK_F32,
                             3,
                             {tokens, heads, head_dim, 0},
                             {std::int64_t{heads} * head_dim, head_dim, 1, 0}};
    };
    call_.query_in = tensor(in_);
    call_.query_out = tensor(out_);
    call_.tokens.positions = given_positions(positions_.data());
    call_.tokens.end = tokens;
  }
  ~planned_call() { kernel_.free_plan(plan_); }
  planned_call(const planned_call&) = delete;
  planned_call& operator=(const planned_call&) = delete;

  std::optional<timed_calls> times(int count) { return time_calls(kernel_, plan_, call_.head, count); }
  /// The output of a plain call.
  std::vector<float> applied() {
    ropewalk_error error{};
    detail::expect_ok(kernel_.apply(plan_, &call_.head, &error), error);
    return out_;
  }
  void clear() { std::fill(out_.begin(), out_.end(), 0.0f); }
  const std::vector<float>& in() const { return in_; }
  const std::vector<float>& out() const { return out_; }

 private:
  const ropewalk_kernel& kernel_;
  std::vector<float> in_;
  std::vector<float> out_;
  std::vector<std::int32_t> positions_{5, 0, 70000};
  ropewalk_rotation_call call_;
  ropewalk_plan* plan_ = nullptr;
};

/// The first kernel of a program in Python.
const ropewalk_kernel& kernel_of(const std::string& program) {
  const std::string source = ROPEWALK_SOURCE;
  const std::string command = "PYTHONPATH=" + source + "/src/python exec " + ROPEWALK_PYTHON + " " + program;
  return *message_kernels(std::make_shared<transport::program>(command, child_limits{}), "the program").at(0);
}

const ropewalk_kernel& echo(const std::string& how) {
  return kernel_of(std::string(ROPEWALK_SOURCE) + "/tests/transport/timed_echo.py " + how);
}

bool has_numpy() {
  return std::system((std::string(ROPEWALK_PYTHON) + " -c 'import numpy' 2>/dev/null").c_str()) == 0;
}

std::string readme() {
  std::ifstream file(std::string(ROPEWALK_SOURCE) + "/src/transport/README.md");
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void expect_honest(planned_call& call) {
  const std::vector<float> turned = call.applied();
  EXPECT_NE(turned, call.in());
  call.clear();
  const auto begin = monotonic_clock::now();
  const auto times = call.times(calls);
  const double waited = std::chrono::duration<double>(monotonic_clock::now() - begin).count();
  ASSERT_TRUE(times);
  EXPECT_EQ(times->clock, "time.perf_counter");
  ASSERT_EQ(times->seconds.size(), std::size_t{calls});
  for (const double second : times->seconds) EXPECT_GT(second, 0);
  EXPECT_LE(std::accumulate(times->seconds.begin(), times->seconds.end(), 0.0), waited);
  EXPECT_EQ(call.out(), turned);  // though the function overwrites its input
}

TEST(TimedCalls, ANumpyProgramMeasuresThem) {
  if (!has_numpy()) GTEST_SKIP() << "numpy is not installed";
  planned_call call(kernel_of(std::string(ROPEWALK_SOURCE) + "/tests/transport/numpy_rope.py"));
  expect_honest(call);
}

TEST(TimedCalls, TheProgramOfTheReadmeMeasuresThem) {
  if (!has_numpy()) GTEST_SKIP() << "numpy is not installed";
  const std::string text = readme();
  const std::string mark = "```python\n";
  const std::size_t begin = text.find(mark) + mark.size(), end = text.find("```", begin);
  ASSERT_NE(end, std::string::npos);
  const std::string path = testing::TempDir() + "timed_" + std::to_string(::getpid()) + ".py";
  std::ofstream(path) << text.substr(begin, end - begin);
  {
    planned_call call(kernel_of(path));
    expect_honest(call);
  }
  std::filesystem::remove(path);
}

TEST(TimedCalls, TheAnswerOfTheReadmeIsRead) {
  const std::string text = readme();
  const std::size_t begin = text.find(R"({"status": "ok", "seconds": )");
  ASSERT_NE(begin, std::string::npos);
  const auto words = nlohmann::json::parse(text.substr(begin, text.find('\n', begin) - begin));
  const timed_calls times = timed_calls_in({.words = words, .tensors = {}}, 3, 1);
  EXPECT_EQ(times.seconds, (std::vector<double>{0.00031, 0.00029, 0.0003}));
  EXPECT_EQ(times.clock, "time.perf_counter");
}

TEST(TimedCalls, AProgramWithoutAnyModuleMeasuresThem) {
  planned_call call(echo("honest"));
  const auto times = call.times(calls);
  ASSERT_TRUE(times);
  EXPECT_EQ(times->seconds.size(), std::size_t{calls});
  EXPECT_EQ(call.out(), call.in());
}

TEST(TimedCalls, KernelsThatDoNotOfferThemHaveNone) {
  planned_call declining(echo("none"));
  EXPECT_EQ(declining.applied(), declining.in());
  EXPECT_FALSE(declining.times(calls));
  const ropewalk_kernel own = cpu_turns_kernel();
  planned_call in_this_process(own);
  EXPECT_FALSE(in_this_process.times(calls));
}

TEST(TimedCalls, WhatAProgramCannotHaveMeasuredIsRefused) {
  for (const auto& [how, words] : std::vector<std::pair<std::string, std::string>>{
           {"too-few", "the program answered with the seconds of 4 calls; due: 5"},
           {"negative", "the program answered with -0.0"},
           {"zero", "the program answered with 0.0 in its list of seconds; due: finite numbers above 0"},
           {"nan", "due: a JSON list of 5 numbers"},
           {"infinite", "due: a JSON list of 5 numbers"},
           {"words", "the program answered with \"fast\" in its list of seconds"},
           {"nested", "the program answered with array in its list of seconds"},
           {"no-list", "the program answered with seconds 'fast'; due: a JSON list of 5 numbers"},
           {"no-seconds", "the program answered without seconds"},
           {"longer-than-the-wait", "the program answered with 5000 s in all; its answer came after 0."},
           {"no-clock", "the program answered with the clock ''; due: the name of its clock"},
           {"a-long-clock", "due: the name of its clock, up to 64 characters"},
           {"other-shape", "the program answered with query F32 [1]; due: F32 [1, 3, 2, 8]"}}) {
    planned_call call(echo(how));
    try {
      static_cast<void>(call.times(calls));
      ADD_FAILURE() << how;
    } catch (const kernel_trouble& trouble) {
      EXPECT_NE(std::string(trouble.what()).find(words), std::string::npos) << how << ": " << trouble.what();
      EXPECT_EQ(trouble.status(), ROPEWALK_OK) << how;
    }
    EXPECT_EQ(call.out(), std::vector<float>(call.out().size())) << how;
    EXPECT_EQ(call.applied(), call.in()) << how;  // it is asked on
  }
}

TEST(TimedCalls, ADeclinedRequestIsNoFault) {
  planned_call call(echo("declines"));
  try {
    static_cast<void>(call.times(calls));
    FAIL();
  } catch (const kernel_trouble& trouble) {
    EXPECT_EQ(trouble.status(), ROPEWALK_UNSUPPORTED);
  }
}

TEST(TimedCalls, TheirNumberIsLimited) {
  planned_call call(echo("honest"));
  EXPECT_THROW(static_cast<void>(call.times(0)), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(call.times(most_timed_calls + 1)), std::invalid_argument);
}

TEST(TimedCalls, EachTakesAFiniteTimeByANamedClock) {
  const auto refused = [](const std::string& seconds, const std::string& clock) {
    try {
      timed_calls_in({.words = {{"seconds", seconds}, {"clock", clock}}, .tensors = {}}, 2, 100);
      return false;
    } catch (const bad_message&) {
      return true;
    }
  };
  EXPECT_FALSE(refused("[1, 2.5]", "a clock"));
  for (const char* const seconds :
       {"[1, 0]", "[1, -1]", "[1]", "[1, 2, 3]", "[1, true]", "[1, \"2\"]", "7", "", "[1, 2"})
    EXPECT_TRUE(refused(seconds, "a clock")) << seconds;
  EXPECT_FALSE(refused("[1, 2]", std::string(longest_clock_name, 'c')));
  EXPECT_TRUE(refused("[1, 2]", std::string(longest_clock_name + 1, 'c')));
  EXPECT_TRUE(refused("[1, 2]", "a\x1b[31mclock"));
  EXPECT_TRUE(refused("[1, 2]", ""));
}

TEST(TimedCalls, TheirSumIsAtMostTheWait) {
  const message answer{.words = {{"seconds", "[0.5, 1, 0.5]"}, {"clock", "a clock"}}, .tensors = {}};
  EXPECT_EQ(timed_calls_in(answer, 3, 2).seconds, (std::vector<double>{0.5, 1, 0.5}));
  EXPECT_EQ(timed_calls_in(answer, 3, 2).clock, "a clock");
  EXPECT_THROW(static_cast<void>(timed_calls_in(answer, 3, std::nextafter(2, 0))), bad_message);
}

TEST(TimedCalls, FilesHaveNone) {
  exchange none(testing::TempDir() + "no_exchange_" + std::to_string(::getpid()));
  message_transport::plan plan;
  EXPECT_FALSE(none.time(plan, {}));
  EXPECT_EQ(none.awaited(), 0U);
}

}  // namespace
}  // namespace ropewalk::transport
