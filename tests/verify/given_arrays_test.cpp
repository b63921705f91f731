// An array is read twice: a file that holds another one the second time is refused. Laws that have no time
// left are counted.

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "export/tables.hpp"
#include "input/bad_input.hpp"
#include "verify/given_arrays.hpp"

namespace ropewalk::verify {
namespace {

/// A .npy file of zeros in binary32.
std::string zeros(int rows, int columns) {
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + std::to_string(rows) + ", " +
                       std::to_string(columns) + "), }";
  constexpr std::size_t before = 10, block = 64;
  while ((before + header.size() + 1) % block != 0) header += ' ';
  header += '\n';
  const std::string length{static_cast<char>(header.size()), '\0'};
  const auto bytes = static_cast<std::size_t>(rows * columns) * sizeof(float);
  return std::string("\x93NUMPY\1", 7) + '\0' + length + header + std::string(bytes, '\0');
}

constexpr int positions = 64;

/// Cosines and sines of 4 pairs at 64 positions, checked against their laws.
given_array array_in(const std::string& path) {
  input::position_list all;
  all.range = {0, positions};
  model::model by_hand;
  by_hand.encoding = rope{.base = 10000, .rotary_dim = 8};
  given_array array;
  array.place = {path};
  array.content = tables::rope_table_of({tables::table_kind::cos_sin}, by_hand, all);
  return array;
}

array_plan every_law() {
  return {1, true, [](std::string_view) { return true; }, {}};
}

TEST(given_arrays, laws_without_time_are_not_judged) {
  const std::string path = (std::filesystem::path(testing::TempDir()) / "ropewalk_zeros.npy").string();
  std::ofstream(path, std::ios::binary) << zeros(positions, 8);
  array_plan plan = every_law();
  const std::atomic<bool> stopped{false};
  const judged_arrays whole = judge({array_in(path)}, plan, stopped);
  EXPECT_EQ(whole.lines.size(), 4U);  // origin, norm, distance-only, rounded-once
  for (const result& line : whole.lines) EXPECT_NE(finding_of(line), finding::not_judged) << line.law.name;
  plan.end = search::clock::now();
  const judged_arrays cut = judge({array_in(path)}, plan, stopped);
  ASSERT_EQ(cut.lines.size(), 4U);
  for (const result& line : cut.lines)
    EXPECT_TRUE(why_not_judged(line).starts_with("ran 0 of ")) << line.law.name;
  EXPECT_TRUE(cut.findings.empty());  // what is said of a whole array
  EXPECT_TRUE(cut.causes.empty());
  std::filesystem::remove(path);
}

TEST(given_arrays, a_file_that_changes_while_it_is_read_is_refused) {
  const std::string path =
      (std::filesystem::path(testing::TempDir()) / "ropewalk_changing_array.npy").string();
  std::filesystem::remove(path);
  ASSERT_EQ(mkfifo(path.c_str(), S_IRUSR | S_IWUSR), 0);  // each reading takes the next array
  const given_array array = array_in(path);
  std::thread writer([&] {
    std::ofstream(path, std::ios::binary) << zeros(positions, 8);
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    std::ofstream(path, std::ios::binary) << zeros(1, 8);
  });
  try {
    static_cast<void>(judge({array}, every_law(), std::atomic<bool>{false}));
    ADD_FAILURE() << "accepted";
  } catch (const bad_input& refused) {
    EXPECT_NE(std::string(refused.what()).find("changed while it was read"), std::string::npos)
        << refused.what();
  }
  writer.join();
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace ropewalk::verify
