// Calls as engines make them: a kernel that is wrong in one kind of call alone fails at the default number of
// cases.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "kernel/kernels.hpp"
#include "ropewalk/kernel/floating_environment.hpp"
#include "ropewalk/kernel/operation.hpp"
#include "ropewalk/law/rotation_laws.hpp"
#include "search/schedule.hpp"
#include "search/search.hpp"

namespace ropewalk::engine_calls_test {
namespace {

const std::atomic<bool> is_stopped{false};

const rope example_encoding{.base = 10000, .rotary_dim = 16};
constexpr head_layout example_layout{24};
constexpr std::int64_t max_positions = 163'840;  // DeepSeek's: no power of two

/// What a law finds at the default number of cases of one dtype, from one seed.
search::outcome found_by(const law<checked_rotation>& law, const ropewalk_kernel& kernel, promise promised,
                         std::uint64_t seed) {
  rotated_model model;
  model.max_positions = max_positions;
  const checked_rotation checked(kernel, promised, example_encoding, example_layout, model);
  return search::search(law, checked, ROPEWALK_F32, seed, {200, 200}, is_stopped);
}

/// cpu-table, with one wrong bit in the first element of the query in every call for which Spoils(call).
template <auto Spoils>
ropewalk_kernel wrong_where() {
  ropewalk_kernel kernel = cpu_table_kernel();
  kernel.apply = [](const ropewalk_plan* plan, const ropewalk_head* head,
                    ropewalk_error* error) -> std::int32_t {
    const std::int32_t status = cpu_table_kernel().apply(plan, head, error);
    if (status != ROPEWALK_OK) return status;
    const auto call = read_struct<ropewalk_rotation_call>(head, ROPEWALK_ROTATE, "call");
    const int tokens = call.query_in.rank - 3;
    if (call.query_in.shape[tokens] > 0 && call.tokens.begin == 0 && Spoils(call))
      static_cast<std::byte*>(call.query_out.data)[2] ^= std::byte{0x40};
    return status;
  };
  return kernel;
}

bool is_in_place(const ropewalk_tensor& in, const ropewalk_tensor& out) { return in.data == out.data; }

/// Whether the key's heads lie behind the query's in one row of each token.
bool is_fused(const ropewalk_rotation_call& call) {
  const ropewalk_tensor &query = call.query_in, &key = call.key_in;
  const int heads = query.rank - 2;
  return key.data == static_cast<const std::byte*>(query.data) + query.shape[heads] * query.stride[heads] * 4;
}

void expect_seen(const ropewalk_kernel& kernel) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed)
    EXPECT_FALSE(found_by(rotation_laws::canonical, kernel, promise::canonical, seed).holds()) << seed;
}

/// For calls so rare that one law may draw none: all laws together, as `ropewalk verify` asks them.
void expect_seen_by_some_law(const ropewalk_kernel& kernel) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    EXPECT_TRUE(std::any_of(rotation_laws::all.begin(), rotation_laws::all.end(),
                            [&](const law<checked_rotation>& law) {
                              const std::uint64_t own_seed =
                                  search::job_seed(seed, "", ROPEWALK_F32, law.name);
                              return found_by(law, kernel, promise::canonical, own_seed).failure.has_value();
                            }))
        << seed;
}

TEST(EngineCalls, TheKeyAloneIsInPlace) {
  expect_seen(wrong_where<[](const ropewalk_rotation_call& call) {
    return call.key_in.data != nullptr && is_in_place(call.key_in, call.key_out) &&
           !is_in_place(call.query_in, call.query_out);
  }>());
}

TEST(EngineCalls, TheQueryAloneIsInPlace) {
  expect_seen(wrong_where<[](const ropewalk_rotation_call& call) {
    return call.key_in.data != nullptr && !is_in_place(call.key_in, call.key_out) &&
           is_in_place(call.query_in, call.query_out);
  }>());
}

TEST(EngineCalls, QueryAndKeyAreViewsOfOneRow) {
  expect_seen(wrong_where<[](const ropewalk_rotation_call& call) {
    return is_fused(call) && is_in_place(call.query_in, call.query_out);
  }>());
  expect_seen(wrong_where<[](const ropewalk_rotation_call& call) {
    return is_fused(call) && !is_in_place(call.query_in, call.query_out);
  }>());
}

/// Whether the first token lies at the position.
template <std::int64_t Position>
bool begins_at(const ropewalk_rotation_call& call) {
  const ropewalk_positions& positions = call.tokens.positions;
  return positions.kind == ROPEWALK_POSITIONS_I32 &&
         *static_cast<const std::int32_t*>(positions.data) == Position;
}

TEST(EngineCalls, APositionAtTheEndOfTheModelsContext) {
  expect_seen_by_some_law(wrong_where<begins_at<max_positions - 1>>());
  expect_seen_by_some_law(wrong_where<begins_at<max_positions>>());
}

bool has_more_than_64_tokens(const ropewalk_rotation_call& call) {
  const int tokens = call.query_in.rank - 3;
  return tokens >= 0 && call.query_in.shape[tokens] > 64;
}

/// Heads are wide, so that no other call has so many tokens.
TEST(EngineCalls, MoreTokensThanABlockHolds) {
  const checked_rotation kernel(wrong_where<has_more_than_64_tokens>(), promise::canonical,
                                {.base = 10000, .rotary_dim = 128}, head_layout{128});
  for (const auto* law : {&rotation_laws::canonical, &rotation_laws::prefill_decode})
    for (std::uint64_t seed = 1; seed <= 5; ++seed)
      EXPECT_TRUE(search::search(*law, kernel, ROPEWALK_F32, seed, {40, 40}, is_stopped).failure)
          << law->name << ", " << seed;
}

bool has_71_query_heads_per_key_head(const ropewalk_rotation_call& call) {
  const int heads = call.query_in.rank - 2;
  return call.key_in.data != nullptr && call.key_in.shape[heads] != 0 &&
         call.query_in.shape[heads] == 71 * call.key_in.shape[heads];
}

TEST(EngineCalls, APublishedRatioOfQueryHeadsToKeyHeads) {
  expect_seen_by_some_law(wrong_where<has_71_query_heads_per_key_head>());
}

TEST(EngineCalls, AKernelWithoutBitsMustLeaveItsCallersEnvironmentToo) {
  ropewalk_kernel kernel = cpu_table_kernel();
  kernel.apply = [](const ropewalk_plan* plan, const ropewalk_head* head,
                    ropewalk_error* error) -> std::int32_t {
    const std::int32_t status = cpu_table_kernel().apply(plan, head, error);
    const auto call = read_struct<ropewalk_rotation_call>(head, ROPEWALK_ROTATE, "call");
    if (call.key_in.data == nullptr) write_floating_registers(default_floating_registers());
    return status;
  };
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const search::outcome outcome = found_by(rotation_laws::accuracy, kernel, promise::rounded_table, seed);
    ASSERT_TRUE(outcome.failure) << seed;
    EXPECT_EQ(outcome.failure->measured.trouble, "the kernel changed the floating environment of its caller");
  }
}

}  // namespace
}  // namespace ropewalk::engine_calls_test
