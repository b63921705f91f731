// The tree keeps its layers: each folder includes only folders to its left, and planted violations are found.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "house/include_rules.hpp"
#include "house/tree_copy.hpp"

namespace {

namespace fs = std::filesystem;
using house::tree_copy;

TEST(Layering, EveryIncludePointsLeft) {
  EXPECT_EQ(house::wrong_includes(ROPEWALK_SOURCE), std::vector<std::string>{});
}

TEST(Layering, NoFoldersIncludeEachOtherInACircle) {
  EXPECT_EQ(house::include_cycle(ROPEWALK_SOURCE), "");
  const tree_copy copy;
  copy.plant("include/ropewalk/law/kernel/planted.hpp", "#include \"ropewalk/law/addition/sums.hpp\"");
  const std::string name = house::include_cycle(copy.root());
  EXPECT_NE(name.find("ropewalk/law/kernel -> include/ropewalk/law/addition"), name.npos) << name;
}

TEST(Layering, TreeIsRead) { EXPECT_GT(house::read_includes(ROPEWALK_SOURCE).size(), 50U); }

struct planted {
  const char* file;
  const char* line;
  const char* target;
};

constexpr planted wrong_arrows[] = {
    {"include/ropewalk/config/rope.hpp", "#include \"ropewalk/numeric/format.hpp\"",
     "ropewalk/numeric/format.hpp"},
    {"include/ropewalk/numeric/format.hpp", "#include \"ropewalk/function/power.hpp\"",
     "ropewalk/function/power.hpp"},
    {"include/ropewalk/function/power.hpp", "  #  include \"ropewalk/encoding/rope.hpp\"",
     "ropewalk/encoding/rope.hpp"},
    {"include/ropewalk/encoding/rope.hpp", "#include \"ropewalk/table/turns_table.hpp\"",
     "ropewalk/table/turns_table.hpp"},
    {"include/ropewalk/table/turns_table.hpp", "#include \"ropewalk/kernel/kernel.h\"",
     "ropewalk/kernel/kernel.h"},
    {"include/ropewalk/kernel/kernel.h", "#include \"ropewalk/law/judge/bound.hpp\"",
     "ropewalk/law/judge/bound.hpp"},
    {"include/ropewalk/law/judge/bound.hpp", "#include \"kernel/table.hpp\"", "kernel/table.hpp"},
    {"include/ropewalk/law/judge/bound.hpp", "#include \"ropewalk/ropewalk.hpp\"", "ropewalk/ropewalk.hpp"},
    {"include/ropewalk/law/judge/bound.hpp", "#include \"ropewalk/reference/rope.hpp\"",
     "ropewalk/reference/rope.hpp"},
    {"include/ropewalk/reference/rope.hpp", "#include \"ropewalk/numeric/format.hpp\"",
     "ropewalk/numeric/format.hpp"},
    {"include/ropewalk/encoding/rope.hpp", "#include <boost/rational.hpp>", "boost/rational.hpp"},
    {"include/ropewalk/encoding/rope.hpp", "#include <fmt/format.h>", "fmt/format.h"},
    {"include/ropewalk/numeric/format.hpp", "#include \"format.hpp\"", "format.hpp"},
    {"include/ropewalk/version.hpp", "#include \"ropewalk/config/rope.hpp\"", "ropewalk/config/rope.hpp"},
    {"src/kernel/planted.cpp", "#include \"model/model.hpp\"", "model/model.hpp"},
    {"src/kernel/planted.cpp", "#include \"ropewalk/reference/rope.hpp\"", "ropewalk/reference/rope.hpp"},
    {"src/kernel/planted.cpp", "#include \"gpu/vulkan/device.hpp\"", "gpu/vulkan/device.hpp"},
    {"src/kernel/planted.cpp", "#include \"kernel/recipe/planted.hpp\"", "kernel/recipe/planted.hpp"},
    {"src/model/planted.cpp", "#include \"catalogue.hpp\"", "catalogue.hpp"},
    {"src/model/planted.cpp", "#include \"command/command.hpp\"", "command/command.hpp"},
    {"src/model/planted.cpp", "#include \"../model/model.hpp\"", "../model/model.hpp"},
    {"src/model/planted.cpp", "#include <boost/rational.hpp>", "boost/rational.hpp"},
    {"src/input/planted.cpp", "#include \"model/model.hpp\"", "model/model.hpp"},
    {"src/output/planted.cpp", "#include \"export/table.hpp\"", "export/table.hpp"},
    {"src/export/planted.cpp", "#include \"array/array_laws.hpp\"", "array/array_laws.hpp"},
    {"src/export/planted.cpp", "#include \"kernel/recipe/recipes.hpp\"", "kernel/recipe/recipes.hpp"},
    {"src/array/planted.cpp", "#include \"verify/results.hpp\"", "verify/results.hpp"},
    {"src/verify/planted.cpp", "#include \"report/report.hpp\"", "report/report.hpp"},
    {"src/apply/planted.cpp", "#include \"command/command.hpp\"", "command/command.hpp"},
    {"src/compiled/planted.cpp", "#include \"kernel/kernels.hpp\"", "kernel/kernels.hpp"},
    {"src/search/planted.cpp", "#include \"kernel/kernels.hpp\"", "kernel/kernels.hpp"},
    {"src/verify/planted.cpp", "#include \"fault/known_faults.hpp\"", "fault/known_faults.hpp"},
    {"src/search/planted.cpp", "#include \"diagnosis/diagnosis.hpp\"", "diagnosis/diagnosis.hpp"},
    {"src/claim/planted.cpp", "#include \"input/number.hpp\"", "input/number.hpp"},
    {"src/fault/planted.cpp", "#include \"verify/results.hpp\"", "verify/results.hpp"},
    {"include/ropewalk/measure/planted.hpp", "#include \"ropewalk/law/law.hpp\"", "ropewalk/law/law.hpp"},
    {"src/report/planted.cpp", "#include <rapidcheck.h>", "rapidcheck.h"},
    {"src/report/planted.cpp", "#include <vulkan/vulkan.h>", "vulkan/vulkan.h"},
    {"src/report/planted.cpp", "#include <volk.h>", "volk.h"},
    {"src/command/planted.cpp", "#include <CLI/App.hpp>", "CLI/App.hpp"},
    {"src/report/planted.cpp", "#include <spirv/unified1/spirv.hpp11>", "spirv/unified1/spirv.hpp11"},
};

TEST(Layering, EveryPlantedWrongArrowIsFound) {
  const tree_copy copy;
  const auto before = house::wrong_includes(copy.root());
  for (const auto& arrow : wrong_arrows) copy.plant(arrow.file, arrow.line);
  const auto names = house::wrong_includes(copy.root());
  EXPECT_EQ(names.size(), before.size() + std::size(wrong_arrows));
  for (const auto& arrow : wrong_arrows) {
    const std::string expected = std::string(arrow.file) + ": " + arrow.target;
    EXPECT_EQ(std::count(names.begin(), names.end(), expected), 1) << expected;
  }
}

TEST(Layering, RightArrowsAreLeftAlone) {
  const tree_copy copy;
  const auto before = house::wrong_includes(copy.root());
  copy.plant("include/ropewalk/law/judge/bound.hpp", "#include \"ropewalk/config/rope.hpp\"");
  copy.plant("include/ropewalk/reference/rope.hpp", "#include <boost/multiprecision/mpfr.hpp>");
  copy.plant("src/kernel/planted.cpp", "#include \"ropewalk/law/judge/bound.hpp\"");
  copy.plant("src/verify/planted.cpp", "#include \"search/search.hpp\"");
  copy.plant("src/fault/planted.cpp", "#include \"model/model.hpp\"");
  copy.plant("src/search/planted.cpp", "#include <rapidcheck.h>");
  copy.plant("src/diagnosis/planted.cpp", "#include \"fault/known_faults.hpp\"");
  copy.plant("src/command/planted.cpp", "#include \"catalogue.hpp\"");
  EXPECT_EQ(house::wrong_includes(copy.root()), before);
}

TEST(TopLevel, HoldsOnlyWhatAUserOrAToolExpects) {
  // git ignores build.
  const std::set<std::string> expected = {"include",
                                          "src",
                                          "proofs",
                                          "gpu",
                                          "tests",
                                          "bench",
                                          "CMakeLists.txt",
                                          "CMakePresets.json",
                                          "README.md",
                                          "LICENSE",
                                          "CHANGELOG.md",
                                          "CITATION.cff",
                                          "pyproject.toml",
                                          "vcpkg.json",
                                          "action.yml",
                                          "dev",
                                          ".ci",
                                          ".git",
                                          ".gitignore",
                                          ".gitattributes",
                                          ".clang-format",
                                          ".editorconfig",
                                          ".clang-tidy",
                                          ".github",
                                          "build"};
  for (const auto& entry : fs::directory_iterator(ROPEWALK_SOURCE))
    EXPECT_TRUE(expected.contains(entry.path().filename().string())) << entry.path();
}

TEST(Sources, NoFileIsNamedAfterNothing) {
  const std::set<std::string> banned = {"util",   "utils",   "helper", "helpers", "misc",
                                        "common", "manager", "impl",   "core"};
  for (const char* folder : {"include", "src", "gpu", "proofs", "tests"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(ROPEWALK_SOURCE) / folder))
      EXPECT_FALSE(banned.contains(entry.path().stem().string())) << entry.path();
  }
}

}  // namespace
