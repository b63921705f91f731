// What a call refers to, copies of calls that are made beside each other, and copies of encodings.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "kernel/kernels.hpp"
#include "ropewalk/kernel/resolved.hpp"
#include "ropewalk/law/kernel/kernel_call.hpp"
#include "transport/call_arrays.hpp"
#include "transport/calls_at_once.hpp"
#include "transport/encoding_copy.hpp"
#include "transport/patience.hpp"

namespace ropewalk::transport::calls_test {
namespace {

const call_array* named(const std::vector<call_array>& all, std::string_view name) {
  for (const call_array& array : all)
    if (name == array.name) return &array;
  return nullptr;
}

TEST(CallArrays, ReachFromTheLowestElementToTheHighest) {
  float query[64] = {}, out[64] = {};
  const std::int32_t positions[16] = {};
  ropewalk_rotation_call call = empty_call<rotate>();
  call.query_in = {query + 20, ROPEWALK_F32, 3, {2, 1, 4}, {-10, 7, 2}};
  call.query_out = {out, ROPEWALK_F32, 4, {1, 2, 1, 4}, {99, 8, 99, 1}};
  call.tokens.positions = given_positions(positions, {8, 4, 1}, 2);
  call.tokens.end = 2;
  const std::vector<call_array> arrays = arrays_of(ROPEWALK_ROTATE, call.head);
  const call_array* const in = named(arrays, "query_in");
  ASSERT_NE(in, nullptr);
  EXPECT_EQ(in->begin, reinterpret_cast<std::uintptr_t>(query + 10));
  EXPECT_EQ(in->end, reinterpret_cast<std::uintptr_t>(query + 27));
  EXPECT_FALSE(in->is_output);
  const call_array* const to = named(arrays, "query_out");
  ASSERT_NE(to, nullptr);
  EXPECT_EQ(to->end, reinterpret_cast<std::uintptr_t>(out + 12));
  EXPECT_TRUE(to->is_output);
  const call_array* const at = named(arrays, "positions");
  ASSERT_NE(at, nullptr);
  EXPECT_EQ(at->begin, reinterpret_cast<std::uintptr_t>(positions));
  EXPECT_EQ(at->end,
            reinterpret_cast<std::uintptr_t>(positions + 10));  // of two axes and, without rows, two tokens
  EXPECT_EQ(named(arrays, "key_in"), nullptr);
}

TEST(CallArrays, EmptyTensorsAndAddressesThatAreNoneAreLeftOut) {
  float query[4] = {};
  ropewalk_rotation_call call = empty_call<rotate>();
  call.query_in = {query, ROPEWALK_F32, 3, {0, 1, 4}, {4, 4, 1}};
  EXPECT_EQ(named(arrays_of(ROPEWALK_ROTATE, call.head), "query_in"), nullptr);
  call.query_in.shape[0] = 3;
  call.query_in.stride[0] = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(named(arrays_of(ROPEWALK_ROTATE, call.head), "query_in"), nullptr);
  call.query_in.stride[0] = std::numeric_limits<std::int64_t>::min();
  EXPECT_EQ(named(arrays_of(ROPEWALK_ROTATE, call.head), "query_in"), nullptr);
  call.query_in.stride[0] = 1;
  EXPECT_NE(named(arrays_of(ROPEWALK_ROTATE, call.head), "query_in"), nullptr);
}

/// A call of four tokens whose struct, tensors and positions lie in an area.
struct placed_call {
  placed_call() {
    call = reinterpret_cast<ropewalk_rotation_call*>(area.request());
    *call = empty_call<rotate>();
    in = reinterpret_cast<float*>(area.take(bytes, block_edge::begin));
    out = reinterpret_cast<float*>(area.take(bytes, block_edge::end));
    positions = reinterpret_cast<std::int32_t*>(area.take(4 * sizeof(std::int32_t), block_edge::begin));
    for (int i = 0; i < 32; ++i) in[i] = static_cast<float>(i);
    for (int i = 0; i < 4; ++i) positions[i] = 100 + i;
    call->query_in = {in, ROPEWALK_F32, 3, {4, 1, 8}, {8, 8, 1}};
    call->query_out = {out, ROPEWALK_F32, 3, {4, 1, 8}, {8, 8, 1}};
    call->tokens.positions = given_positions(positions);
    call->tokens.end = 4;
  }
  std::unique_ptr<kept_call> kept() const { return kept_call::of(area, ROPEWALK_ROTATE, call->head); }

  static constexpr std::size_t bytes = 32 * sizeof(float);
  call_area area;
  ropewalk_rotation_call* call;
  float *in, *out;
  std::int32_t* positions;
};

/// A plan of the processor's kernel for heads of 8 channels.
class plan_of_turns {
 public:
  plan_of_turns() {
    const resolved_encoding encoding(rope{.base = 10000, .rotary_dim = 8}, head_layout{8});
    const ropewalk_rotation view = encoding.view();
    EXPECT_EQ(kernel.plan(&view.head, &plan, nullptr), ROPEWALK_OK);
  }
  ~plan_of_turns() { kernel.free_plan(plan); }
  plan_of_turns(const plan_of_turns&) = delete;
  plan_of_turns& operator=(const plan_of_turns&) = delete;

  const ropewalk_kernel kernel = cpu_turns_kernel();
  ropewalk_plan* plan = nullptr;
};

TEST(KeptCall, IsMadeInItsCopyAlone) {
  placed_call call;
  const plan_of_turns turns;
  const auto kept = call.kept();
  ASSERT_TRUE(kept);
  ASSERT_EQ(turns.kernel.apply(turns.plan, &call.call->head, nullptr), ROPEWALK_OK);
  const std::vector<float> wanted(call.out, call.out + 32);
  EXPECT_NE(wanted[0], 0);
  // Neither what the call refers to nor its struct is read again.
  std::memset(call.in, 0, placed_call::bytes);
  std::memset(call.out, 0, placed_call::bytes);
  std::memset(call.positions, 0, 4 * sizeof(std::int32_t));
  call.call->tokens.end = 0;
  const kept_call::answer answer = kept->answer_of(turns.kernel, turns.plan);
  ASSERT_TRUE(answer);
  EXPECT_EQ(call.out[8], 0);
  const auto slot = *call.area.slot_of(reinterpret_cast<const std::byte*>(call.out), placed_call::bytes);
  ASSERT_EQ((*answer)[slot].size(), placed_call::bytes);
  EXPECT_EQ(std::memcmp((*answer)[slot].data(), wanted.data(), placed_call::bytes), 0);
  EXPECT_EQ(kept->answer_of(turns.kernel, turns.plan), answer);
}

TEST(KeptCall, IsNoneOfMemoryElsewhereOrOfAMebibyte) {
  placed_call call;
  float outside[32] = {};
  call.call->query_in.data = outside;
  EXPECT_FALSE(call.kept());
  call.call->query_in.data = call.in;
  EXPECT_TRUE(call.kept());
  call.call->query_in.stride[0] = 1 << 20;
  EXPECT_FALSE(call.kept());
}

TEST(KeptCall, IsTheSameByteForByte) {
  placed_call call;
  const auto first = call.kept(), same = call.kept();
  EXPECT_TRUE(first->is_same(*same));
  call.in[31] += 1;
  EXPECT_FALSE(first->is_same(*call.kept()));
}

std::atomic<int> inside = 0, asked = 0;

/// Answers with the number of threads in it, or with the number of calls so far.
template <bool CountsCalls>
std::int32_t answer_by_count(const ropewalk_plan*, const ropewalk_head* head, ropewalk_error*) {
  ++inside;
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  const auto& call = *reinterpret_cast<const ropewalk_rotation_call*>(head);
  *static_cast<float*>(call.query_out.data) = static_cast<float>(CountsCalls ? ++asked : inside.load());
  --inside;
  return ROPEWALK_OK;
}

TEST(CallsAtOnce, AreAnsweredAsAlone) {
  placed_call call;
  const plan_of_turns turns;
  calls_at_once calls;
  EXPECT_FALSE(calls.take(turns.kernel, turns.plan, call.kept()));  // there is no other one
  EXPECT_FALSE(calls.take(turns.kernel, turns.plan, call.kept()));
  call.in[3] += 1;
  ASSERT_TRUE(calls.take(turns.kernel, turns.plan, call.kept()));
  EXPECT_FALSE(calls.differ(turns.kernel, turns.plan));
  ropewalk_kernel counting = turns.kernel;
  counting.apply = answer_by_count<false>;
  ASSERT_TRUE(calls.take(counting, turns.plan, call.kept()));
  EXPECT_TRUE(calls.differ(counting, turns.plan));
}

TEST(CallsAtOnce, AKernelThatAnswersOtherwiseEachTimeIsNotAskedTwiceAtOnce) {
  placed_call call;
  const plan_of_turns turns;
  ropewalk_kernel counting = turns.kernel;
  counting.apply = answer_by_count<true>;
  calls_at_once calls;
  EXPECT_FALSE(calls.take(counting, turns.plan, call.kept()));
  call.in[3] += 1;
  EXPECT_FALSE(calls.take(counting, turns.plan, call.kept()));
}

TEST(EncodingCopy, HasEveryArrayInMemoryOfItsOwn) {
  const resolved_encoding encoding(rope{.base = 10000, .rotary_dim = 16}, head_layout{20});
  ropewalk_rotation rotation = encoding.view();
  const std::int32_t axis[] = {0, 1, 0, 1, 0, 1, 0, 1};
  rotation.axis = axis;
  rotation.config_json = "{\"rope_theta\": 10000}";
  const encoding_copy copy(rotation.head);
  const auto& made = reinterpret_cast<const ropewalk_rotation&>(copy.head());
  EXPECT_EQ(made.head_dim, 20);
  EXPECT_NE(made.inv_freq, rotation.inv_freq);
  EXPECT_NE(made.axis, axis);
  EXPECT_EQ(std::memcmp(made.inv_freq, rotation.inv_freq, 8 * sizeof(double)), 0);
  EXPECT_EQ(std::memcmp(made.turns, rotation.turns, 32 * sizeof(std::uint32_t)), 0);
  EXPECT_EQ(std::memcmp(made.turns_256, rotation.turns_256, 64 * sizeof(std::uint32_t)), 0);
  EXPECT_EQ(std::memcmp(made.axis, axis, sizeof axis), 0);
  EXPECT_STREQ(made.config_json, rotation.config_json);
  rotation.axis = nullptr;
  rotation.config_json = nullptr;
  const encoding_copy without(rotation.head);
  EXPECT_EQ(reinterpret_cast<const ropewalk_rotation&>(without.head()).axis, nullptr);
  EXPECT_EQ(reinterpret_cast<const ropewalk_rotation&>(without.head()).config_json, nullptr);
}

TEST(Patience, EndsAfterThreeSilencesOrThirtyDeaths) {
  patience silent, dying;
  for (int i = 0; i < 3; ++i) {
    EXPECT_NO_THROW(silent.require_left());
    silent.count(true);
  }
  EXPECT_THROW(silent.require_left(), no_answer);
  for (int i = 0; i < 30; ++i) {
    EXPECT_NO_THROW(dying.require_left());
    dying.count(false);
  }
  EXPECT_THROW(dying.require_left(), no_answer);
}

}  // namespace
}  // namespace ropewalk::transport::calls_test
