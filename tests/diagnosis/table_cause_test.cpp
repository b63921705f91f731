// Tables with the faults of public trackers: each is made in plain arithmetic, and must be named; an honest
// engine's table is never blamed.

#include "diagnosis/table_cause.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "diagnosis/named_tables.hpp"

namespace ropewalk::table_faults {
namespace {

using diagnosis::table_cause, diagnosis::table_verdict;
using output::table_dtype;

input::position_list positions(std::int64_t begin, std::int64_t end) { return {.range = {begin, end}}; }

/// Models on which every fault shows.
std::vector<model::model> some_models() {
  std::vector<model::model> r;
  for (const char* name : {"llama-2-7b", "llama-3.2-1b", "gpt-oss-20b", "deepseek-v3", "qwen2.5-7b-yarn4",
                           "gpt-neox-20b", "gemma-4", "mistral-nemo", "gemma-3-27b", "phi-3.5-mini"})
    r.push_back(model::catalogue_model(name));
  r.push_back(model::catalogue_model("gemma-3-27b", {.layer_type = "sliding_attention"}));
  r.push_back(model::at_length(model::catalogue_model("internlm2.5-7b-chat"), {100000, "the test"}));
  return r;
}

constexpr manufacture some_ways[] = {{inv_freq_layout, table_dtype::f32, working::binary32},
                                     {inv_freq_layout, table_dtype::bf16, working::binary64},
                                     {vllm_layout, table_dtype::f32, working::binary32},
                                     {hf_layout, table_dtype::bf16, working::binary64}};

TEST(TableCause, EveryFaultOfTheTrackersIsNamed) {
  std::vector<table_counts> found(tracker_faults().size());
  for (const model::model& of : some_models()) {
    diagnosis::rotary_diagnosis diagnosis(of);
    for (std::size_t i = 0; i < found.size(); ++i)
      for (const manufacture& made : some_ways)
        count(found[i], tracker_faults()[i], of, diagnosis, made, positions(-20, 300));
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    const table_counts& all = found[i];
    EXPECT_GT(all.rightly, 0) << tracker_faults()[i].fault;
    EXPECT_EQ(all.wrongly + all.unexplained + all.holding, 0) << tracker_faults()[i].fault << all.text();
  }
}

TEST(TableCause, AnHonestTableIsNeverBlamed) {
  for (const model::model& of : some_models()) {
    diagnosis::rotary_diagnosis diagnosis(of);
    for (const manufacture& made : some_ways) {
      const auto array = laid_out(right_engine(of), made.layout, made.dtype, positions(-20, 100), made.in);
      const table_cause found = diagnosis.explain(array);
      EXPECT_EQ(found.found, table_verdict::holds) << of.name << ": " << diagnosis::text_of(found);
    }
  }
}

}  // namespace
}  // namespace ropewalk::table_faults
