// A closed set has one home: other code that switches on its members, lists or counts them would be forgotten
// when a member is added.

#include "house/closed_sets.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "export/file_format.hpp"
#include "export/table_kind.hpp"
#include "house/tree_copy.hpp"
#include "report/report_kind.hpp"
#include "ropewalk/config/rope_scaling.hpp"
#include "ropewalk/kernel/dtype.hpp"
#include "ropewalk/kernel/operation.hpp"
#include "ropewalk/kernel/promise.hpp"

namespace {

using namespace ropewalk;

template <class... Members>
std::vector<std::string> names_in(type_list<Members...>) {
  return {std::string(Members::name)...};
}

template <class Rows>
std::vector<std::string> names_in_rows(const Rows& rows) {
  std::vector<std::string> names;
  for (const auto& row : rows) names.emplace_back(row.name);
  return names;
}

/// Names of table kinds, except those that also name functions, encodings or layouts.
std::vector<std::string> names_of_tables_alone() {
  std::vector<std::string> names = names_in_rows(tables::table_kinds);
  std::erase_if(names, [](const std::string& name) {
    return name.find('-') == name.npos || name == "cos-sin" || name == "sine-only";
  });
  return names;
}

std::vector<house::closed_set> closed_sets() {
  std::vector<std::string> dtypes;
  for (const ropewalk_dtype dtype : all_dtypes) dtypes.emplace_back(name_of(dtype));
  return {
      {"scaling rules", "", names_in(scaling_rules{}), {"include/ropewalk/config/rope_scaling.hpp"}},
      {"dtypes",
       "ROPEWALK_(F64|F32|F16|BF16)\\b",
       dtypes,
       {"include/ropewalk/kernel/dtype.hpp", "include/ropewalk/kernel/kernel.h"}},
      {"dtypes of tables", "table_dtype::", {"u32", "i32"}, {"src/export/table_kind.hpp"}},
      {"promises", "promise::", names_in_rows(promises), {"include/ropewalk/kernel/promise.hpp"}},
      {"operations of kernels",
       "ROPEWALK_(ROTATE|ADD_[A-Z0-9_]+)\\b",
       names_in(operations{}),
       {"include/ropewalk/kernel/operation.hpp", "include/ropewalk/kernel/kernel.h"}},
      {"kinds of table", "table_kind::", names_of_tables_alone(), {"src/export/table_kind.hpp"}},
      {"file formats", "", names_in(tables::file_formats{}), {"src/export/file_format.hpp"}},
      {"kinds of report",
       "",
       {report::report_names.begin(), report::report_names.end()},
       {"src/report/report_kind.hpp"}},
      {"laws", "", {}, {}},
  };
}

TEST(ClosedSets, AreToldApartListedAndCountedAtHomeAlone) {
  EXPECT_EQ(house::listings_outside_home(ROPEWALK_SOURCE, closed_sets()), std::vector<std::string>{});
}

TEST(ClosedSets, EveryPlantedListingIsFound) {
  const house::tree_copy copy;
  const std::string file = "src/verify/planted.cpp";
  for (const char* line :
       {"    case ROPEWALK_BF16: return 2;",
        "case ropewalk::promise::exact:", "  case tables::table_kind::sin:", "case ROPEWALK_ADD_ROW: break;",
        "constexpr promise all[] = {promise::exact, promise::canonical, promise::angle_f32};",
        "throw bad_input(\"dtype\", name, \"f64, f32, f16 or bf16\");", "\"one of npz, safetensors\"",
        "\"linear, dynamic\"", "\"junit, sarif\"", "// All 16 laws.", "// eight scaling rules"})
    copy.plant(file, line);
  EXPECT_EQ(
      house::listings_outside_home(copy.root(), closed_sets()),
      (std::vector<std::string>{
          file + ": a case of dtypes", file + ": a case of promises", file + ": a case of kinds of table",
          file + ": a case of operations of kernels", file + ": a list of promises",
          file + ": a list of the names of dtypes", file + ": a list of the names of file formats",
          file + ": a list of the names of scaling rules", file + ": a list of the names of kinds of report",
          file + ": a count of laws", file + ": a count of scaling rules"}));
}

}  // namespace
