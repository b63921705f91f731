// Every fuzz target on its committed inputs, without a fuzzer: those that once were findings stay mended.

#include <gtest/gtest.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "fuzz/target.hpp"

namespace ropewalk::fuzz {
namespace {

namespace fs = std::filesystem;

const fs::path corpus = fs::path(ROPEWALK_SOURCE) / "tests/fuzz/corpus";

std::vector<fs::path> inputs_of(std::string_view name) {
  std::vector<fs::path> inputs;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(corpus / name, ignored))
    inputs.push_back(entry.path());
  std::sort(inputs.begin(), inputs.end());
  return inputs;
}

std::vector<std::uint8_t> bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(FuzzCorpus, EveryTargetTakesItsInputs) {
  constexpr std::size_t fewest = 16;
  ASSERT_EQ(targets().size(), 10U);
  for (const target& target : targets()) {
    const std::vector<fs::path> inputs = inputs_of(target.name);
    EXPECT_GE(inputs.size(), fewest) << "of target " << target.name;
    for (const fs::path& file : inputs) try {
        target.run(bytes_of(file));
      } catch (const std::exception& error) {
        ADD_FAILURE() << target.name << " on " << file.filename() << ": " << error.what();
      }
  }
}

TEST(FuzzCorpus, InputsAreSmallAndEachFolderHasATarget) {
  std::set<std::string, std::less<>> names;
  for (const target& target : targets()) names.emplace(target.name);
  for (const fs::directory_entry& folder : fs::directory_iterator(corpus)) {
    EXPECT_TRUE(names.contains(folder.path().filename().string())) << folder.path().filename();
    for (const fs::path& file : inputs_of(folder.path().filename().string()))
      EXPECT_LE(fs::file_size(file), 4096U) << file;
  }
}

}  // namespace
}  // namespace ropewalk::fuzz
