// A kernel that turns by another encoding than it was given is told which mistake that is.

#include "search/mistaken_encoding.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <string_view>

#include "kernel/kernels.hpp"
#include "ropewalk/law/rotation_laws.hpp"
#include "search/diagnosis.hpp"

namespace ropewalk::search {
namespace {

constexpr head_layout one_head{.head_dim = 24};

rope with(const rope_scaling& scaling, int rotary_dim = 16, std::int64_t seq_len = 0) {
  return {.base = 10000, .rotary_dim = rotary_dim, .scaling = scaling, .seq_len = seq_len};
}

yarn ramp(bool truncate) {
  return {.factor = 4, .original_max_position_embeddings = 4096, .truncate = truncate};
}

constexpr double short_list[] = {1, 1, 1.25, 1.25, 1.5, 1.5, 2, 2};
constexpr double long_list[] = {1, 2, 3, 4, 5, 6, 7, 8};

rope with_lists(std::int64_t seq_len) {
  return with(longrope{.short_factor = short_list,
                       .long_factor = long_list,
                       .original_max_position_embeddings = 4096,
                       .max_position_embeddings = 131072},
              16, seq_len);
}

/// What a kernel should turn by, what it turns by, and what is then said.
struct mistake {
  rope right;
  rope wrong;
  std::string_view words;
};

const mistake made[] = {
    {with(llama3{8, 1, 4, 8192}), with({}), "they are those of the unscaled frequencies"},
    {with(llama3{8, 1, 4, 8192}), with(linear{8}), "those of frequencies that are all divided by the factor"},
    {with(ramp(true)), with({}), "without an attention factor: the scaling rule was not applied"},
    {with(ramp(true)), with(ramp(false)), "a YaRN ramp between real numbers: floor and ceil were dropped"},
    {with(ramp(false)), with(ramp(true)), "a YaRN ramp between whole pairs, although truncate is false"},
    {with_lists(4096), with_lists(4097), "longrope's long list: it switches at another length"},
    {with_lists(4097), with_lists(4096), "longrope's short list: it switches at another length"},
    {with(dynamic{2, 2048}, 16, 8192), with(dynamic{2, 2048}, 16, 2048),
     "the frequencies at max_position_embeddings: the base does not grow"},
};

/// What the kernel below turns by; one test at a time sets it.
const rope* turned_by = nullptr;

/// The table kernel, which makes its plan of another encoding than it is given.
ropewalk_kernel other_encoding_kernel() {
  ropewalk_kernel kernel = cpu_table_kernel();
  kernel.name = "other-encoding";
  kernel.plan = [](const ropewalk_head* given, ropewalk_plan** plan, ropewalk_error* error) {
    const int head_dim = read_struct<ropewalk_rotation>(given, ROPEWALK_ROTATE, "encoding").head_dim;
    const resolved_encoding other(*turned_by, {.head_dim = head_dim});
    const ropewalk_rotation view = other.view();
    return cpu_table_kernel().plan(&view.head, plan, error);
  };
  return kernel;
}

TEST(MistakenEncoding, IsNamed) {
  const std::atomic<bool> unstopped{false};
  const auto& accuracy = rotation_laws::accuracy;
  for (const mistake& one : made) {
    turned_by = &one.wrong;
    const held_rotation held(other_encoding_kernel(), promise::canonical, one.right, one_head);
    outcome found = search(accuracy, held, ROPEWALK_F32, 1, {50, 50, {}}, unstopped);
    ASSERT_TRUE(found.failure) << one.words;
    const std::string words = words_for(accuracy, held, *found.failure);
    EXPECT_NE(words.find(one.words), std::string::npos) << words;
    EXPECT_EQ(words.find(", or "), std::string::npos) << words;
  }
}

TEST(MistakenEncoding, AWholeHeadWithoutARuleLeavesNoMistakeToMake) {
  EXPECT_TRUE(mistaken_encodings(with({}, 24), 24).empty());
  EXPECT_EQ(mistaken_encodings(with({}), 24).size(), 1U);
}

}  // namespace
}  // namespace ropewalk::search
