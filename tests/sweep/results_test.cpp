// Lines of results whose checksum is right and whose counts cannot be: their units are left to do.

#include "sweep/results.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>

#include "sweep/certificate.hpp"
#include "sweep/judged.hpp"
#include "sweep/unit_result.hpp"

namespace ropewalk::sweep {
namespace {

/// What reading a directory with one line finds, after a change of what the unit's check found.
std::pair<std::int64_t, std::int64_t> done_and_damaged(const std::function<void(tally&)>& change) {
  const std::filesystem::path place =
      std::filesystem::path(testing::TempDir()) / ("results_" + std::to_string(::getpid()));
  std::filesystem::create_directories(place);
  const work_range range = work_range_of(small_model(), {ROPEWALK_F32, ROPEWALK_F16}, {0, 1 << 22});
  const units_of_range units(range);
  unit_check check(range.tables.front(), *own_tables());
  tally tally = check.check(units.at(0));
  change(tally);
  std::ofstream(place / "part-one.jsonl") << line_of(name_of(units.at(0), range), tally) << "\n";
  const results read({place.string()}, range);
  std::filesystem::remove_all(place);
  return {read.done(), read.damaged()};
}

TEST(Results, ALineWhoseCountsCannotBeIsDamaged) {
  using counts = std::pair<std::int64_t, std::int64_t>;
  EXPECT_EQ(done_and_damaged([](tally&) {}), (counts{1, 0}));
  const std::function<void(tally&)> changes[] = {
      [](tally& tally) { tally.clear(); },
      [](tally& tally) { tally.pop_back(); },
      [](tally& tally) { tally.push_back(tally.front()); },
      [](tally& tally) { tally.front().entries = tally.front().by_steps[0] = 1; },
      [](tally& tally) { tally.front().entries = std::int64_t{1} << 60; },
      [](tally& tally) { tally.front().by_steps[0] = tally.front().entries *= 3; },
      [](tally& tally) { tally.front().wrong = -1; },
      [](tally& tally) { tally.front().by_steps[5] += 1; },
      [](tally& tally) { tally.front().by_steps[0] -= 1; },
      [](tally& tally) { tally.front().exactly += 1; },
      [](tally& tally) { tally.front().hardest.clear(); },
      [](tally& tally) { tally.front().hardest.front().place.pair = 8; },
      [](tally& tally) { tally.front().hardest.front().place.position = -1; }};
  for (std::size_t i = 0; i < std::size(changes); ++i)
    EXPECT_EQ(done_and_damaged(changes[i]), (counts{0, 1})) << "change " << i;
}

/// A value that nlohmann's writer, which calls itself for each level, would follow to the end of its stack.
std::string nested() { return std::string(100000, '[') + std::string(100000, ']'); }

/// Each text gets as far as a part that was written out again before anything refused it.
TEST(Results, ATextNestedTooDeepIsRefused) {
  EXPECT_FALSE(read_line(R"({"unit": "one", "checksum": "", "formats": )" + nested() + "}"));
  EXPECT_THROW(certificate_from_text(R"({"schema": )" + nested() + "}"), std::exception);
  const std::filesystem::path place =
      std::filesystem::path(testing::TempDir()) / ("nested_results_" + std::to_string(::getpid()));
  std::filesystem::create_directories(place);
  std::ofstream(place / "sweep.json") << R"({"box": {}, "ropewalk": )" + nested() + "}";
  EXPECT_THROW(work_range_of("resume", place.string()), std::invalid_argument);
  std::filesystem::remove_all(place);
}

}  // namespace
}  // namespace ropewalk::sweep
