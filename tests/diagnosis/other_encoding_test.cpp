// A kernel that rotates by another encoding than the given one is diagnosed with that mistake. The kernel is
// cpu-table, which shares no code with the faults.

#include <gtest/gtest.h>

#include <string_view>

#include "diagnosis/diagnosed_faults.hpp"
#include "kernel/kernels.hpp"
#include "ropewalk/kernel/resolved.hpp"

namespace ropewalk::diagnosed {
namespace {

/// A model, the change that the kernel makes to its encoding, and words of the diagnosis.
struct mistake {
  std::string_view model;
  void (*make)(rope&);
  std::string_view words;
};

constexpr mistake mistakes[] = {
    {"llama3", [](rope& config) { config.scaling = unscaled{}; }, "the frequencies are the unscaled ones"},
    {"llama3", [](rope& config) { config.scaling = linear{8}; }, "all frequencies are divided by the factor"},
    {"yarn", [](rope& config) { config.scaling = unscaled{}; }, "the scaling rule is not applied"},
    {"yarn", [](rope& config) { config.scaling.as<yarn>().truncate = false; }, "floor and ceil are dropped"},
    {"yarn, long ramp", [](rope& config) { config.scaling.as<yarn>().truncate = true; },
     "the YaRN ramp runs between whole pairs, although truncate is false"},
    {"longrope", [](rope& config) { ++config.seq_len; }, "longrope takes the "},
    {"dynamic", [](rope& config) { config.seq_len = 0; },
     "the frequencies are those at max_position_embeddings"},
    {"unscaled", [](rope& config) { config.base = 10000; }, "the base is 10000"},
};

/// The encoding that the kernel below uses; set by one test at a time.
const rope* turned_by = nullptr;

/// cpu-table, which plans for `turned_by` instead of the given encoding.
ropewalk_kernel other_encoding_kernel() {
  ropewalk_kernel kernel = cpu_table_kernel();
  kernel.name = "other-encoding";
  kernel.plan = [](const ropewalk_head* head, ropewalk_plan** plan, ropewalk_error* error) {
    const auto right = read_struct<ropewalk_rotation>(head, ROPEWALK_ROTATE, "encoding");
    const resolved_encoding other(*turned_by, {.head_dim = right.head_dim});
    ropewalk_rotation view = right;
    const ropewalk_rotation wrong = other.view();
    view.inv_freq = wrong.inv_freq;
    view.turns = wrong.turns;
    view.turns_256 = wrong.turns_256;
    view.turns_real = wrong.turns_real;
    view.attention_factor = wrong.attention_factor;
    view.attention_real = wrong.attention_real;
    return cpu_table_kernel().plan(&view.head, plan, error);
  };
  return kernel;
}

TEST(OtherEncoding, IsNamed) {
  for (const mistake& mistake : mistakes) {
    const model::model& model = *std::find_if(models().begin(), models().end(),
                                              [&](const auto& m) { return m.name == mistake.model; });
    rope wrong = model.encoding;
    mistake.make(wrong);
    turned_by = &wrong;
    auto causes = causes_on(model);
    const ropewalk_kernel kernel = other_encoding_kernel();
    const auto failed = failures_of(*causes.hold(kernel, promise::canonical), {ROPEWALK_F32}, 1, 12);
    ASSERT_FALSE(failed.empty()) << mistake.words;
    const diagnosis::cause cause = diagnosis::diagnose(kernel, promise::canonical, causes, failed,
                                                       {.seed = 1, .dtypes = {ROPEWALK_F32}}, never);
    EXPECT_EQ(cause.verdict, diagnosis::verdict::explained) << mistake.words << ": " << text_of(cause);
    EXPECT_NE(cause.sentence.find(mistake.words), std::string::npos) << text_of(cause);
  }
}

}  // namespace
}  // namespace ropewalk::diagnosed
