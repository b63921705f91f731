// Tallies, lines of results, units and single entries: small parts of a sweep, each by itself.

#include "sweep/tally.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "input/bad_input.hpp"
#include "sweep/digest.hpp"
#include "sweep/exact_entry.hpp"
#include "sweep/ranks.hpp"
#include "sweep/results.hpp"
#include "sweep/unit_result.hpp"
#include "sweep/work_range.hpp"

namespace ropewalk::sweep::tally_test {
namespace {

hard_case hard_at(double distance, std::int64_t position) { return {distance, {position, 1, false}, 7}; }

wrong_case wrong_at(std::int64_t position, float value, float correct) {
  return {{position, 0, false},
          to_bits(value),
          to_bits(correct),
          std::abs(static_cast<double>(value) - static_cast<double>(correct))};
}

TEST(Tally, KeepsTheNearestHardCases) {
  format_tally tally;
  for (int i = 200; i-- > 0;) tally.add_hard_case(hard_at(i * 0x1p-20, i));
  ASSERT_EQ(tally.hardest.size(), format_tally::most_hard_cases);
  EXPECT_EQ(tally.hardest.front(), hard_at(0, 0));
  EXPECT_EQ(tally.hardest.back(), hard_at(63 * 0x1p-20, 63));
  tally.add_hard_case(hard_at(0.25, 5));
  EXPECT_EQ(tally.hardest.back(), hard_at(63 * 0x1p-20, 63));
}

TEST(Tally, KeepsTheWorstAndOfEqualOnesTheFirst) {
  format_tally tally;
  tally.add_wrong_case(wrong_at(9, 1.0F, 1.5F));
  tally.add_wrong_case(wrong_at(4, 1.0F, 1.5F));
  tally.add_wrong_case(wrong_at(6, 1.0F, 1.5F));
  EXPECT_EQ(tally.largest_in_steps->place.position, 4);
  tally.add_wrong_case(wrong_at(1, 0x1p-100F, 0));  // many steps, and no distance
  tally.add_wrong_case(wrong_at(2, 1000, 1001));
  EXPECT_EQ(tally.largest_in_steps->place.position, 1);
  EXPECT_EQ(tally.largest_error->place.position, 2);
}

format_tally some_tally() {
  format_tally tally{.dtype = ROPEWALK_BF16, .entries = 12, .wrong = 3, .exactly = 2, .undecided = 1};
  tally.by_steps[0] = 9;
  tally.by_steps[64] = 3;
  tally.add_wrong_case({{5, 1, true}, 0x7fc0, 0x3f80, std::numeric_limits<double>::infinity()});
  tally.add_hard_case(hard_at(0.125, -3));
  tally.add_hard_case(hard_at(0.0625, 8));
  return tally;
}

TEST(Tally, SumsAreTheSameInAnyOrder) {
  const format_tally a = some_tally();
  format_tally b{.dtype = ROPEWALK_BF16, .entries = 4, .wrong = 1, .exactly = 5, .undecided = 2};
  b.by_steps[0] = 3;
  b.by_steps[1] = 1;
  b.add_wrong_case({{4, 0, false}, 0x3f80, 0x3f81, 0.5});
  b.add_hard_case(hard_at(0.03125, 1));
  format_tally ab = a, ba = b;
  ab += b;
  ba += a;
  EXPECT_EQ(to_json(ab), to_json(ba));
  EXPECT_EQ(ab.entries, 16);
  EXPECT_EQ(ab.wrong, 4);
  EXPECT_EQ(ab.exactly, 7);
  EXPECT_EQ(ab.undecided, 3);
  EXPECT_EQ(ab.by_steps[0], 12);
  EXPECT_EQ(ab.by_steps[1], 1);
  EXPECT_EQ(ab.hardest.size(), 3U);
  EXPECT_TRUE(std::isinf(ab.largest_error->error));
  format_tally c{.dtype = ROPEWALK_BF16}, of_c = c;
  c.add_wrong_case({{1, 0, false}, 0x0001, 0x0100, 1e-30});
  c.add_wrong_case({{2, 0, false}, 0x447a, 0x447b, 4});
  of_c += c;
  EXPECT_EQ(of_c.largest_in_steps->place.position, 1);
  EXPECT_EQ(of_c.largest_error->place.position, 2);
  tally all;
  all += {a};
  all += {b};
  EXPECT_EQ(to_json(all[0]), to_json(ab));
}

TEST(Tally, IsReadAsItWasWritten) {
  const nlohmann::json json = to_json(some_tally());
  EXPECT_EQ(to_json(format_tally_from_json(json)), json);
  EXPECT_EQ(json["by_steps"].size(), 65U);  // up to the last that is not 0
  nlohmann::json other = json;
  other["hardest"][0][2] = "tan";
  EXPECT_THROW(format_tally_from_json(other), std::invalid_argument);
  other = json;
  other["dtype"] = "f8";
  EXPECT_THROW(format_tally_from_json(other), std::invalid_argument);
  other = json;
  other["by_steps"] = std::vector<int>(67, 0);
  EXPECT_THROW(format_tally_from_json(other), std::invalid_argument);
}

TEST(UnitResult, AChangedLineIsNone) {
  const std::string line = line_of("t/bf16/0:8/0:64", {some_tally()});
  const auto read = read_line(line);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->unit, "t/bf16/0:8/0:64");
  EXPECT_EQ(to_json(read->counts.at(0)), to_json(some_tally()));
  EXPECT_TRUE(std::isinf(read->counts.at(0).largest_error->error));
  for (std::size_t at = 0; at < line.size(); at += 7) {
    std::string changed = line;
    changed[at] = changed[at] == '1' ? '2' : '1';
    EXPECT_FALSE(read_line(changed)) << changed;
  }
  EXPECT_FALSE(read_line(line.substr(0, line.size() - 1)));
  EXPECT_FALSE(read_line(""));
}

work_range range_of_positions(position_range positions, std::int64_t entries_at_once = 1 << 20) {
  swept_table table;
  table.identity = std::string(32, 'a');
  table.pairs = 8;
  table.models = {"a model"};
  table.positions = positions;
  return {"table", "", {table}, {ROPEWALK_F64, ROPEWALK_F32, ROPEWALK_BF16}, entries_at_once};
}

TEST(UnitsOfBox, CoverEveryPositionOnce) {
  for (const position_range positions : {position_range{0, 10}, {-5000, 100001}, {4095, 4097}, {0, 1 << 20}})
    for (const std::int64_t at_once : {std::int64_t{1}, std::int64_t{8 * 1024}, std::int64_t{1} << 20}) {
      if (at_once == 1 && size(positions) > 100) continue;
      const work_range range = range_of_positions(positions, at_once);
      const units_of_range units(range);
      std::int64_t next = positions.begin;
      std::size_t passes = 0;
      for (std::int64_t i = 0; i < units.count(); ++i) {
        const unit unit = units.at(i);
        EXPECT_EQ(unit.positions.begin, next);
        EXPECT_LE(size(unit.positions) * 8, std::max<std::int64_t>(8, at_once));
        next = unit.positions.end;
        if (next == positions.end) ++passes, next = positions.begin;
        EXPECT_EQ(units.indexes_of(name_of(unit, range)), std::vector<std::int64_t>{i});
        EXPECT_TRUE(units.is_first(i));
      }
      EXPECT_EQ(passes, 2U);  // binary64, and the others together
      EXPECT_EQ(units.at(0).dtypes, std::vector<ropewalk_dtype>{ROPEWALK_F64});
    }
}

TEST(UnitsOfBox, BoxesThatOverlapShareUnits) {
  const work_range all = range_of_positions({0, 1 << 20}),
                   part = range_of_positions({32768, 32768 + (1 << 20)});
  const units_of_range units(all), others(part);
  EXPECT_EQ(units.indexes_of(name_of(others.at(2), part)).size(), 1U);
  EXPECT_TRUE(units.indexes_of("").empty());
  EXPECT_TRUE(units.indexes_of(name_of(units.at(1), all) + "0").empty());
  EXPECT_TRUE(units.indexes_of("b" + name_of(units.at(1), all).substr(1)).empty());
}

TEST(Box, IsReadAsItWasWritten) {
  const work_range range = range_of_positions({-7, 70});
  const nlohmann::json json = to_json(range);
  EXPECT_EQ(to_json(work_range_from_json(json)), json);
  const auto is_refused = [&](auto change) {
    nlohmann::json other = json;
    change(other);
    try {
      work_range_from_json(other);
      return false;
    } catch (const std::exception&) {
      return true;
    }
  };
  EXPECT_TRUE(is_refused([](auto& j) { j["dtypes"] = nlohmann::json::array(); }));
  EXPECT_TRUE(is_refused([](auto& j) { j["dtypes"][0] = "f8"; }));
  EXPECT_TRUE(is_refused([](auto& j) { j["tables"] = nlohmann::json::array(); }));
  EXPECT_TRUE(is_refused([](auto& j) { j["entries_at_once"] = 0; }));
  EXPECT_TRUE(is_refused([](auto& j) { j["tables"][0]["pairs"] = 0; }));
  EXPECT_TRUE(is_refused([](auto& j) { j["tables"][0]["positions"] = {5, 5}; }));
  EXPECT_TRUE(is_refused([](auto& j) { j["tables"][0]["positions"] = {0, 2147483649}; }));
}

TEST(Digest, OfAFileIsThatOfItsBytes) {
  const std::string path = testing::TempDir() + "ropewalk_digest_" + std::to_string(::getpid());
  const std::string bytes((1 << 20) + 5, 'x');
  std::ofstream(path) << bytes;
  EXPECT_EQ(digest_of_file("table", path), digest_of(bytes));
  EXPECT_EQ(digest_of(""), "99aa06d3014798d86001c324468d497f");  // XXH3, 128 bits, as published
  std::filesystem::remove(path);
}

TEST(OneRank, HandsOutEachNumberOnceUntilItIsStopped) {
  const auto ranks = one_rank();
  ranks->begin(3);
  EXPECT_EQ(ranks->next(), 0);
  EXPECT_EQ(ranks->next(), 1);
  EXPECT_EQ(ranks->next(), 2);
  EXPECT_EQ(ranks->next(), std::nullopt);
  EXPECT_EQ(ranks->handed_out(), 3);
  ranks->begin(3);
  EXPECT_EQ(ranks->next(), 0);
  ranks->stop();
  EXPECT_EQ(ranks->next(), std::nullopt);
  EXPECT_EQ(ranks->handed_out(), 1);
}

TEST(ExactEntry, ValuesAndDistancesAreThoseOfTheFormat) {
  EXPECT_EQ(to_double<binary16>(0x0001), 0x1p-24);
  EXPECT_EQ(to_double<binary16>(0xc000), -2);
  EXPECT_TRUE(std::isnan(to_double<binary16>(0x7e00)));
  EXPECT_EQ(to_double<binary16>(0xfc00), -HUGE_VAL);
  EXPECT_EQ(to_double<bfloat16>(0xc000), -2);
  const rope_rows rows(rope{.base = 10000, .rotary_dim = 4});
  const auto first = exact_entry_of<float>(rows, {0, 1, false});
  EXPECT_TRUE(first.decided);
  EXPECT_EQ(first.bits, to_bits(1.0F));
  EXPECT_EQ(first.distance, 0.5);
  const auto sine = exact_entry_of<float>(rows, {1, 0, true});
  const double off = (std::sin(1.0) - static_cast<double>(from_bits<float>(sine.bits))) / 0x1p-24;
  EXPECT_NEAR(sine.distance, 0.5 - std::abs(off), 1e-6);
  EXPECT_NEAR(exact_error<float>(rows, {1, 0, true}, to_bits(1.0F)), 1 - std::sin(1.0), 1e-12);
  EXPECT_EQ(exact_error<float>(rows, {1, 0, true}, format<float>::quiet_nan), HUGE_VAL);
}

/// A directory of results that is removed at the end of its test.
struct scratch_results {
  scratch_results() { std::filesystem::create_directories(path); }
  ~scratch_results() { std::filesystem::remove_all(path); }
  scratch_results(const scratch_results&) = delete;
  scratch_results& operator=(const scratch_results&) = delete;
  const std::string path = testing::TempDir() + "ropewalk_tally_" + std::to_string(::getpid());
};

/// What a check without any wrong entry finds in a unit of eight pairs.
tally right_tally(const unit& unit) {
  tally result;
  for (const ropewalk_dtype dtype : unit.dtypes) {
    result.push_back({.dtype = dtype, .entries = 16 * size(unit.positions)});
    result.back().by_steps[0] = result.back().entries;
  }
  return result;
}

TEST(ResultFile, ATornLastLineIsClosedFirst) {
  const scratch_results place;
  const work_range range = range_of_positions({0, 4096});
  const units_of_range units(range);
  const std::string line = line_of(name_of(units.at(0), range), right_tally(units.at(0)));
  std::ofstream(place.path + "/part-one.jsonl") << line.substr(0, 40);
  result_file(place.path, "one").append(line);
  const results read({place.path}, range);
  EXPECT_EQ(read.done(), 1);
  EXPECT_EQ(read.damaged(), 1);
  EXPECT_TRUE(read.is_done(0));
  EXPECT_EQ(read.read(0).unit, name_of(units.at(0), range));
}

TEST(Results, ALineWithoutItsEndIsNotDoneAndOneTwiceIsRepeated) {
  const scratch_results place;
  const work_range range = range_of_positions({0, 4096});
  const units_of_range units(range);
  const std::string line = line_of(name_of(units.at(0), range), right_tally(units.at(0)));
  std::ofstream(place.path + "/part-one.jsonl") << line;
  EXPECT_EQ(results({place.path}, range).done(), 0);
  std::ofstream(place.path + "/part-one.jsonl") << line << "\n" << line << "\n";
  const results read({place.path}, range);
  EXPECT_EQ(read.done(), 1);
  EXPECT_EQ(read.repeated(), 1);
  EXPECT_EQ(read.of_table(0)[0].entries, 16 * 4096);
  tally other = right_tally(units.at(0));
  other[0].exactly = 1;
  other[0].add_hard_case({0.25, {3, 0, false}, 0});
  std::ofstream(place.path + "/part-two.jsonl") << line_of(name_of(units.at(0), range), other) << "\n";
  EXPECT_THROW(results({place.path}, range), contradiction);
  std::ofstream(place.path + "/part-two.jsonl") << line_of("no unit", {}) << "\n";
  EXPECT_THROW(results({place.path}, range), bad_input);
}

TEST(Results, ADirectoryIsOfOneBox) {
  const scratch_results place;
  const std::string inner = place.path + "/new";
  open_directory(inner, range_of_positions({0, 4096}));
  EXPECT_NO_THROW(open_directory(inner, range_of_positions({0, 4096})));
  EXPECT_THROW(open_directory(inner, range_of_positions({0, 4097})), bad_input);
  EXPECT_EQ(to_json(work_range_of("resume", inner)), to_json(range_of_positions({0, 4096})));
  std::ofstream(place.path + "/other") << "x";
  EXPECT_THROW(open_directory(place.path, range_of_positions({0, 4096})), bad_input);
  EXPECT_THROW(work_range_of("resume", place.path), bad_input);
}

}  // namespace
}  // namespace ropewalk::sweep::tally_test
