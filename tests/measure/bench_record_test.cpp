// Records of the benchmarks: what is written reads back, and what does not read is refused by name.

#include "measure/bench_record.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "input/bad_input.hpp"

namespace {

using namespace ropewalk;

using measure::bench_record;
using measure::bench_row;
using json = nlohmann::ordered_json;

bench_record example() {
  bench_row row{};
  row.name = "apply/mine_cc:fast/bf16/half-split/512";
  row.group = "apply";
  row.kernel = "mine.cc:\"fast\" </script>";
  row.dtype = "bf16";
  row.pairing = "half-split";
  row.tokens = 512;
  row.role = measure::kernel_role::given;
  row.origin = "library:./mine.cc";
  row.model = "llama-3.1-8b";
  row.heads = 32;
  row.kv_heads = 8;
  row.batch = 2;
  row.threads = 1;
  row.clock = "std::chrono::steady_clock";
  row.check = "WRONG: other bits";
  row.is_wrong = true;
  row.bytes = 1 << 20;
  row.other = "memcpy";
  row.repetitions = {{{1.25e-4, 1e-4}, {1.5e-4, 1e-4}}, {{0.1, 0.3}}};
  row.seconds = {1.5e-4, 1.25e-4, 0.1};
  row.ratio = {1.25, 1.0 / 3, 1.5};
  row.noise = "too noisy to say";
  row.errors = {{2048, true, 0.5, 1.0 / 3, 1},
                {131072, true, std::numeric_limits<double>::infinity(), 2, 0.25},
                {std::int64_t{1} << 31, false}};
  row.ceiling = "L2";
  row.share = 0.75;
  row.not_counted = "the system refuses";
  row.counters = {{"to_one_thread", 0.5}};
  bench_row untimed{};
  untimed.name = "apply/program/f32/-/1";
  untimed.not_timed = "not timed: the program has no `time` request";
  return {{{"processor", "x"}, {"command", "ropewalk bench"}},
          {{"L2", 2, 1 << 18, {1e10, 9e9, 1.1e10}}},
          {row, untimed}};
}

TEST(BenchRecord, ReadsBackAsItWasWritten) {
  const std::string text = measure::as_json(example());
  const bench_record back = measure::bench_record_from_json(text, "a.json", "bench");
  EXPECT_EQ(measure::as_json(back), text);
  const bench_row &row = back.rows.at(0), timed_row = example().rows.at(0);
  EXPECT_EQ(row.kernel, timed_row.kernel);
  EXPECT_EQ(row.role, timed_row.role);
  EXPECT_EQ(row.kv_heads, 8);
  EXPECT_TRUE(row.is_wrong);
  EXPECT_EQ(row.repetitions.at(1).at(0).other, 0.3);
  EXPECT_EQ(row.ratio.low, 1.0 / 3);
  EXPECT_EQ(row.errors.at(1).ulp, std::numeric_limits<double>::infinity());
  EXPECT_FALSE(row.errors.at(2).is_served);
  EXPECT_TRUE(std::isnan(row.errors.at(2).ulp));
  EXPECT_EQ(row.counters.at("to_one_thread"), 0.5);
  EXPECT_EQ(back.context.at("processor"), "x");
  EXPECT_EQ(back.ceilings.at(0).threads, 2);
  EXPECT_TRUE(std::isnan(back.rows.at(1).seconds.median));
  EXPECT_EQ(back.rows.at(1).not_timed, example().rows.at(1).not_timed);
}

TEST(BenchRecord, HasTheFormOfGoogleBenchmark) {
  const json written = json::parse(measure::as_json(example()));
  const json& row = written.at("benchmarks").at(0);
  EXPECT_EQ(row.at("name"), "apply/mine_cc:fast/bf16/half-split/512");
  EXPECT_EQ(row.at("run_type"), "iteration");
  EXPECT_EQ(row.at("iterations"), 3);
  EXPECT_EQ(row.at("repetitions"), 2);
  EXPECT_EQ(row.at("time_unit"), "ns");
  EXPECT_DOUBLE_EQ(row.at("real_time").get<double>(), 1.5e5);
  EXPECT_DOUBLE_EQ(row.at("bytes_per_second").get<double>(), (1 << 20) / 1.5e-4);
  EXPECT_EQ(written.at("context").at("command"), "ropewalk bench");
}

TEST(BenchRecord, GivesGoogleBenchmarksTimesInItsUnit) {
  const json row = json::parse(measure::as_json(example()))["benchmarks"][0];
  const double nanoseconds = row["seconds"]["median"].get<double>() * 1e9;
  EXPECT_EQ(row["time_unit"], "ns");
  EXPECT_DOUBLE_EQ(row["real_time"].get<double>(), nanoseconds);
  EXPECT_DOUBLE_EQ(row["cpu_time"].get<double>(), nanoseconds);
}

/// The refusal of a record that has been changed.
std::string refusal_of(const std::function<void(json&)>& change) {
  json changed = json::parse(measure::as_json(example()));
  change(changed);
  try {
    measure::bench_record_from_json(changed.dump(), "a.json", "bench");
  } catch (const bad_input& refused) {
    return refused.what();
  }
  return "read";
}

TEST(BenchRecord, RefusesEachFieldByName) {
  const json same = json::parse(measure::as_json(example()));
  EXPECT_EQ(refusal_of([](json&) {}), "read");
  for (const auto& [key, value] : same["benchmarks"][0].items()) {
    const bool is_for_others = key == "run_name" || key == "run_type" || key == "repetitions" ||
                               key == "iterations" || key == "real_time" || key == "cpu_time" ||
                               key == "time_unit" || key == "bytes_per_second";
    if (is_for_others) continue;
    for (const json& wrong : {json(), json(json::array({json::object()}))}) {
      if (wrong.is_null() && (key == "bytes" || key == "share" || key == "instructions")) continue;
      const std::string said =
          refusal_of([&](json& json_value) { json_value["benchmarks"][0][key] = wrong; });
      EXPECT_NE(said.find("benchmarks[0]." + key), std::string::npos) << said;
      EXPECT_TRUE(said.starts_with("bench is a.json")) << said;
    }
    const std::string said = refusal_of([&](json& json_value) { json_value["benchmarks"][0].erase(key); });
    EXPECT_NE(said.find("benchmarks[0]." + key), std::string::npos) << said;
  }
}

TEST(BenchRecord, RefusesWhatIsNoRecord) {
  EXPECT_NE(refusal_of([](json& object) { object.erase("schema"); }).find("schema is missing"),
            std::string::npos);
  EXPECT_NE(refusal_of([](json& object) {
              object["schema"] = "urn:ropewalk:bench:0";
            }).find("urn:ropewalk:bench:1"),
            std::string::npos);
  EXPECT_NE(
      refusal_of([](json& object) { object["ceilings"][0]["threads"] = 0; }).find("ceilings[0].threads is 0"),
      std::string::npos);
  EXPECT_NE(refusal_of([](json& object) {
              object["benchmarks"][0]["role"] = "king";
            }).find("canonical, recipe, given"),
            std::string::npos);
  EXPECT_NE(refusal_of([](json& object) {
              object["benchmarks"][0]["rounds"][0][0] = {1, -1};
            }).find("rounds"),
            std::string::npos);
  EXPECT_THROW(measure::bench_record_from_json("{", "a.json", "bench"), bad_input);
  EXPECT_THROW(measure::read_bench_record("/no/such/file.json", "bench"), bad_input);
}

}  // namespace
