#include "sweep/kernel_subject.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>

#include "input/bad_input.hpp"
#include "judged.hpp"
#include "ropewalk/kernel/dtype.hpp"
#include "verify/kernel_choice.hpp"

namespace ropewalk::sweep::of_kernels {
namespace {

constexpr position_range small{-100, 3000};
constexpr std::int64_t small_entries = 2 * 3100 * 8;
const std::string folder = ROPEWALK_SOURCE "/tests/transport/";

std::string python(const std::string& words) {
  return "program:/usr/bin/env PYTHONPATH=" ROPEWALK_SOURCE "/src/python " ROPEWALK_PYTHON " " + folder +
         words;
}

/// Settings of transports that are put back.
class changed_transport {
 public:
  changed_transport() : before_(verify::transport_settings_in_force()) {}
  ~changed_transport() { verify::transport_settings_in_force() = before_; }
  changed_transport(const changed_transport&) = delete;
  changed_transport& operator=(const changed_transport&) = delete;

 private:
  verify::transport_settings before_;
};

format_tally judged_fault(const std::string& name, ropewalk_dtype dtype = ROPEWALK_F32,
                          position_range positions = small) {
  const changed_transport put_back;
  verify::transport_settings_in_force().in_process = true;
  const auto maker = kernel_outputs("library:" ROPEWALK_FAULTS_LIBRARY "#" + name);
  return judged(small_model(), dtype, positions, *maker).front();
}

void expect_right(const std::string& kernel, const model::model& model, std::vector<ropewalk_dtype> dtypes,
                  position_range positions, std::int64_t entries) {
  for (const format_tally& tally : judged(work_range_of(model, dtypes, positions), *kernel_outputs(kernel))) {
    EXPECT_EQ(tally.entries, entries) << kernel;
    EXPECT_EQ(tally.wrong, 0) << kernel << " " << ropewalk::name_of(tally.dtype);
    EXPECT_EQ(tally.undecided, 0) << kernel;
  }
}

TEST(KernelSubject, CanonicalKernelsAreRightInEveryFormat) {
  expect_right("cpu-turns", small_model(), {ROPEWALK_F32, ROPEWALK_F16, ROPEWALK_BF16}, small, small_entries);
  expect_right("cpu-table", small_model(), {ROPEWALK_F64, ROPEWALK_F32, ROPEWALK_F16, ROPEWALK_BF16}, small,
               small_entries);
}

TEST(KernelSubject, TheExactKernelRoundsOnce) {
  expect_right("exact", small_model(), {ROPEWALK_F64, ROPEWALK_F32, ROPEWALK_F16, ROPEWALK_BF16}, {100, 300},
               2 * 200 * 8);
}

TEST(KernelSubject, LayoutsAttentionAndAxesAreTheModels) {
  const model::model crossed = [] {
    model::model result = model::model_by_hand(10000, 24, 16, pairing::interleaved, "");
    result.layout.pairing_out = pairing::half_split;
    return result;
  }();
  expect_right("cpu-turns", crossed, {ROPEWALK_F32}, small, small_entries);
  expect_right("cpu-turns", model::model_by_hand(10000, 24, 16, pairing::interleaved, ""), {ROPEWALK_F16},
               small, small_entries);
  for (const char* const name : {"qwen2-vl-7b", "gpt-oss-20b"}) {
    const model::model read_model = model::catalogue_model(name);
    expect_right("cpu-turns", read_model, {ROPEWALK_F32}, {500, 700},
                 2 * 200 * pair_count(read_model.encoding));
  }
}

TEST(KernelSubject, APlantedFaultIsCountedWhereItIs) {
  const format_tally off = judged_fault("fault-position-off-by-one");
  EXPECT_EQ(off.entries, small_entries);
  EXPECT_GT(off.wrong, small_entries / 2);
  ASSERT_TRUE(off.largest_error);
  EXPECT_NEAR(off.largest_error->error, 2 * std::sin(0.5), 1e-3);  // pair 0 is one radian away
  EXPECT_EQ(off.largest_error->place.pair, 0);
  const format_tally dropped = judged_fault("fault-angle-f32", ROPEWALK_F32, {1 << 20, (1 << 20) + 500});
  EXPECT_GT(dropped.wrong, 0);
  EXPECT_LT(dropped.wrong, dropped.entries);
  EXPECT_EQ(dropped.by_steps[0], dropped.entries - dropped.wrong);
}

TEST(KernelSubject, WhatAKernelDeclinesIsRefusedBeforeAnyWork) {
  const auto maker = kernel_outputs("cpu-turns");
  const std::string dtype = refusal_of<bad_input>(
      [&] { maker->require_serves(work_range_of(small_model(), {ROPEWALK_F64}, small)); });
  const std::string expected =
      "dtype is f64; allowed: what cpu-turns serves: positions in binary64 as well, f32 f16 bf16";
  EXPECT_NE(dtype.find(expected), std::string::npos) << dtype;
  EXPECT_NE(refusal_of<bad_input>([] { kernel_outputs("cpu-alibi-add"); }).find("a kernel that rotates"),
            std::string::npos);
  const auto near = kernel_outputs(python("misbehaving.py declines-far"));
  const std::string far = refusal_of<std::invalid_argument>([&] {
    near->require_serves(work_range_of(small_model(), {ROPEWALK_F32}, {5, 9}));
  });
  EXPECT_NE(far.find("positions above 4"), std::string::npos) << far;
  EXPECT_NE(refusal_of<bad_input>([&] {
              near->require_serves(work_range_of(small_model(), {ROPEWALK_F16}, {0, 9}));
            }).find("dtype is f16"),
            std::string::npos);
}

TEST(KernelSubject, AProgramIsJudged) {
  const auto maker = kernel_outputs(python("misbehaving.py none"));
  const format_tally tally = judged(small_model(), ROPEWALK_F32, {0, 2000}, *maker).front();
  EXPECT_EQ(tally.entries, 2 * 2000 * 8);
  EXPECT_LT(tally.wrong, tally.entries / 100);  // angles in binary64
}

TEST(KernelSubject, ADeathOrSilenceNamesKernelAndPositions) {
  const changed_transport put_back;
  verify::transport_settings_in_force().limits.call = std::chrono::seconds(1);
  for (const auto& [how, what] :
       {std::pair{"segv", "ended by signal 11"}, {"exits-at-once", "ended"}, {"hangs", "no answer in 1 s"}}) {
    const auto maker = kernel_outputs(python(std::string("misbehaving.py ") + how));
    const std::string failed = refusal_of<kernel_failed>([&] {
      const auto subject =
          maker->subject_of(work_range_of(small_model(), {ROPEWALK_F32}, small).tables.front());
      std::vector<float> cos(8 * 8 + 8), sin(8 * 8 + 8);
      for (std::int64_t at = 0; at < 80; at += 8)
        subject->fill({at, at + 8}, ROPEWALK_F32, cos.data(), sin.data());
    });
    EXPECT_NE(failed.find(what), std::string::npos) << failed;
    EXPECT_NE(failed.find("f32, positions 40:48)"), std::string::npos) << failed;
    EXPECT_EQ(failed.find('\n'), std::string::npos) << failed;
  }
}

/// Gives entries with some of another kind.
class strange_entries : public subject_maker {
 public:
  class strange : public subject {
   public:
    right_entries right() const override { return right_entries::through_rotation; }
    bool has_signed_zeros() const override { return false; }
    std::int64_t positions_at_once() const override { return 100; }
    void fill(position_range positions, ropewalk_dtype, void* cos, void* sin) override {
      auto* const to_cos = static_cast<std::uint32_t*>(cos);
      auto* const to_sin = static_cast<std::uint32_t*>(sin);
      for (std::int64_t i = 0; i < 8 * size(positions); ++i) to_cos[i] = 0x3f800000, to_sin[i] = 0x80000000;
      if (positions.begin != 0) return;
      to_cos[1] = 0x7fc00001, to_cos[2] = 0xff800000, to_cos[3] = 0xbf800000;
    }
  };
  std::unique_ptr<subject> subject_of(const swept_table&) const override {
    return std::make_unique<strange>();
  }
};

TEST(KernelSubject, NaNInfinityAndAFlippedSignAreWrongEntries) {
  const format_tally tally = judged(small_model(), ROPEWALK_F32, {0, 1}, strange_entries()).front();
  EXPECT_EQ(tally.entries, 16);
  EXPECT_EQ(tally.wrong, 3);  // a zero's sign is free
  EXPECT_EQ(tally.by_steps[0], 13);
  EXPECT_EQ(tally.by_steps[64], 1);  // the NaN
  ASSERT_TRUE(tally.largest_error && tally.largest_in_steps);
  EXPECT_TRUE(std::isinf(tally.largest_error->error));
  EXPECT_EQ(tally.largest_error->place, (entry_place{0, 1, false}));
  EXPECT_EQ(tally.largest_in_steps->place, (entry_place{0, 1, false}));
}

}  // namespace
}  // namespace ropewalk::sweep::of_kernels
