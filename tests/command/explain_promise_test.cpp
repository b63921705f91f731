// ropewalk explain promise: what each promise says, code that keeps it, and the error that it allows.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "command/program.hpp"
#include "ropewalk/kernel/promise.hpp"
#include "ropewalk/law/rotation_laws.hpp"

namespace ropewalk::command {
namespace {

TEST(ExplainPromise, EachAllowsTheErrorOfItsBound) {
  for (const promise_description& description : promises) {
    const auto value =
        nlohmann::json::parse(run("explain promise " + std::string(description.name) + " --json").out);
    EXPECT_EQ(value["statement"], description.statement);
    EXPECT_FALSE(value["code"].get<std::string>().empty()) << description.name;
    for (const auto& at : value["allows"]) {
      const double bound =
          accuracy_bound<float>(description.value, 1, static_cast<double>(at["position"])).relative;
      const double allowed = at["relative"]["f32"];
      EXPECT_GE(allowed, bound) << description.name << " " << at["position"];
      if (description.value.frequency ==
          promise::angle_f32.frequency) {  // frequencies that are formed are off themselves
        EXPECT_EQ(fmt::format("{:.4g}", allowed), fmt::format("{:.4g}", bound))
            << description.name << " " << at["position"];
      }
    }
  }
}

TEST(ExplainPromise, PrintsWhatItAllowsAndHowToAsk) {
  const std::string far = run("explain promise angle-f32").out;
  for (const std::string& part :
       {std::string("angle-f32\n  says     the angle formed in binary32"),
        fmt::format("131072      0.02344    {:.4g} ",
                    accuracy_bound<float>(promise::angle_f32, 1, 131072).relative),
        std::string("leaves   the laws canonical and environment"), std::string("--promise angle-f32\n")})
    EXPECT_NE(far.find(part), std::string::npos) << part << "\n" << far;
  const std::string near = run("explain promise rounded-table").out;
  EXPECT_NE(near.find("\n             any         "), std::string::npos) << near;
  EXPECT_EQ(near.find("131072"), std::string::npos) << near;
}

TEST(ExplainPromise, WithoutANameAllStandBesideOneAnother) {
  const std::string all = run("explain promise").out;
  for (const promise_description& promise : promises)
    EXPECT_NE(all.find("\n" + std::string(promise.name) + " "), std::string::npos) << promise.name << "\n"
                                                                                   << all;
  EXPECT_EQ(nlohmann::json::parse(run("explain promise --json").out)["promises"].size(), std::size(promises));
}

TEST(ExplainPromise, OfAModelAreItsErrorsUpToItsContext) {
  const auto value = nlohmann::json::parse(
      run("explain promise angle-f32 --base 500000 --head-dim 64 --rotary-dim 32 --json").out);
  EXPECT_EQ(value["base"], 500000);
  EXPECT_EQ(value["rotary_dim"], 32);
  const auto largest = [](const std::string& options) {
    return nlohmann::json::parse(run("explain promise hf --json" + options).out)["allows"];
  };
  const auto usual = largest(""), yarn = largest(" --model qwen2.5-7b-yarn4"),
             long_one = largest(" --model mistral-nemo");
  EXPECT_EQ(yarn.size(), usual.size());  // its context is among the positions that are always printed
  ASSERT_EQ(long_one.size(), usual.size() + 1);
  EXPECT_EQ(long_one[4]["position"], 1024000);
  EXPECT_GT(yarn[0]["relative"]["f32"], usual[0]["relative"]["f32"]);
  EXPECT_NE(run("explain promise --model mistral-nemo")
                .out.find("at position 1024000,\nrelative to a|x|, mistral-nemo, "),
            std::string::npos);
  const outcome of_law = run("explain law accuracy --model mistral-nemo");
  EXPECT_EQ(of_law.code, 2);
  EXPECT_NE(of_law.err.find("`explain promise --model NAME` has a model's errors"), std::string::npos);
}

TEST(ExplainPromise, TakesTheNumbersOfParts) {
  const auto described = [](const std::string& promise) {
    return nlohmann::json::parse(run("explain promise " + promise + " --model llama-3.1-8b --json").out);
  };
  const auto by_name = described("angle-f32"), by_parts = described("angle=f32,table=f32,rotation=f32,fused");
  EXPECT_EQ(by_parts["allows"], by_name["allows"]);
  EXPECT_EQ(by_parts["parts"], by_name["parts"]);
  for (const char* const refused :
       {"angle=f8", "entry=f32", "coordinate=bf16,angle=f32", "angle=f32,angle=f32"}) {
    const outcome outcome = run("explain promise " + std::string(refused));
    EXPECT_EQ(outcome.code, 2) << refused;
    EXPECT_NE(outcome.err.find("promise is " + std::string(refused) + "; allowed: parts of a rotation"),
              std::string::npos)
        << outcome.err;
  }
}

TEST(ExplainPromise, OnAGridAreTheErrorsAtItsLargestCoordinates) {
  const auto allowed = [](const std::string& options) {
    return nlohmann::json::parse(run("explain promise angle-f32 --json " + options).out)["allows"];
  };
  const auto small = allowed("--model wan-2.1-14b --grid 3x4x5"),
             large = allowed("--model wan-2.1-14b --grid 21x45x80");
  ASSERT_EQ(small.size(), 1u);
  EXPECT_EQ(small[0]["positions"], (std::vector<double>{2, 3, 4}));
  EXPECT_EQ(large[0]["positions"], (std::vector<double>{20, 44, 79}));
  EXPECT_GT(large[0]["relative"]["f32"], small[0]["relative"]["f32"]);
  // A pair turns by the coordinate of its own axis: that of time alone, far from 79, allows less.
  const auto in_time = allowed("--model wan-2.1-14b --grid 80x1x1");
  EXPECT_EQ(in_time[0]["positions"], (std::vector<double>{79, 0, 0}));
  const std::string all = run("explain promise --model wan-2.1-14b --grid 21x45x80").out;
  EXPECT_NE(all.find("at the largest coordinates of 75600 tokens, 20 44 79,\n"), std::string::npos) << all;
  EXPECT_NE(run("explain promise hf --model llama-4-vision").out.find("of the grid "), std::string::npos);
}

TEST(ExplainPromise, AnUnknownNameIsRefused) {
  const outcome unknown = run("explain promise hff");
  EXPECT_EQ(unknown.code, 2);
  EXPECT_EQ(unknown.out, "");
  EXPECT_TRUE(unknown.err.starts_with("ropewalk: no promise named 'hff'; did you mean 'hf'? "))
      << unknown.err;
}

}  // namespace
}  // namespace ropewalk::command
