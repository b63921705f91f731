// Memory that is shared with a library's process: where its blocks lie, and what lies beside them.

#include "transport/call_area.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "ropewalk/law/kernel/mapped_memory.hpp"
#include "ropewalk/law/kernel/tensor_memory.hpp"

namespace ropewalk::transport {
namespace {

/// Whether this process can read a byte; the system answers instead of a signal.
bool is_readable(const void* byte) {
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  const bool readable = ::write(ends[1], byte, 1) == 1;
  for (const int end : ends) ::close(end);
  return readable;
}

/// The area as the laws use it.
class memory_of_area : public call_memory {
 public:
  std::byte* take(std::size_t bytes, block_edge edge) override {
    first = area.take(bytes, edge);
    last = first + bytes;
    return first;
  }
  void give_back(std::byte* block, std::size_t bytes) noexcept override { area.give_back(block, bytes); }
  bool is_zero(const std::byte* block, std::size_t bytes) override { return area.is_zero(block, bytes); }

  call_area area;
  std::byte* first = nullptr;
  std::byte* last = nullptr;
};

TEST(CallArea, NothingLiesBeyondTheEdgeOfABlock) {
  call_area area;
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{4096}, std::size_t{100'001}}) {
    std::byte* const at_begin = area.take(bytes, block_edge::begin);
    EXPECT_FALSE(is_readable(at_begin - 1));
    EXPECT_TRUE(is_readable(at_begin + bytes - 1));
    std::byte* const at_end = area.take(bytes, block_edge::end);
    EXPECT_TRUE(is_readable(at_end));
    EXPECT_FALSE(is_readable(at_end + bytes));
    area.give_back(at_begin, bytes);
    area.give_back(at_end, bytes);
  }
}

TEST(CallArea, EachBlockIsNewAndZero) {
  call_area area;
  for (const std::size_t bytes : {std::size_t{500}, std::size_t{1} << 20}) {
    for (int round = 0; round < 3; ++round) {
      std::byte* const block = area.take(bytes, block_edge::end);
      EXPECT_TRUE(area.is_zero(block, bytes));
      std::memset(block, 0xff, bytes);
      EXPECT_FALSE(area.is_zero(block, bytes));
      area.give_back(block, bytes);
    }
  }
  std::vector<std::byte*> all;
  EXPECT_THROW(
      for (;;) {
        all.push_back(area.take(64, block_edge::begin));
        EXPECT_EQ(std::count(all.begin(), all.end(), all.back()), 1);
      },
      case_set_aside);
  EXPECT_GE(all.size(), 5u);  // two tensors in, two out, and positions
}

TEST(CallArea, AByteInALargeBlockIsFound) {
  call_area area;
  constexpr std::size_t bytes = std::size_t{1} << 35;
  std::byte* const block = area.take(bytes, block_edge::begin);
  EXPECT_TRUE(area.is_zero(block, bytes));
  block[bytes - 12345] = std::byte{1};
  EXPECT_FALSE(area.is_zero(block, bytes));
  EXPECT_TRUE(area.is_zero(block, bytes - 12345));
  area.give_back(block, bytes);
  EXPECT_THROW(area.take(std::size_t{1} << 37, block_edge::begin), case_set_aside);
}

TEST(CallArea, WhatMayNotBeWrittenCannotBe) {
  call_area area;
  std::byte* const first = area.take(8, block_edge::end);
  std::byte* const other = area.take(8, block_edge::begin);
  const std::size_t always = 100, behind = 2 * static_cast<std::size_t>(page_bytes);
  area.forbid_writes(always);
  {
    const write_permission of_one(first, 8);
    *first = *area.request() = std::byte{1};
    EXPECT_EXIT(*other = std::byte{1}, testing::KilledBySignal(SIGSEGV), "");
  }
  EXPECT_EQ(*other, std::byte{0});  // may be read
  EXPECT_EXIT(area.request()[behind] = std::byte{1}, testing::KilledBySignal(SIGSEGV), "");
  EXPECT_EXIT(*first = std::byte{2}, testing::KilledBySignal(SIGSEGV), "");
  const write_permission of_other(other, 8);
  *other = std::byte{2};
}

TEST(CallArea, NobodyMakesItShorter) {
  const call_area area;
  EXPECT_NE(::ftruncate(area.descriptor(), 0), 0);
  EXPECT_NE(::ftruncate(area.descriptor(), ::lseek(area.descriptor(), 0, SEEK_END) + 4096), 0);
}

TEST(CallArea, AreasDoNotMeet) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "the thread sanitizer often leaves addresses for one area alone";
#endif
  const call_area a, b;
  EXPECT_FALSE(a.holds(b.request()));
  EXPECT_FALSE(b.holds(a.request()));
  EXPECT_EQ(a.slot_of(a.request() + 100, 100), call_area::request_slot);
  EXPECT_EQ(a.slot_of(a.request() - 1, 1), std::nullopt);
  EXPECT_EQ(a.slot_of(a.request(), std::size_t{1} << 40), std::nullopt);
  EXPECT_EQ(a.slot_of(nullptr, 1), std::nullopt);
  EXPECT_EQ(a.slot_of(b.request(), 1), std::nullopt);
}

/// Every layout of a tensor: its elements lie in the block, and one of its ends is an edge, but for the bytes
/// that move it off an aligned address.
TEST(CallArea, ATensorEndsWhereItsMemoryDoes) {
  memory_of_area memory;
  law_case test_case;
  test_case.batch = 2;
  test_case.tokens = 3;
  test_case.query_heads = 2;
  test_case.head_dim = 6;
  test_case.positions.assign(6, 0);
  for (const ropewalk_dtype dtype : {ROPEWALK_F64, ROPEWALK_F32, ROPEWALK_F16})
    for (const int unaligned : {0, 1, 2, 4, 8, 24})
      for (const std::uint32_t reversed : {0u, 5u, 10u, 15u})
        for (const block_edge edge : {block_edge::begin, block_edge::end}) {
          test_case.dtype = dtype;
          const tensor_layout layout{
              .gap = 3, .channel_step = 2, .reversed = reversed, .unaligned = unaligned};
          const head_range all{0, test_case.query_heads};
          tensor_memory tensor(test_case, test_case.query_heads, layout, false, &memory, edge);
          const std::vector<std::uint64_t> elements(72, 0x3c);
          tensor.write(all, elements);
          EXPECT_EQ(tensor.read(all), elements);
          std::int64_t lowest = 0, highest = 0;
          for (int axis = 0; axis < 4; ++axis) {
            const std::int64_t reach = (tensor.view(all).shape[axis] - 1) * tensor.view(all).stride[axis];
            (reach < 0 ? lowest : highest) += reach * size_of(dtype);
          }
          const auto* const data = static_cast<const std::byte*>(tensor.view(all).data);
          const std::int64_t before = data + lowest - memory.first,
                             after = memory.last - (data + highest + size_of(dtype));
          EXPECT_EQ(reinterpret_cast<std::uintptr_t>(data) % static_cast<unsigned>(size_of(dtype)),
                    static_cast<unsigned>(unaligned) % static_cast<unsigned>(size_of(dtype)));
          if (edge == block_edge::begin)
            EXPECT_EQ(before, unaligned);
          else
            EXPECT_TRUE(after >= 0 && after < size_of(dtype)) << after;
        }
}

}  // namespace
}  // namespace ropewalk::transport
