// The options of a comparison: what is measured again, and what is refused.

#include "bench/comparison_request.hpp"

#include <gtest/gtest.h>

#include <regex>
#include <stdexcept>
#include <string>
#include <vector>

#include "input/bad_input.hpp"
#include "measure/interval.hpp"

namespace ropewalk::bench {
namespace {

using command::bench_options;
using measure::bench_record;

/// A run by this command, with rows of these names.
bench_record run_by(const std::string& command, const std::vector<std::string>& names = {"apply/a.b+c/f32"}) {
  bench_record run{.context = {{"command", command}}, .ceilings = {}, .rows = {}};
  for (const std::string& name : names) run.rows.emplace_back().name = name;
  return run;
}

/// How a call is refused; empty if it is not.
template <class Call>
std::string refusal_of(Call call) {
  try {
    call();
  } catch (const std::invalid_argument& refusal) {
    return refusal.what();
  }
  return {};
}

TEST(ComparisonRequest, RunIsRepeatedWithItsOwnOptions) {
  const bench_record run = run_by(
      "ropewalk bench --base 5e5 --head-dim 64 --scaling '{\"rope_type\": \"linear\", \"factor\": 2}' "
      "--tokens 7,8 --kernel cpu-turns --quick --out old.json --benchmark_filter=apply");
  bench_options options;
  options.output = "new.json";
  options.threshold = "3";
  const bench_options again = options_again(options, run);
  EXPECT_EQ(again.which.numbers.at("--base"), "5e5");
  EXPECT_EQ(again.which.scaling, "{\"rope_type\": \"linear\", \"factor\": 2}");
  EXPECT_EQ(again.tokens, "7,8");
  EXPECT_EQ(again.kernels, std::vector<std::string>{"cpu-turns"});
  EXPECT_TRUE(again.quick);
  EXPECT_EQ(again.output, "new.json");
  EXPECT_EQ(again.filter, "^(apply/a\\.b\\+c/f32)$");
}

TEST(ComparisonRequest, GivenOptionsWin) {
  bench_options options;
  options.kernels = {"library:./mine.so"};
  const bench_options again = options_again(options, run_by("ropewalk bench --kernel library:./theirs.so"));
  EXPECT_EQ(again.kernels, options.kernels);
  EXPECT_FALSE(again.filter.empty());
  options.filter = "one-token";
  EXPECT_EQ(options_again(options, run_by("ropewalk bench")).filter, "one-token");
}

TEST(ComparisonRequest, FilterMatchesTheNamesAlone) {
  const std::vector<std::string> names = {"apply/cpu-turns/f32/half-split/512", "a(b|c)*[d]{2}^$\\"};
  const std::regex filter(options_again({}, run_by("ropewalk bench", names)).filter);
  for (const std::string& name : names) {
    EXPECT_TRUE(std::regex_search(name, filter)) << name;
    EXPECT_FALSE(std::regex_search(name + "0", filter)) << name;
    EXPECT_FALSE(std::regex_search("x" + name, filter)) << name;
  }
}

TEST(ComparisonRequest, FileDoesNotMakeProgramsRun) {
  for (const char* command :
       {"ropewalk bench --kernel library:./theirs.so", "ropewalk bench --kernel cpu-turns 'program:rm -r .'",
        "ropewalk bench --config -"})
    EXPECT_NE(refusal_of([&] { options_again({}, run_by(command)); }).find("compare is a run with --"),
              std::string::npos)
        << command;
  for (const char* command : {"ropewalk bench `touch planted`", "ropewalk bench $(touch planted)",
                              "ropewalk bench; touch planted", "ropewalk bench 'unfinished"})
    EXPECT_NE(refusal_of([&] { options_again({}, run_by(command)); }).find("a valid shell command"),
              std::string::npos)
        << command;
  EXPECT_NE(refusal_of([&] { options_again({}, run_by("ropewalk bench --nonsense 3")); }), "");
  for (const char* command : {"", "ropewalk", "ropewalk sweep", "rm bench"})
    EXPECT_NE(refusal_of([&] { options_again({}, run_by(command)); }).find("a run by ropewalk bench"),
              std::string::npos)
        << command;
  EXPECT_NE(refusal_of([&] { options_again({}, bench_record{}); }).find("without a recorded command"),
            std::string::npos);
}

TEST(ComparisonRequest, ThresholdIsAShareOfPercent) {
  EXPECT_EQ(threshold_of(""), measure::smallest_change);
  EXPECT_EQ(threshold_of("12.5"), 0.125);
  EXPECT_EQ(threshold_of("0"), 0);
  for (const char* text : {"-1", "nan", "inf", "1e9", "5%", "five", " 5"})
    EXPECT_NE(refusal_of([&] { threshold_of(text); }).find("threshold is " + std::string(text)),
              std::string::npos)
        << text;
}

TEST(ComparisonRequest, OptionsThatDoNothingAreRefused) {
  const auto refused = [](const auto& change) {
    bench_options options;
    options.compared = {"old.json", "new.json"};
    change(options);
    return refusal_of([&] { compare_runs(options, [](const auto&) { return bench_record{}; }); });
  };
  EXPECT_TRUE(refused([](auto& value) { value.kernels = {"cpu-turns"}; }).starts_with("kernel is cpu-turns"));
  EXPECT_TRUE(refused([](auto& value) { value.quick = true; }).starts_with("quick is given"));
  EXPECT_TRUE(refused([](auto& value) { value.output = "x.json"; }).starts_with("out is x.json"));
  EXPECT_TRUE(refused([](auto& value) { value.filter = "x"; }).starts_with("benchmark_filter is x"));
  EXPECT_TRUE(
      refused([](auto& value) { value.compared.emplace_back("third"); }).starts_with("compare is third"));
  EXPECT_TRUE(refused([](auto& value) { value.which.models = {"gpt-j"}; }).starts_with("model is gpt-j"));
  bench_options alone;
  EXPECT_EQ(refusal_of([&] { refuse_without_comparison(alone); }), "");
  alone.threshold = "5";
  EXPECT_TRUE(refusal_of([&] { refuse_without_comparison(alone); }).starts_with("threshold is 5"));
  alone = {};
  alone.markdown = true;
  EXPECT_TRUE(refusal_of([&] { refuse_without_comparison(alone); }).starts_with("markdown is given"));
}

}  // namespace
}  // namespace ropewalk::bench
