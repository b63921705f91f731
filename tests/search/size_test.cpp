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

law_case numbered(const checked_rotation& held, ropewalk_dtype dtype, std::uint64_t seed,
                  std::int64_t number) {
  return draw_size(dice(rc::Random(seed)), domain_of(rotation_laws::sizes, held, dtype), number);
}

std::vector<law_case> all_sizes(const checked_rotation& held, ropewalk_dtype dtype, std::uint64_t seed) {
  std::vector<law_case> r;
  const size_counts sizes = count_sizes(domain_of(rotation_laws::sizes, held, dtype));
  for (std::int64_t number = 0; number < sizes.all; ++number)
    r.push_back(numbered(held, dtype, seed, number));
  return r;
}

std::int64_t heads_in(const law_case& given) { return given.batch * given.tokens * given.query_heads; }

std::int64_t extent_of(const law_case& given) {
  return std::max(placed(given, given.query_heads, given.query_in).extent,
                  placed(given, given.query_heads, given.query_out).extent);
}

bool has_any(const std::vector<law_case>& sizes, const std::function<bool(const law_case&)>& is_wanted) {
  return std::any_of(sizes.begin(), sizes.end(), is_wanted);
}

TEST(Sizes, HeadsThatTurnInPartKeepTheirRotaryDim) {
  static const ropewalk_kernel table = cpu_table_kernel();
  const checked_rotation held(table, promise::canonical, plain_encoding, head_layout{128}, {},
                              asked_calls{}.beside(table));
  for (const law_case& one : all_sizes(held, ROPEWALK_F32, 1))
    if (one.head_dim == 128) {
      EXPECT_EQ(one.rotary_dim, 0);
    }
}

TEST(Sizes, AreThoseThatKernelsSwitchOn) {
  const checked_rotation held = beside_table(cpu_table_kernel());
  for (const ropewalk_dtype dtype : all_dtypes) {
    std::vector<law_case> sizes = all_sizes(held, dtype, 1);
    EXPECT_GE(heads_in(sizes.back()), std::int64_t{1} << 20);
    sizes.pop_back();
    std::set<int> head_dims;
    for (const law_case& one : sizes) {
      head_dims.insert(one.rotary_dim);
      EXPECT_LT(heads_in(one), std::int64_t{1} << 17);
    }
    for (const int head_dim : {40, 64, 72, 80, 96, 128, 192, 256, 512})
      EXPECT_TRUE(head_dims.contains(head_dim));
    for (const std::int64_t heads : {64, 128})
      EXPECT_TRUE(has_any(sizes, [&](const law_case& one) {
        return one.query_heads == heads && heads_in(one) > (heads == 64 ? 1 << 14 : 1 << 16);
      }));
    EXPECT_TRUE(has_any(sizes, [](const law_case& one) { return one.tokens > 1 << 16; }));
    EXPECT_TRUE(has_any(sizes, [](const law_case& one) { return extent_of(one) > std::int64_t{1} << 31; }));
    EXPECT_TRUE(has_any(sizes, [](const law_case& one) {
      return std::abs(one.position_step) * (one.tokens - 1) > std::int64_t{1} << 31;
    }));
    for (std::int64_t law_case::*extent : {&law_case::batch, &law_case::tokens, &law_case::query_heads})
      EXPECT_TRUE(has_any(sizes, [&](const law_case& one) { return one.*extent == 0; }));
    EXPECT_TRUE(has_any(sizes, [](const law_case& one) { return one.sequence_offset.size() > 256; }));
    EXPECT_TRUE(has_any(sizes, [](const law_case& one) { return one.query_heads > 256; }));
    // The first few sizes include one of many tokens.
    EXPECT_TRUE(has_any({sizes.begin(), sizes.begin() + 4},
                        [](const law_case& one) { return one.tokens > 1 << 16; }));
    EXPECT_TRUE(has_any(sizes, [](const law_case& one) { return one.query_in.unaligned > 16; }));
  }
}

TEST(Sizes, TakeAtMostAGibibyte) {
  const checked_rotation held = beside_table(cpu_table_kernel());
  constexpr std::int64_t gibibyte = std::int64_t{1} << 30;
  for (const ropewalk_dtype dtype : all_dtypes)
    for (const law_case& one : all_sizes(held, dtype, 1)) {
      const bool is_largest = heads_in(one) >= 1 << 20;
      EXPECT_LE(detail::bytes_of(one), is_largest ? gibibyte : gibibyte / 2) << text_of(one);
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
  const checked_rotation held = beside_table(kernel);
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    for (const law_case& one : all_sizes(held, ROPEWALK_F32, seed)) {
      EXPECT_TRUE(held.served().allow(one)) << text_of(one);
      EXPECT_TRUE(one.sequence_offset.empty());
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
  const checked_rotation held = beside_table(kernel);
  const std::vector<law_case> sizes = all_sizes(held, ROPEWALK_F32, 1);
  ASSERT_EQ(sizes.size(), 3u);
  EXPECT_EQ(heads_in(sizes.front()), 2 * 512 * 8);
  for (const law_case& one : sizes) EXPECT_TRUE(measure(rotation_laws::sizes, held, one).holds);
}

TEST(Sizes, AreTheSameForTheSameSeed) {
  const checked_rotation held = beside_table(cpu_turns_kernel());
  EXPECT_EQ(all_sizes(held, ROPEWALK_F16, 3), all_sizes(held, ROPEWALK_F16, 3));
}

TEST(Sizes, HoldWithAndWithoutAnotherKernel) {
  const checked_rotation beside = beside_table(cpu_turns_kernel());
  const checked_rotation alone(cpu_turns_kernel(), promise::canonical, plain_encoding, plain_layout);
  for (std::int64_t number = 1;
       number < count_sizes(domain_of(rotation_laws::sizes, beside, ROPEWALK_F32)).all; ++number) {
    const law_case given = numbered(beside, ROPEWALK_F32, 4, number);
    const measurement m = measure(rotation_laws::sizes, beside, given);
    EXPECT_TRUE(m.holds) << text_of(given) << m.trouble;
    EXPECT_GT(m.compared, 0) << text_of(given);
    EXPECT_FALSE(m.declined) << text_of(given);
    if (heads_in(given) >= 1 << 14) continue;
    EXPECT_TRUE(measure(rotation_laws::sizes, alone, given).holds) << text_of(given);
  }
}

const ropewalk_kernel& fault_called(std::string_view name) {
  const auto faults = fault::fault_kernels();
  return *std::find_if(faults.begin(), faults.end(), [&](const auto& one) { return one.name == name; });
}

/// The first size that a kernel fails at; none where it does not.
std::optional<counterexample> first_failure(const checked_rotation& held, std::uint64_t seed) {
  const std::int64_t usual = count_sizes(domain_of(rotation_laws::sizes, held, ROPEWALK_F32)).usual;
  for (std::int64_t number = 0; number < usual; ++number) {
    const law_case given = numbered(held, ROPEWALK_F32, seed, number);
    const measurement m = measure(rotation_laws::sizes, held, given);
    if (!m.holds) return counterexample{given, given, m, number};
  }
  return std::nullopt;
}

constexpr const char* size_faults[] = {"fault-grid", "fault-head-192", "fault-offset-32"};

TEST(Sizes, AloneCatchFaultsOfSize) {
  for (const char* name : size_faults) {
    const checked_rotation held = beside_table(fault_called(name));
    for (std::uint64_t seed = 1; seed <= (is_in_full() ? 5 : 2); ++seed)
      EXPECT_TRUE(first_failure(held, seed)) << name << ", seed " << seed;
    for (const auto& other : rotation_laws::all) {
      if (other.needs.sizes || !other.applies(held)) continue;
      const outcome found = search(other, held, ROPEWALK_F32, 1, {30, 30}, goes_on);
      EXPECT_TRUE(found.holds()) << name << ", " << other.name;
    }
  }
}

/// The first failure, shrunk.
counterexample smallest_failure(const checked_rotation& held) {
  outcome found = search(rotation_laws::sizes, held, ROPEWALK_F32, 1, {27, 27}, goes_on);
  EXPECT_TRUE(found.failure);
  if (!found.failure) return {};
  shrink(rotation_laws::sizes, held, 1, *found.failure, goes_on);
  EXPECT_FALSE(measure(rotation_laws::sizes, held, found.failure->smallest).holds);
  return *found.failure;
}

/// cpu-table, limited to the first 65,535 heads of a call: quick, unlike fault-grid.
ropewalk_kernel kernel_of_a_grid() {
  ropewalk_kernel r = cpu_table_kernel();
  r.apply = [](const ropewalk_plan* plan, const ropewalk_head* head, ropewalk_error* error) -> std::int32_t {
    auto call = read_struct<ropewalk_rotation_call>(head, ROPEWALK_ROTATE, "call");
    const std::int64_t heads = std::max<std::int64_t>(call.query_in.shape[call.query_in.rank - 2], 1);
    call.tokens.end = std::min(call.tokens.end, call.tokens.begin + 65535 / heads);
    return cpu_table_kernel().apply(plan, &call.head, error);
  };
  return r;
}

TEST(Sizes, OfAGridAreShrunkToTheFirstHeadLeftOut) {
  const checked_rotation held = beside_table(kernel_of_a_grid());
  const counterexample found = smallest_failure(held);
  EXPECT_GE(heads_in(found.smallest), 65536) << text_of(found.smallest);
  EXPECT_LT(heads_in(found.smallest), 65536 + 128) << text_of(found.smallest);
  EXPECT_EQ(found.smallest.key_heads, 0);
}

/// cpu-table, which skips the last token of a call whose tokens span 2^31 elements or more.
ropewalk_kernel kernel_of_short_offsets() {
  ropewalk_kernel r = cpu_table_kernel();
  r.apply = [](const ropewalk_plan* plan, const ropewalk_head* head, ropewalk_error* error) -> std::int32_t {
    auto call = read_struct<ropewalk_rotation_call>(head, ROPEWALK_ROTATE, "call");
    const int axis = call.query_in.rank - 3;
    for (const ropewalk_tensor& one : {call.query_in, call.query_out})
      if ((one.shape[axis] - 1) * std::abs(one.stride[axis]) >= std::int64_t{1} << 31)
        call.tokens.end = std::max(call.tokens.end - 1, call.tokens.begin);
    return cpu_table_kernel().apply(plan, &call.head, error);
  };
  return r;
}

TEST(Sizes, OfAViewReachPastAnInt) {
  const checked_rotation held = beside_table(fault_called("fault-offset-32"));
  auto failure = first_failure(held, 1);
  ASSERT_TRUE(failure);
  EXPECT_GT(extent_of(failure->smallest), std::int64_t{1} << 31);
}

TEST(Sizes, OfFarElementsBecomeAListOfFew) {
  const checked_rotation held = beside_table(kernel_of_short_offsets());
  const counterexample found = smallest_failure(held);
  const law_case& smallest = found.smallest;
  EXPECT_EQ(smallest.fill, 0u);
  EXPECT_LE(heads_in(smallest), 4) << text_of(smallest);
  EXPECT_GT(extent_of(smallest), std::int64_t{1} << 31) << text_of(smallest);
}

/// cpu-table, followed by After(call).
template <auto After>
ropewalk_kernel table_followed_by() {
  ropewalk_kernel r = cpu_table_kernel();
  r.apply = [](const ropewalk_plan* plan, const ropewalk_head* head, ropewalk_error* error) -> std::int32_t {
    const std::int32_t status = cpu_table_kernel().apply(plan, head, error);
    After(read_struct<ropewalk_rotation_call>(head, ROPEWALK_ROTATE, "call"));
    return status;
  };
  return r;
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
  asked_calls asked = asked_calls{}.beside(table);
  asked.context = context;
  return {kernel, promise::canonical, plain_encoding, plain_layout, {}, asked};
}

TEST(Sizes, AskForEachPositionOfAContextOnce) {
  for (const std::int64_t context : {std::int64_t{1000}, std::int64_t{40960}, std::int64_t{1} << 20}) {
    const checked_rotation held = asked_each_position(cpu_table_kernel(), context);
    const std::int64_t positions = std::min(context, most_positions_at_once);
    const std::int64_t last = count_sizes(domain_of(rotation_laws::sizes, held, ROPEWALK_F32)).usual - 1;
    for (std::uint64_t seed = 1; seed < 6; ++seed) {
      law_case given = numbered(held, ROPEWALK_F32, seed, last);
      EXPECT_EQ(given.tokens, positions);
      std::sort(given.positions.begin(), given.positions.end());
      for (std::size_t i = 1; i < given.positions.size(); ++i)
        ASSERT_EQ(given.positions[i], given.positions[i - 1] + 1);
      EXPECT_GE(given.positions.front(), 0);
      EXPECT_LT(given.positions.back(), context);
    }
  }
  const checked_rotation held = asked_each_position(cpu_table_kernel(), 0);
  EXPECT_FALSE(has_any(all_sizes(held, ROPEWALK_F32, 1),
                       [](const law_case& one) { return one.tokens > 10000 && one.rotary_dim == 0; }));
}

TEST(Sizes, OfEachDimensionAreDrawnAtAndBeyondPowersOfTwo) {
  const checked_rotation held = asked_each_position(cpu_table_kernel(), 1000);
  using extent = std::int64_t law_case::*;
  for (const extent one : {&law_case::tokens, &law_case::batch, &law_case::query_heads, &law_case::key_heads})
    for (int power = 1; power <= 16; ++power)
      for (const std::int64_t beyond : {0, 1}) {
        bool is_drawn = false;
        const std::int64_t usual = count_sizes(domain_of(rotation_laws::sizes, held, ROPEWALK_F32)).usual;
        for (std::uint64_t seed = 1; seed < 400 && !is_drawn; ++seed)
          for (std::int64_t number = usual - 13; number < usual - 1 && !is_drawn; ++number)
            is_drawn = numbered(held, ROPEWALK_F32, seed, number).*one == (std::int64_t{1} << power) + beyond;
        EXPECT_TRUE(is_drawn) << power << " " << beyond;
      }
}

TEST(Sizes, OfAContextFindTheOnePositionThatIsWrong) {
  const checked_rotation held = asked_each_position(table_followed_by<change_one_position>(), 1 << 17);
  const std::int64_t usual = count_sizes(domain_of(rotation_laws::sizes, held, ROPEWALK_F32)).usual;
  outcome found = search(rotation_laws::sizes, held, ROPEWALK_F32, 1, {usual, usual}, goes_on);
  ASSERT_TRUE(found.failure);
  shrink(rotation_laws::sizes, held, 1, *found.failure, goes_on);
  EXPECT_EQ(found.failure->smallest.positions, std::vector<double>{wrong_position})
      << text_of(found.failure->smallest);
}

TEST(Sizes, SeeAHeadThatCrossesAPageLeftAlone) {
  constexpr auto zero_what_crosses = [](const ropewalk_rotation_call& call) {
    auto* const first = static_cast<unsigned char*>(call.query_out.data);
    const auto before_end = 4096 - reinterpret_cast<std::uintptr_t>(first) % 4096;
    if (has_elements(call.query_out) && before_end % 4 != 0 && before_end < 256) std::memset(first, 0, 4);
  };
  const checked_rotation held = beside_table(table_followed_by<zero_what_crosses>());
  bool is_seen = false;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) is_seen = is_seen || first_failure(held, seed);
  EXPECT_TRUE(is_seen);
}

TEST(Sizes, SeeAWriteFarFromEveryElement) {
  constexpr auto write_far_away = [](const ropewalk_rotation_call& call) {
    const std::int64_t far = call.query_out.stride[call.query_out.rank - 2];
    if (has_elements(call.query_out) && far > std::int64_t{1} << 29)
      static_cast<unsigned char*>(call.query_out.data)[1 << 20] = 1;
  };
  const checked_rotation held = beside_table(table_followed_by<write_far_away>());
  std::optional<counterexample> found;
  for (std::uint64_t seed = 1; seed <= 5 && !found; ++seed) found = first_failure(held, seed);
  ASSERT_TRUE(found);
  EXPECT_NE(found->measured.trouble.find("outside the tensor's elements"), std::string::npos);
}

TEST(Sizes, SeeACallForNoTokensThatWrites) {
  constexpr auto write_always = [](const ropewalk_rotation_call& call) {
    if (call.tokens.begin == call.tokens.end && has_elements(call.query_out))
      std::memset(call.query_out.data, 0, 4);
  };
  const checked_rotation held = beside_table(table_followed_by<write_always>());
  const auto found = first_failure(held, 1);
  ASSERT_TRUE(found);
  EXPECT_NE(found->measured.trouble.find("a call for no tokens"), std::string::npos);
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
  const law_case given = numbered(honest, ROPEWALK_F32, 1, 5);
  const measurement right = measure(rotation_laws::sizes, honest, given);
  EXPECT_TRUE(right.holds);
  EXPECT_GT(right.compared, given.tokens * given.query_heads * given.head_dim / 2);
  EXPECT_LT(right.worst, 1);
  EXPECT_FALSE(measure(rotation_laws::sizes, nudged, given).holds);
}

TEST(Sizes, ThatTheMachineCannotHoldAreSetAside) {
  EXPECT_THROW(mapped_memory(std::int64_t{1} << 50, true, nullptr), case_set_aside);
}

TEST(Sizes, ElementsFollowFromASeedAndTheirPlace) {
  law_case given;
  given.head_dim = 8;
  given.tokens = 2;
  given.positions = {0, 1};
  given.fill = 7;
  law_case first = given;
  first.tokens = 1;
  first.positions = {0};
  const law_case both = with_listed_elements(given), one = with_listed_elements(first);
  EXPECT_EQ(both.fill, 0u);
  EXPECT_EQ(both.query.size(), 16u);
  EXPECT_TRUE(std::equal(one.query.begin(), one.query.end(), both.query.begin()));
  EXPECT_EQ(std::set<std::uint64_t>(both.query.begin(), both.query.end()).size(), 16u);
}

}  // namespace
}  // namespace ropewalk::search
