// Wrong encodings and calls of rotations are refused, and the wrong field is named.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <iterator>
#include <limits>
#include <random>
#include <string>

#include "kernel/good_calls.hpp"
#include "kernel/kernels.hpp"
#include "kernel/rotation_case.hpp"
#include "ropewalk/kernel/encoding_check.hpp"
#include "ropewalk/kernel/kernel.h"

namespace ropewalk::test {
namespace {

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

template <class Element>
const Element* misaligned(const Element* pointer) {
  return reinterpret_cast<const Element*>(reinterpret_cast<std::uintptr_t>(pointer) + 1);
}

/// One invalid change, and the field that the refusal must name.
template <class Spoilt>
struct mistake {
  std::string field;
  std::function<void(Spoilt&)> make;
};

const std::vector<mistake<ropewalk_rotation>>& encoding_mistakes() {
  static const double negative[] = {1, -0.5, 1, 1},
                      not_a_number[] = {std::numeric_limits<double>::quiet_NaN(), 1, 1, 1};
  static const std::int32_t axis[] = {0, 0, 1, 0}, below[] = {0, -1, 0, 0};
  static const std::uint32_t others[16] = {};  // turns that disagree with turns_256
  static std::uint32_t near[16];
  using encoding = ropewalk_rotation;
  static const std::vector<mistake<encoding>> mistakes = {
      {"struct_size", [](encoding& e) { e.head.struct_size = 7; }},
      {"struct_size", [](encoding& e) { e.head.struct_size = offsetof(encoding, turns) + 5; }},
      {"struct_size", [](encoding& e) { e.head.struct_size = 1u << 17; }},
      {"operation", [](encoding& e) { e.head.operation = ROPEWALK_ADD_ROW; }},
      {"operation", [](encoding& e) { e.head.operation = ROPEWALK_NORM_ROTATE_WRITE; }},
      {"head_dim", [](encoding& e) { e.head.struct_size = sizeof(ropewalk_head); }},
      {"head_dim", [](encoding& e) { e.head_dim = 0; }},
      {"head_dim", [](encoding& e) { e.head_dim = 65537; }},
      {"rotary_dim", [](encoding& e) { e.rotary_dim = 0; }},
      {"rotary_dim", [](encoding& e) { e.rotary_dim = 7; }},
      {"rotary_dim", [](encoding& e) { e.rotary_dim = 10; }},
      {"rotary_dim", [](encoding& e) { e.rotary_dim = -2; }},
      {"rotary_begin", [](encoding& e) { e.rotary_begin = -1; }},
      {"rotary_begin", [](encoding& e) { e.rotary_begin = e.head_dim - e.rotary_dim + 1; }},
      {"rotary_begin", [](encoding& e) { e.rotary_begin = largest; }},
      {"pairing_in", [](encoding& e) { e.pairing_in = 3; }},
      {"pairing_out", [](encoding& e) { e.pairing_out = -1; }},
      {"axes", [](encoding& e) { e.axes = 0; }},
      {"axis[2]", [](encoding& e) { e.axis = axis; }},
      {"axis[1]", [](encoding& e) { e.axis = below; }},
      {"inv_freq", [](encoding& e) { e.inv_freq = nullptr; }},
      {"inv_freq[1]", [](encoding& e) { e.inv_freq = negative; }},
      {"inv_freq[0]", [](encoding& e) { e.inv_freq = not_a_number; }},
      {"turns", [](encoding& e) { e.turns = nullptr; }},
      {"turns[0]", [](encoding& e) { e.turns = others; }},
      {"turns[1]",
       [](encoding& e) {
         std::copy_n(e.turns, std::size(others), near);
         ++near[4];
         e.turns = near;
       }},
      {"attention_factor", [](encoding& e) { e.attention_factor = 0; }},
      {"attention_factor", [](encoding& e) { e.attention_factor = std::numeric_limits<double>::infinity(); }},
      {"attention_real", [](encoding& e) { e.attention_real.significand[7] = 1; }},
      {"attention_real", [](encoding& e) { e.attention_real.exponent += 1; }},
      {"table_begin", [](encoding& e) { e.table_begin = std::int64_t{-1} << 40; }},
      {"table_end", [](encoding& e) { e.table_end = e.table_begin - 1; }},
      {"table_end", [](encoding& e) { e.table_end = largest; }},
      {"seq_len", [](encoding& e) { e.seq_len = -1; }},
      {"inv_freq", [](encoding& e) { e.inv_freq = misaligned(e.inv_freq); }},
      {"turns", [](encoding& e) { e.turns = misaligned(e.turns); }},
      {"turns_256", [](encoding& e) { e.turns_256 = misaligned(e.turns_256); }},
      {"axis", [](encoding& e) { e.axis = misaligned(reinterpret_cast<const std::int32_t*>(e.turns)); }},
      {"attention_real", [](encoding& e) { e.attention_real.exponent += 1; }},
      {"attention_real", [](encoding& e) { e.attention_factor = std::nextafter(e.attention_factor, 2); }},
      {"seq_len", [](encoding& e) { e.seq_len = largest_seq_len + 1; }},
  };
  return mistakes;
}

TEST(Refusal, EveryWrongFieldOfAnEncodingIsNamed) {
  for (const ropewalk_kernel& kernel : kernels_and_a_fault())
    for (const auto& mistake : encoding_mistakes()) {
      const resolved_encoding resolved({.base = 10000, .rotary_dim = 8}, {.head_dim = 8});
      ropewalk_rotation encoding = resolved.view();
      mistake.make(encoding);
      auto* plan = reinterpret_cast<ropewalk_plan*>(&encoding);
      ropewalk_error error{};
      EXPECT_EQ(kernel.plan(&encoding.head, &plan, &error), ROPEWALK_INVALID_ARGUMENT)
          << kernel.name << ' ' << mistake.field;
      EXPECT_EQ(plan, nullptr);
      EXPECT_EQ(error.field, mistake.field) << error.text;
      EXPECT_NE(error.text[0], '\0');
      EXPECT_EQ(kernel.plan(&encoding.head, &plan, nullptr), ROPEWALK_INVALID_ARGUMENT);
    }
}

TEST(Refusal, UpperHalvesAreRoundedModuloOne) {
  constexpr std::uint32_t ones = 0xffffffff, middle = 0x80000000;
  struct pair_of_numbers {
    std::array<std::uint32_t, 4> words;
    std::array<std::uint32_t, 8> wide;
    bool holds;
  };
  for (const pair_of_numbers& numbers : {
           pair_of_numbers{{5, 0, 0, 0}, {ones, ones, ones, middle - 1, 5, 0, 0, 0}, true},
           pair_of_numbers{{6, 0, 0, 0}, {ones, ones, ones, middle - 1, 5, 0, 0, 0}, false},
           pair_of_numbers{{6, 0, 0, 0}, {1, 0, 0, middle, 5, 0, 0, 0}, true},
           pair_of_numbers{{5, 0, 0, 0}, {1, 0, 0, middle, 5, 0, 0, 0}, false},
           pair_of_numbers{{5, 0, 0, 0}, {0, 0, 0, middle, 5, 0, 0, 0}, true},
           pair_of_numbers{{6, 0, 0, 0}, {0, 0, 0, middle, 5, 0, 0, 0}, true},
           pair_of_numbers{{7, 0, 0, 0}, {0, 0, 0, middle, 5, 0, 0, 0}, false},
           pair_of_numbers{{0, 0, 0, 1}, {0, 0, 0, ones, ones, ones, ones, 0}, true},
           pair_of_numbers{{0, 0, 0, 0}, {0, 0, 0, ones, ones, ones, ones, ones}, true},
           pair_of_numbers{{ones, ones, ones, ones}, {0, 0, 0, ones, ones, ones, ones, ones}, false},
       })
    EXPECT_EQ(ropewalk::detail::is_upper_half(numbers.words.data(), numbers.wide.data()), numbers.holds);
}

TEST(Refusal, ATableThatWouldNotFitIsNamed) {
  const resolved_encoding resolved({.base = 10000, .rotary_dim = 128}, {.head_dim = 128},
                                   {0, std::int64_t{1} << 31});
  const planned plan(cpu_table_kernel(), resolved.view());
  EXPECT_EQ(plan.status, ROPEWALK_INVALID_ARGUMENT);
  EXPECT_STREQ(plan.error.field, "table_end");
}

const std::vector<mistake<ropewalk_rotation_call>>& call_mistakes() {
  static const std::int64_t late_start[] = {1, 6}, falling[] = {0, 4, 3, 6}, short_of[] = {0, 5};
  const auto varlen = [](ropewalk_rotation_call& c, const std::int64_t* offsets, std::int64_t count) {
    c.tokens.sequence_offset = offsets;
    c.tokens.sequences = count;
  };
  static const std::vector<mistake<ropewalk_rotation_call>> mistakes = {
      {"struct_size", [](ropewalk_rotation_call& c) { c.head.struct_size = 0; }},
      {"operation", [](ropewalk_rotation_call& c) { c.head.operation = ROPEWALK_ADD_BIAS; }},
      {"query_in.data", [](ropewalk_rotation_call& c) { c.head.struct_size = sizeof(ropewalk_head); }},
      {"flags", [](ropewalk_rotation_call& c) { c.flags = 4; }},
      {"tokens.positions.data",
       [](ropewalk_rotation_call& c) {
         c.tokens.positions.data = misaligned(static_cast<const std::int32_t*>(c.tokens.positions.data));
       }},
      {"tokens.positions.data", [](ropewalk_rotation_call& c) { c.tokens.positions.data = nullptr; }},
      {"tokens.positions.axes", [](ropewalk_rotation_call& c) { c.tokens.positions.axes = 2; }},
      {"tokens.positions.kind", [](ropewalk_rotation_call& c) { c.tokens.positions.kind = 3; }},
      {"tokens.positions",
       [](ropewalk_rotation_call& c) {
         c.tokens.positions.data = static_cast<const std::int32_t*>(c.query_out.data) + 1;
       }},
      {"tokens.positions",
       [](ropewalk_rotation_call& c) {
         c.tokens.positions.data = static_cast<const std::int32_t*>(c.key_out.data) + 1;
       }},
      {"query_in.data", [](ropewalk_rotation_call& c) { c.query_in.data = nullptr; }},
      {"query_out.data", [](ropewalk_rotation_call& c) { c.query_out.data = nullptr; }},
      {"key_in.data", [](ropewalk_rotation_call& c) { c.key_in.data = nullptr; }},
      {"key_out.data", [](ropewalk_rotation_call& c) { c.key_out.data = nullptr; }},
      {"query_in.dtype", [](ropewalk_rotation_call& c) { c.query_in.dtype = 4; }},
      {"query_in.dtype", [](ropewalk_rotation_call& c) { c.query_in.dtype = -1; }},
      {"query_out.dtype", [](ropewalk_rotation_call& c) { c.query_out.dtype = ROPEWALK_F64; }},
      {"key_in.dtype", [](ropewalk_rotation_call& c) { c.key_in.dtype = c.key_out.dtype = ROPEWALK_F16; }},
      {"query_in.rank", [](ropewalk_rotation_call& c) { c.query_in.rank = 2; }},
      {"query_out.rank", [](ropewalk_rotation_call& c) { c.query_out.rank = 5; }},
      {"query_out.rank", [](ropewalk_rotation_call& c) { c.query_out.rank = 4; }},
      {"query_in.shape[0]", [](ropewalk_rotation_call& c) { c.query_in.shape[0] = -1; }},
      {"query_in.shape[2]", [](ropewalk_rotation_call& c) { c.query_in.shape[2] = 7; }},
      {"query_in.shape[1]", [](ropewalk_rotation_call& c) { c.query_in.shape[0] = largest; }},
      {"query_in.shape[2]",
       [](ropewalk_rotation_call& c) { c.query_in.shape[0] = c.query_in.shape[1] = std::int64_t{1} << 31; }},
      {"query_in.stride[0]", [](ropewalk_rotation_call& c) { c.query_in.stride[0] = largest; }},
      {"query_in.stride", [](ropewalk_rotation_call& c) { c.query_in.stride[0] = largest / 4; }},
      {"query_in.stride", [](ropewalk_rotation_call& c) { c.query_in.stride[0] = -(largest / 64); }},
      {"query_out.shape[1]", [](ropewalk_rotation_call& c) { c.query_out.shape[1] = 1; }},
      {"query_out.stride", [](ropewalk_rotation_call& c) { c.query_out.stride[1] = 0; }},
      {"query_out.stride", [](ropewalk_rotation_call& c) { c.query_out.stride[0] = 9; }},
      {"key_in.shape[0]", [](ropewalk_rotation_call& c) { c.key_in.shape[0] = c.key_out.shape[0] = 5; }},
      {"key_in.shape[2]", [](ropewalk_rotation_call& c) { c.key_in.shape[2] = 6; }},
      {"query_out.data",
       [](ropewalk_rotation_call& c) { c.query_out.data = static_cast<float*>(c.query_in.data) + 1; }},
      {"query_out.data", [](ropewalk_rotation_call& c) { c.query_out.data = c.key_in.data; }},
      {"query_out.data", [](ropewalk_rotation_call& c) { c.query_out.data = c.key_out.data; }},
      {"key_out.data", [](ropewalk_rotation_call& c) { c.key_out.data = c.query_in.data; }},
      {"tokens.positions.stride[2]",
       [](ropewalk_rotation_call& c) { c.tokens.positions.stride[2] = largest; }},
      {"tokens.positions",  // below address 0
       [](ropewalk_rotation_call& c) { c.tokens.positions.stride[2] = -(std::int64_t{1} << 58); }},
      {"tokens.sequence_offset", [=](ropewalk_rotation_call& c) { varlen(c, late_start, 1); }},
      {"tokens.sequence_offset", [=](ropewalk_rotation_call& c) { varlen(c, falling, 3); }},
      {"tokens.sequence_offset", [=](ropewalk_rotation_call& c) { varlen(c, short_of, 1); }},
      {"tokens.sequences", [=](ropewalk_rotation_call& c) { varlen(c, short_of, -1); }},
      {"tokens.begin", [](ropewalk_rotation_call& c) { c.tokens.begin = -1; }},
      {"tokens.begin", [](ropewalk_rotation_call& c) { c.tokens.begin = 7; }},
      {"tokens.end", [](ropewalk_rotation_call& c) { c.tokens.end = 7; }},
      {"tokens.end", [](ropewalk_rotation_call& c) { c.tokens.begin = 3, c.tokens.end = 2; }},
  };
  return mistakes;
}

TEST(Refusal, TheGoodCallIsServed) {
  for (const ropewalk_kernel& kernel : kernels_and_a_fault()) {
    good_call good;
    const planned plan(kernel, rotation_case{});
    EXPECT_EQ(plan.apply(good.call), ROPEWALK_OK) << plan.error.field << ": " << plan.error.text;
    EXPECT_NE(good.memory[1], std::vector<float>(96, -7.0f));
  }
}

TEST(Refusal, EveryWrongFieldOfACallIsNamedAndNothingIsWritten) {
  for (const ropewalk_kernel& kernel : kernels_and_a_fault())
    for (const auto& mistake : call_mistakes()) {
      good_call spoilt;
      mistake.make(spoilt.call);
      const good_call before;
      const planned plan(kernel, rotation_case{});
      EXPECT_EQ(plan.apply(spoilt.call), ROPEWALK_INVALID_ARGUMENT) << kernel.name << ' ' << mistake.field;
      EXPECT_EQ(plan.error.field, mistake.field) << plan.error.text;
      EXPECT_NE(plan.error.text[0], '\0');
      for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(spoilt.memory[i], before.memory[i]) << mistake.field;
    }
}

TEST(Refusal, SequencesNeedRankThree) {
  const rotation_case rotation{.tokens = 6};
  std::mt19937_64 random(1);
  laid_out memory(rotation, random_tensors(rotation, random));
  const std::int64_t offsets[] = {0, 6};
  memory.call.tokens.sequence_offset = offsets;
  memory.call.tokens.sequences = 1;
  const planned plan(cpu_table_kernel(), rotation);
  EXPECT_EQ(plan.apply(memory.call), ROPEWALK_INVALID_ARGUMENT);
  EXPECT_STREQ(plan.error.field, "tokens.sequence_offset");
}

TEST(Refusal, NullsAreAnswered) {
  for (const ropewalk_kernel& kernel : kernels_and_a_fault()) {
    const resolved_encoding resolved({.base = 10000, .rotary_dim = 8}, {.head_dim = 8});
    const ropewalk_rotation encoding = resolved.view();
    ropewalk_plan* plan = nullptr;
    ropewalk_error error{};
    EXPECT_EQ(kernel.plan(nullptr, &plan, &error), ROPEWALK_INVALID_ARGUMENT);
    EXPECT_STREQ(error.field, "encoding");
    EXPECT_EQ(kernel.plan(&encoding.head, nullptr, &error), ROPEWALK_INVALID_ARGUMENT);
    EXPECT_STREQ(error.field, "plan");
    ASSERT_EQ(kernel.plan(&encoding.head, &plan, nullptr), ROPEWALK_OK);
    EXPECT_EQ(kernel.apply(plan, nullptr, &error), ROPEWALK_INVALID_ARGUMENT);
    EXPECT_STREQ(error.field, "call");
    kernel.free_plan(plan);
    kernel.free_plan(nullptr);
  }
}

/// Dense tensors are checked in few steps, which must not miss that they differ.
TEST(Refusal, DenseTensorsThatDifferAreNamed) {
  using call_type = ropewalk_rotation_call;
  const std::vector<mistake<call_type>> mistakes = {
      {"query_out.dtype", [](call_type& c) { c.query_out.dtype = ROPEWALK_F16; }},
      {"query_out.rank",
       [](call_type& c) {
         c.query_out = {c.query_out.data, ROPEWALK_F32, 4, {1, 2, 2, 8}, {32, 16, 8, 1}};
       }},
      {"query_out.shape[0]", [](call_type& c) { c.query_out.shape[0] = 1; }},
      {"query_out.shape[1]", [](call_type& c) { c.query_out.shape[1] = 1; }},
      {"query_in.shape[2]", [](call_type& c) {
         for (ropewalk_tensor* tensor : {&c.query_in, &c.query_out}) tensor->shape[2] = tensor->stride[1] = 4;
       }}};
  std::array<float, 32> from{}, to{};
  const planned plan(cpu_turns_kernel(), rotation_case{});
  for (const auto& mistake : mistakes) {
    auto call = empty_call<rotate>();
    call.query_in = {from.data(), ROPEWALK_F32, 3, {2, 2, 8, 0}, {16, 8, 1, 0}};
    call.query_out = call.query_in;
    call.query_out.data = to.data();
    call.tokens.end = 1;
    ASSERT_EQ(plan.apply(call), ROPEWALK_OK);
    mistake.make(call);
    EXPECT_EQ(plan.apply(call), ROPEWALK_INVALID_ARGUMENT) << mistake.field;
    EXPECT_EQ(plan.error.field, mistake.field);
  }
}

}  // namespace
}  // namespace ropewalk::test
