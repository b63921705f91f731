// The power of the pack: which case shows which known mistake. power.json says it; ROPEWALK_WRITE_POWER=FILE
// in the environment writes it anew.

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "vectors/power.hpp"

namespace ropewalk::test {
namespace {

/// Why no vector shows some mistakes: what a test vector is not.
struct unshown_kind {
  std::string_view reason;
  std::vector<std::string_view> mistakes;
};

const std::vector<unshown_kind>& unshown_kinds();

std::string reason_of(const std::string& mistake) {
  for (const unshown_kind& kind : unshown_kinds())
    if (std::find(kind.mistakes.begin(), kind.mistakes.end(), mistake) != kind.mistakes.end())
      return std::string(kind.reason);
  return {};
}

const std::vector<call_group>& all_calls() {
  static const auto& made = *[] {
    auto* calls = new std::vector<call_group>;
    for (const std::string_view name : vectors::topic_names()) {
      vectors::topic topic = vectors::make_topic(name);
      calls->insert(calls->end(), std::make_move_iterator(topic.calls.begin()),
                    std::make_move_iterator(topic.calls.end()));
    }
    return calls;
  }();
  return made;
}

std::vector<shown_mistake> all_mistakes() {
  std::vector<shown_mistake> mistakes;
  std::set<std::string> seen;
  for (const auto& faults : {fault::known_rotation_faults(), fault::known_addition_faults()})
    for (const fault::known_fault& fault : faults)
      if (seen.insert(fault.kernel.name).second)
        mistakes.push_back(shown_by(all_calls(), fault.kernel, fault.sentence));
  for (const ropewalk_kernel& kernel : recipe_kernels())  // no mistakes, but looser than canonical
    mistakes.push_back(
        shown_by(all_calls(), kernel, "promises " + name_of(promise_of(kernel), ROPEWALK_ROTATE)));
  std::vector<vectors::entry_group> tables;
  for (const char* name : {"inverse-frequencies", "rows", "scaling-rules"}) {
    vectors::topic topic = vectors::make_topic(name);
    std::move(topic.entries.begin(), topic.entries.end(), std::back_inserter(tables));
  }
  for (const table_faults::tracker_fault& fault : table_faults::tracker_faults())
    mistakes.push_back(shown_by(tables, fault));
  return mistakes;
}

std::string power_text(const std::vector<shown_mistake>& all) {
  std::string text = "{\n \"schema\": \"urn:ropewalk:vectors-power:1\",\n \"mistakes\": [\n";
  for (std::size_t i = 0; i < all.size(); ++i) {
    const shown_mistake& mistake = all[i];
    nlohmann::ordered_json row = {{"mistake", mistake.mistake}, {"is", mistake.sentence}};
    if (mistake.case_id.empty()) {
      row["not_shown"] = reason_of(mistake.mistake);
    } else {
      row["case"] = mistake.case_id;
      row["breaks"] = mistake.promise;
      row["flags"] = mistake.flags;
    }
    text += row.dump() + (i + 1 < all.size() ? ",\n" : "\n");
  }
  return text + "]}\n";
}

std::string kept_text(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Power, EveryMistakeIsShownOrHasAReason) {
  const std::vector<shown_mistake> all = all_mistakes();
  for (const shown_mistake& mistake : all) {
    EXPECT_EQ(mistake.case_id.empty(), !reason_of(mistake.mistake).empty())
        << mistake.mistake << ": " << mistake.sentence;
  }
  if (const char* path = std::getenv("ROPEWALK_WRITE_POWER")) std::ofstream(path) << power_text(all);
  EXPECT_EQ(kept_text(ROPEWALK_SOURCE "/src/vectors/pack/power.json"), power_text(all))
      << "ROPEWALK_WRITE_POWER=src/vectors/pack/power.json in the environment writes it anew";
}

/// Kernels that keep what they promise keep the same rule of the pack in every case.
TEST(Power, AnHonestKernelKeepsItsRule) {
  std::map<std::string, int> broken_by;  // stricter rules, by recipe
  for (const ropewalk_kernel& kernel : recipe_kernels()) {
    const promise own = promise_of(kernel);
    int judged = 0;
    for (const call_group& group : all_calls()) {
      if (vectors::operation_of(group) != ROPEWALK_ROTATE || group.dtype == ROPEWALK_F64) continue;
      const std::vector<allowed_error> rules = vectors::allowed_errors(group);
      const auto rule = std::find_if(rules.begin(), rules.end(), [&](const auto& item) {
        return ropewalk::detail::is_same_for(ROPEWALK_ROTATE, item.value, own);
      });
      const vectors::asked_kernel outside(kernel, own, group);
      for (const call_case& test_case : group.cases) {
        if (!outside.serves(test_case.call)) continue;
        const std::vector<std::uint64_t> answer = outside.answer(test_case.call);
        if (!has_bits(group, test_case, answer)) ++broken_by[kernel.name];
        if (rule == rules.end()) continue;
        ++judged;
        EXPECT_TRUE(keeps(group, test_case, answer, *rule)) << kernel.name << " in " << group.id;
      }
    }
    // The pack has no rule for tables or angles in bfloat16.
    EXPECT_EQ(judged < 100, std::string_view(kernel.name).starts_with("recipe-bf16")) << kernel.name;
    EXPECT_GT(broken_by[kernel.name], 0) << kernel.name << " has every canonical bit";
  }
}

const std::vector<unshown_kind>& unshown_kinds() {
  static const std::vector<unshown_kind> all = {
      {"a vector says nothing of the floating-point environment of a caller",
       {"fault-environment-left", "fault-flush-to-zero"}},
      {"a vector is one dense tensor: it has no strides, no alignment and no second tensor",
       {"fault-position-step", "fault-shared-row", "fault-key-strides", "fault-aligned",
        "fault-strides-unread", "fault-key-left-out", "fault-heads-of-both"}},
      {"a vector is one whole call: it has no ranges of tokens",
       {"fault-range-begin", "fault-range-end", "fault-any-range", "fault-range-counted-twice",
        "fault-sinusoidal-any-range"}},
      {"a vector gives each token its position: it has no offsets of sequences (flag Packed has their "
       "positions)",
       {"fault-sequences-unread", "fault-sequences-after-second", "fault-sequences-late"}},
      {"a vector has fewer than 2^31 elements, and fewer than 65,536 heads",
       {"fault-offset-32", "fault-grid"}},
      {"this mistake needs real positions that additions by it are not given: whole ones stay as they are",
       {"fault-row-addition-positions-half-after", "fault-bias-addition-positions-half-after"}},
      {"a vector has no hint of frequent positions, from which this plan makes its table",
       {"fault-kept-row"}},
  };
  return all;
}

}  // namespace
}  // namespace ropewalk::test
