// The law of sizes: which sizes are drawn, what it alone catches, and how small a failing one becomes.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "fault/faults.hpp"
#include "kernel/kernels.hpp"
#include "oracle/in_full.hpp"
#include "ropewalk/law/kernel/case_elements.hpp"
#include "ropewalk/law/kernel/mapped_memory.hpp"
#include "ropewalk/law/kernel/measure.hpp"
#include "ropewalk/law/kernel/sized_call.hpp"
#include "ropewalk/law/rotation_laws.hpp"
#include "search/search.hpp"
#include "search/size_cases.hpp"

namespace ropewalk::search {
namespace {

const std::atomic<bool> goes_on{false};
const rope plain_encoding{.base = 10000, .rotary_dim = 64};
constexpr head_layout plain_layout{64};

/// A kernel, with cpu-table to compare it with.
checked_rotation beside_table(const ropewalk_kernel& kernel, promise promised = promise::canonical) {
  static const ropewalk_kernel table = cpu_table_kernel();
  return {kernel, promised, plain_encoding, plain_layout, {}, asked_calls{}.beside(table)};
}

law_case numbered(const checked_rotation& kernel, ropewalk_dtype dtype, std::uint64_t seed,
                  std::int64_t number) {
  return draw_size(dice(rc::Random(seed)), domain_of(rotation_laws::sizes, kernel, dtype), number);
}

std::vector<law_case> all_sizes(const checked_rotation& kernel, ropewalk_dtype dtype, std::uint64_t seed) {
  std::vector<law_case> test_cases;
  const size_counts sizes = count_sizes(domain_of(rotation_laws::sizes, kernel, dtype));
  for (std::int64_t number = 0; number < sizes.all; ++number)
    test_cases.push_back(numbered(kernel, dtype, seed, number));
  return test_cases;
}

std::int64_t heads_in(const law_case& test_case) {
  return test_case.batch * test_case.tokens * test_case.query_heads;
}

std::int64_t extent_of(const law_case& test_case) {
  return std::max(placed(test_case, test_case.query_heads, test_case.query_in).extent,
                  placed(test_case, test_case.query_heads, test_case.query_out).extent);
}

bool has_any(const std::vector<law_case>& sizes, const std::function<bool(const law_case&)>& is_wanted) {
  return std::any_of(sizes.begin(), sizes.end(), is_wanted);
}

TEST(Sizes, HeadsThatTurnInPartKeepTheirRotaryDim) {
  static const ropewalk_kernel table = cpu_table_kernel();
  const checked_rotation kernel(table, promise::canonical, plain_encoding, head_layout{128}, {},
                                asked_calls{}.beside(table));
  for (const law_case& size : all_sizes(kernel, ROPEWALK_F32, 1))
    if (size.head_dim == 128) {
      EXPECT_EQ(size.rotary_dim, 0);
    }
}

TEST(Sizes, AreThoseThatKernelsSwitchOn) {
  const checked_rotation kernel = beside_table(cpu_table_kernel());
  for (const ropewalk_dtype dtype : all_dtypes) {
    std::vector<law_case> sizes = all_sizes(kernel, dtype, 1);
    EXPECT_GE(heads_in(sizes.back()), std::int64_t{1} << 20);
    sizes.pop_back();
    std::set<int> head_dims;
    for (const law_case& size : sizes) {
      head_dims.insert(size.rotary_dim);
      EXPECT_LT(heads_in(size), std::int64_t{1} << 17);
    }
    for (const int head_dim : {40, 64, 72, 80, 96, 128, 192, 256, 512})
      EXPECT_TRUE(head_dims.contains(head_dim));
    for (const std::int64_t heads : {64, 128})
      EXPECT_TRUE(has_any(sizes, [&](const law_case& test_case) {
        return test_case.query_heads == heads && heads_in(test_case) > (heads == 64 ? 1 << 14 : 1 << 16);
      }));
    EXPECT_TRUE(has_any(sizes, [](const law_case& test_case) { return test_case.tokens > 1 << 16; }));
    EXPECT_TRUE(has_any(
        sizes, [](const law_case& test_case) { return extent_of(test_case) > std::int64_t{1} << 31; }));
    EXPECT_TRUE(has_any(sizes, [](const law_case& test_case) {
      return std::abs(test_case.position_step) * (test_case.tokens - 1) > std::int64_t{1} << 31;
    }));
    for (std::int64_t law_case::*extent : {&law_case::batch, &law_case::tokens, &law_case::query_heads})
      EXPECT_TRUE(has_any(sizes, [&](const law_case& test_case) { return test_case.*extent == 0; }));
    EXPECT_TRUE(
        has_any(sizes, [](const law_case& test_case) { return test_case.sequence_offset.size() > 256; }));
    EXPECT_TRUE(has_any(sizes, [](const law_case& test_case) { return test_case.query_heads > 256; }));
    // The first few sizes include one of many tokens.
    EXPECT_TRUE(has_any({sizes.begin(), sizes.begin() + 4},
                        [](const law_case& test_case) { return test_case.tokens > 1 << 16; }));
    EXPECT_TRUE(has_any(sizes, [](const law_case& test_case) { return test_case.query_in.unaligned > 16; }));
  }
}

TEST(Sizes, TakeAtMostAGibibyte) {
  const checked_rotation kernel = beside_table(cpu_table_kernel());
  constexpr std::int64_t gibibyte = std::int64_t{1} << 30;
  for (const ropewalk_dtype dtype : all_dtypes)
    for (const law_case& size : all_sizes(kernel, dtype, 1)) {
      const bool is_largest = heads_in(size) >= 1 << 20;
      EXPECT_LE(detail::bytes_of(size), is_largest ? gibibyte : gibibyte / 2) << text_of(size);
    }
}

TEST(Sizes, StayWithinWhatAKernelServes) {
  static constexpr std::int32_t head_dims[] = {64, 128};
  static constexpr ropewalk_limits limits{.struct_size = sizeof(ropewalk_limits),
                                          .dtypes = 1u << ROPEWALK_F32,
                                          .pairings = 0,
                                          .not_served = ROPEWALK_DENSE | ROPEWALK_NO_KEY | ROPEWALK_NO_UNIT,
                                          .head_dims = head_dims,
                                          .head_dim_count = 2,
                                          .axes = 1,
                                          .position_begin = 5,
                                          .position_end = 4096,
                                          .shapes = nullptr,
                                          .shape_count = 0,
                                          .forms = 0,
                                          .position_kinds = 0};
  ropewalk_kernel kernel = cpu_table_kernel();
  kernel.limits = &limits;
  const checked_rotation checked = beside_table(kernel);
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    for (const law_case& size : all_sizes(checked, ROPEWALK_F32, seed)) {
      EXPECT_TRUE(checked.served().allow(size)) << text_of(size);
      EXPECT_TRUE(size.sequence_offset.empty());
    }
}

TEST(Sizes, AreTheListedShapesWhereAKernelListsThem) {
  static constexpr std::int64_t shapes[][4] = {{1, 4, 2, 64}, {2, 512, 8, 64}, {1, 16, 2, 128}};
  static constexpr ropewalk_limits limits{.struct_size = sizeof(ropewalk_limits),
                                          .dtypes = 0,
                                          .pairings = 0,
                                          .not_served = 0,
                                          .head_dims = nullptr,
                                          .head_dim_count = 0,
                                          .axes = 0,
                                          .position_begin = 0,
                                          .position_end = 0,
                                          .shapes = shapes,
                                          .shape_count = 3,
                                          .forms = 0,
                                          .position_kinds = 0};
  ropewalk_kernel kernel = cpu_turns_kernel();
  kernel.limits = &limits;
  const checked_rotation checked = beside_table(kernel);
  const std::vector<law_case> sizes = all_sizes(checked, ROPEWALK_F32, 1);
  ASSERT_EQ(sizes.size(), 3u);
  EXPECT_EQ(heads_in(sizes.front()), 2 * 512 * 8);
  for (const law_case& size : sizes) EXPECT_TRUE(measure(rotation_laws::sizes, checked, size).holds);
}

TEST(Sizes, AreTheSameForTheSameSeed) {
  const checked_rotation kernel = beside_table(cpu_turns_kernel());
  EXPECT_EQ(all_sizes(kernel, ROPEWALK_F16, 3), all_sizes(kernel, ROPEWALK_F16, 3));
}

TEST(Sizes, HoldWithAndWithoutAnotherKernel) {
  const checked_rotation beside = beside_table(cpu_turns_kernel());
  const checked_rotation alone(cpu_turns_kernel(), promise::canonical, plain_encoding, plain_layout);
  for (std::int64_t number = 1;
       number < count_sizes(domain_of(rotation_laws::sizes, beside, ROPEWALK_F32)).all; ++number) {
    const law_case test_case = numbered(beside, ROPEWALK_F32, 4, number);
    const measurement measured = measure(rotation_laws::sizes, beside, test_case);
    EXPECT_TRUE(measured.holds) << text_of(test_case) << measured.trouble;
    EXPECT_GT(measured.compared, 0) << text_of(test_case);
    EXPECT_FALSE(measured.declined) << text_of(test_case);
    if (heads_in(test_case) >= 1 << 14) continue;
    EXPECT_TRUE(measure(rotation_laws::sizes, alone, test_case).holds) << text_of(test_case);
  }
}

const ropewalk_kernel& fault_called(std::string_view name) {
  const auto faults = fault::fault_kernels();
  return *std::find_if(faults.begin(), faults.end(), [&](const auto& item) { return item.name == name; });
}

/// The first size that a kernel fails at; none where it does not.
std::optional<counterexample> first_failure(const checked_rotation& kernel, std::uint64_t seed) {
  const std::int64_t usual = count_sizes(domain_of(rotation_laws::sizes, kernel, ROPEWALK_F32)).usual;
  for (std::int64_t number = 0; number < usual; ++number) {
    const law_case test_case = numbered(kernel, ROPEWALK_F32, seed, number);
    const measurement measured = measure(rotation_laws::sizes, kernel, test_case);
    if (!measured.holds) return counterexample{test_case, test_case, measured, number};
  }
  return std::nullopt;
}

constexpr const char* size_faults[] = {"fault-grid", "fault-head-192", "fault-offset-32"};

TEST(Sizes, AloneCatchFaultsOfSize) {
  for (const char* name : size_faults) {
    const checked_rotation kernel = beside_table(fault_called(name));
    for (std::uint64_t seed = 1; seed <= (is_in_full() ? 5 : 2); ++seed)
      EXPECT_TRUE(first_failure(kernel, seed)) << name << ", seed " << seed;
    for (const auto& other : rotation_laws::all) {
      if (other.needs.sizes || !other.applies(kernel)) continue;
      const outcome outcome = search(other, kernel, ROPEWALK_F32, 1, {30, 30}, goes_on);
      EXPECT_TRUE(outcome.holds()) << name << ", " << other.name;
    }
  }
}

/// The first failure, shrunk.
counterexample smallest_failure(const checked_rotation& kernel) {
  outcome outcome = search(rotation_laws::sizes, kernel, ROPEWALK_F32, 1, {27, 27}, goes_on);
  EXPECT_TRUE(outcome.failure);
  if (!outcome.failure) return {};
  shrink(rotation_laws::sizes, kernel, 1, *outcome.failure, goes_on);
  EXPECT_FALSE(measure(rotation_laws::sizes, kernel, outcome.failure->smallest).holds);
  return *outcome.failure;
}

/// cpu-table, limited to the first 65,535 heads of a call: quick, unlike fault-grid.
ropewalk_kernel kernel_of_a_grid() {
  ropewalk_kernel kernel = cpu_table_kernel();
  kernel.apply = [](const ropewalk_plan* plan, const ropewalk_head* head,
                    ropewalk_error* error) -> std::int32_t {
    auto call = read_struct<ropewalk_rotation_call>(head, ROPEWALK_ROTATE, "call");
    const std::int64_t heads = std::max<std::int64_t>(call.query_in.shape[call.query_in.rank - 2], 1);
    call.tokens.end = std::min(call.tokens.end, call.tokens.begin + 65535 / heads);
    return cpu_table_kernel().apply(plan, &call.head, error);
  };
  return kernel;
}

TEST(Sizes, OfAGridAreShrunkToTheFirstHeadLeftOut) {
  const checked_rotation kernel = beside_table(kernel_of_a_grid());
  const counterexample counterexample = smallest_failure(kernel);
  EXPECT_GE(heads_in(counterexample.smallest), 65536) << text_of(counterexample.smallest);
  EXPECT_LT(heads_in(counterexample.smallest), 65536 + 128) << text_of(counterexample.smallest);
  EXPECT_EQ(counterexample.smallest.key_heads, 0);
}

/// cpu-table, which skips the last token of a call whose tokens span 2^31 elements or more.
ropewalk_kernel kernel_of_short_offsets() {
  ropewalk_kernel kernel = cpu_table_kernel();
  kernel.apply = [](const ropewalk_plan* plan, const ropewalk_head* head,
                    ropewalk_error* error) -> std::int32_t {
    auto call = read_struct<ropewalk_rotation_call>(head, ROPEWALK_ROTATE, "call");
    const int axis = call.query_in.rank - 3;
    for (const ropewalk_tensor& tensor : {call.query_in, call.query_out})
      if ((tensor.shape[axis] - 1) * std::abs(tensor.stride[axis]) >= std::int64_t{1} << 31)
        call.tokens.end = std::max(call.tokens.end - 1, call.tokens.begin);
    return cpu_table_kernel().apply(plan, &call.head, error);
  };
  return kernel;
}

TEST(Sizes, OfAViewReachPastAnInt) {
  const checked_rotation kernel = beside_table(fault_called("fault-offset-32"));
  auto failure = first_failure(kernel, 1);
  ASSERT_TRUE(failure);
  EXPECT_GT(extent_of(failure->smallest), std::int64_t{1} << 31);
}

TEST(Sizes, OfFarElementsBecomeAListOfFew) {
  const checked_rotation kernel = beside_table(kernel_of_short_offsets());
  const counterexample counterexample = smallest_failure(kernel);
  const law_case& smallest = counterexample.smallest;
  EXPECT_EQ(smallest.fill, 0u);
  EXPECT_LE(heads_in(smallest), 4) << text_of(smallest);
  EXPECT_GT(extent_of(smallest), std::int64_t{1} << 31) << text_of(smallest);
}

/// cpu-table, followed by After(call).
template <auto After>
ropewalk_kernel table_followed_by() {
  ropewalk_kernel kernel = cpu_table_kernel();
  kernel.apply = [](const ropewalk_plan* plan, const ropewalk_head* head,
                    ropewalk_error* error) -> std::int32_t {
    const std::int32_t status = cpu_table_kernel().apply(plan, head, error);
    After(read_struct<ropewalk_rotation_call>(head, ROPEWALK_ROTATE, "call"));
    return status;
  };
  return kernel;
}

bool has_elements(const ropewalk_tensor& tensor) {
  return std::all_of(tensor.shape, tensor.shape + tensor.rank,
                     [](std::int64_t extent) { return extent > 0; });
}

constexpr std::int32_t wrong_position = 77'777;

void change_one_position(const ropewalk_rotation_call& call) {
  const ropewalk_positions& at = call.tokens.positions;
  if (at.kind != ROPEWALK_POSITIONS_I32 || call.query_out.rank != 4) return;
  for (std::int64_t row = 0; row < call.query_out.shape[0]; ++row)
    for (std::int64_t token = 0; token < call.query_out.shape[1]; ++token)
      if (static_cast<const std::int32_t*>(at.data)[row * at.stride[1] + token * at.stride[2]] ==
          wrong_position)
        static_cast<std::uint32_t*>(
            call.query_out.data)[row * call.query_out.stride[0] + token * call.query_out.stride[1]] ^= 1;
}

/// A kernel that is asked for each position of a context.
checked_rotation asked_each_position(const ropewalk_kernel& kernel, std::int64_t context) {
  static const ropewalk_kernel table = cpu_table_kernel();
  asked_calls calls = asked_calls{}.beside(table);
  calls.context = context;
  return {kernel, promise::canonical, plain_encoding, plain_layout, {}, calls};
}

TEST(Sizes, AskForEachPositionOfAContextOnce) {
  for (const std::int64_t context : {std::int64_t{1000}, std::int64_t{40960}, std::int64_t{1} << 20}) {
    const checked_rotation kernel = asked_each_position(cpu_table_kernel(), context);
    const std::int64_t positions = std::min(context, most_positions_at_once);
    const std::int64_t last = count_sizes(domain_of(rotation_laws::sizes, kernel, ROPEWALK_F32)).usual - 1;
    for (std::uint64_t seed = 1; seed < 6; ++seed) {
      law_case test_case = numbered(kernel, ROPEWALK_F32, seed, last);
      EXPECT_EQ(test_case.tokens, positions);
      std::sort(test_case.positions.begin(), test_case.positions.end());
      for (std::size_t i = 1; i < test_case.positions.size(); ++i)
        ASSERT_EQ(test_case.positions[i], test_case.positions[i - 1] + 1);
      EXPECT_GE(test_case.positions.front(), 0);
      EXPECT_LT(test_case.positions.back(), context);
    }
  }
  const checked_rotation kernel = asked_each_position(cpu_table_kernel(), 0);
  EXPECT_FALSE(has_any(all_sizes(kernel, ROPEWALK_F32, 1), [](const law_case& tested) {
    return tested.tokens > 10000 && tested.rotary_dim == 0;
  }));
}

TEST(Sizes, OfEachDimensionAreDrawnAtAndBeyondPowersOfTwo) {
  const checked_rotation kernel = asked_each_position(cpu_table_kernel(), 1000);
  using extent = std::int64_t law_case::*;
  for (const extent wide :
       {&law_case::tokens, &law_case::batch, &law_case::query_heads, &law_case::key_heads})
    for (int power = 1; power <= 16; ++power)
      for (const std::int64_t beyond : {0, 1}) {
        bool is_drawn = false;
        const std::int64_t usual = count_sizes(domain_of(rotation_laws::sizes, kernel, ROPEWALK_F32)).usual;
        for (std::uint64_t seed = 1; seed < 400 && !is_drawn; ++seed)
          for (std::int64_t number = usual - 13; number < usual - 1 && !is_drawn; ++number)
            is_drawn =
                numbered(kernel, ROPEWALK_F32, seed, number).*wide == (std::int64_t{1} << power) + beyond;
        EXPECT_TRUE(is_drawn) << power << " " << beyond;
      }
}

TEST(Sizes, OfAContextFindTheOnePositionThatIsWrong) {
  const checked_rotation kernel = asked_each_position(table_followed_by<change_one_position>(), 1 << 17);
  const std::int64_t usual = count_sizes(domain_of(rotation_laws::sizes, kernel, ROPEWALK_F32)).usual;
  outcome outcome = search(rotation_laws::sizes, kernel, ROPEWALK_F32, 1, {usual, usual}, goes_on);
  ASSERT_TRUE(outcome.failure);
  shrink(rotation_laws::sizes, kernel, 1, *outcome.failure, goes_on);
  EXPECT_EQ(outcome.failure->smallest.positions, std::vector<double>{wrong_position})
      << text_of(outcome.failure->smallest);
}

TEST(Sizes, SeeAHeadThatCrossesAPageLeftAlone) {
  constexpr auto zero_what_crosses = [](const ropewalk_rotation_call& call) {
    auto* const first = static_cast<unsigned char*>(call.query_out.data);
    const auto before_end = 4096 - reinterpret_cast<std::uintptr_t>(first) % 4096;
    if (has_elements(call.query_out) && before_end % 4 != 0 && before_end < 256) std::memset(first, 0, 4);
  };
  const checked_rotation kernel = beside_table(table_followed_by<zero_what_crosses>());
  bool is_seen = false;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) is_seen = is_seen || first_failure(kernel, seed);
  EXPECT_TRUE(is_seen);
}

TEST(Sizes, SeeAWriteFarFromEveryElement) {
  constexpr auto write_far_away = [](const ropewalk_rotation_call& call) {
    const std::int64_t far = call.query_out.stride[call.query_out.rank - 2];
    if (has_elements(call.query_out) && far > std::int64_t{1} << 29)
      static_cast<unsigned char*>(call.query_out.data)[1 << 20] = 1;
  };
  const checked_rotation kernel = beside_table(table_followed_by<write_far_away>());
  std::optional<counterexample> counterexample;
  for (std::uint64_t seed = 1; seed <= 5 && !counterexample; ++seed)
    counterexample = first_failure(kernel, seed);
  ASSERT_TRUE(counterexample);
  EXPECT_NE(counterexample->measured.trouble.find("outside the tensor's elements"), std::string::npos);
}

TEST(Sizes, SeeACallForNoTokensThatWrites) {
  constexpr auto write_always = [](const ropewalk_rotation_call& call) {
    if (call.tokens.begin == call.tokens.end && has_elements(call.query_out))
      std::memset(call.query_out.data, 0, 4);
  };
  const checked_rotation kernel = beside_table(table_followed_by<write_always>());
  const auto counterexample = first_failure(kernel, 1);
  ASSERT_TRUE(counterexample);
  EXPECT_NE(counterexample->measured.trouble.find("a call for no tokens"), std::string::npos);
}

/// The nudged kernel adds more to the first element than the bound of rounded-table allows.
TEST(Sizes, HoldABoundedKernelToBothBounds) {
  constexpr auto nudge = [](const ropewalk_rotation_call& call) {
    const ropewalk_tensor& out = call.query_out;
    if (out.dtype != ROPEWALK_F32 || !has_elements(out)) return;
    float element = 0;
    std::memcpy(&element, out.data, sizeof element);
    element += element * 0x1p-20F + 0x1p-20F;
    std::memcpy(out.data, &element, sizeof element);
  };
  const checked_rotation honest = beside_table(cpu_table_kernel(), promise::rounded_table);
  const checked_rotation nudged = beside_table(table_followed_by<nudge>(), promise::rounded_table);
  const law_case test_case = numbered(honest, ROPEWALK_F32, 1, 5);
  const measurement right = measure(rotation_laws::sizes, honest, test_case);
  EXPECT_TRUE(right.holds);
  EXPECT_GT(right.compared, test_case.tokens * test_case.query_heads * test_case.head_dim / 2);
  EXPECT_LT(right.worst, 1);
  EXPECT_FALSE(measure(rotation_laws::sizes, nudged, test_case).holds);
}

TEST(Sizes, ThatTheMachineCannotHoldAreSetAside) {
  EXPECT_THROW(mapped_memory(std::int64_t{1} << 50, true, nullptr), case_set_aside);
}

TEST(Sizes, ElementsFollowFromASeedAndTheirPlace) {
  law_case test_case;
  test_case.head_dim = 8;
  test_case.tokens = 2;
  test_case.positions = {0, 1};
  test_case.fill = 7;
  law_case first = test_case;
  first.tokens = 1;
  first.positions = {0};
  const law_case both = with_listed_elements(test_case), tested = with_listed_elements(first);
  EXPECT_EQ(both.fill, 0u);
  EXPECT_EQ(both.query.size(), 16u);
  EXPECT_TRUE(std::equal(tested.query.begin(), tested.query.end(), both.query.begin()));
  EXPECT_EQ(std::set<std::uint64_t>(both.query.begin(), both.query.end()).size(), 16u);
}

}  // namespace
}  // namespace ropewalk::search
