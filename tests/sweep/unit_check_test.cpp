// Both ways to compute right entries give the same tallies, hard cases and all, wherever rows come about in
// another way: at 0, at both ends of the positions, in the first rows of a unit.

#include "sweep/unit_check.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sweep/judged.hpp"

namespace ropewalk::sweep {
namespace {

std::vector<std::string> found_in(const swept_table& table, const unit& unit, right_rows source) {
  unit_check check(table, *own_tables(), source);
  std::vector<std::string> names;
  for (const format_tally& tally : check.check(unit)) names.push_back(to_json(tally).dump());
  return names;
}

TEST(UnitCheck, BySumsAndByPhasesFindTheSame) {
  const position_range ranges[] = {{-2500, 2501},
                                   {smallest_position, smallest_position + 4097},
                                   {100001, 100006},
                                   {largest_position - 4099, largest_position + 1},
                                   {1000007, 1003000}};
  // Pairs that are a multiple of a vector's lanes and not, and attention factors other than 1.
  for (const char* name :
       {"llama-3.1-8b", "stablelm-3b-4e1t", "gpt-neox-20b", "stablelm-2-12b", "phi-3.5-mini"})
    for (const position_range& range : ranges) {
      const model::model read_model = at_own_context(model::catalogue_model(name));
      const swept_table table = tables_of({read_model}, [&](const model::model&) { return range; }).front();
      const unit unit{0, {ROPEWALK_F32, ROPEWALK_F16, ROPEWALK_BF16}, range};
      const auto by_sums = found_in(table, unit, right_rows::by_sums);
      EXPECT_EQ(by_sums, found_in(table, unit, right_rows::by_phases)) << name << " from " << range.begin;
      for (const std::string& text : by_sums) EXPECT_NE(text.find("\"wrong\":0"), std::string::npos) << text;
    }
}

}  // namespace
}  // namespace ropewalk::sweep
