// A call that writes more than the caches hold gives the same bits as its parts one by one, on every target.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <string_view>
#include <vector>

#include "kernel/fast_rows_case.hpp"
#include "kernel/kernels.hpp"
#include "kernel/rotation_case.hpp"
#include "kernel/simd/simd.hpp"
#include "ropewalk/kernel/tensor.hpp"

namespace ropewalk::test {
namespace {

/// The unit of streaming stores.
struct alignas(simd::stream_alignment) line {
  std::byte bytes[simd::stream_alignment];
};

/// One head per token: 1024 rotated channels and a tail.
class streamed_rotation {
 public:
  streamed_rotation(const ropewalk_kernel& kernel, ropewalk_dtype dtype, pairing in, pairing out)
      : dtype_(dtype),
        tokens_(simd::streamed_bytes / (head_dim * size_of(dtype)) + 2),
        from_(static_cast<std::size_t>(tokens_ * head_dim * size_of(dtype)) / sizeof(line)),
        plan_(kernel, {.encoding = {.base = 10000, .rotary_dim = 1024},
                       .layout = {.head_dim = head_dim, .pairing_in = in, .pairing_out = out},
                       .often = {position, position + 1}}) {
    std::mt19937_64 random(1);
    const std::vector<std::uint64_t> drawn = random_elements(dtype, 4099, random);
    with_format(dtype, [&]<class Float>() {
      for (std::size_t i = 0; i < from_.size() * sizeof(line) / sizeof(Float); ++i)
        ropewalk::store<Float>(from_[0].bytes + i * sizeof(Float),
                               static_cast<bits_of<Float>>(drawn[i % drawn.size()]));
    });
  }

  std::vector<line> turned(std::int64_t tokens_a_call) {
    std::vector<line> r(from_.size());
    ropewalk_rotation_call call = empty_call<rotate>();
    call.query_in = tensor(from_);
    call.query_out = tensor(r);
    call.tokens.positions = given_positions(&position, {0, 0, 0});  // the same for all tokens
    while (call.tokens.end < tokens_) {
      call.tokens.begin = call.tokens.end;
      call.tokens.end = std::min(call.tokens.begin + tokens_a_call, tokens_);
      EXPECT_EQ(plan_.apply(call), ROPEWALK_OK) << plan_.error.text;
    }
    return r;
  }

  std::int64_t tokens() const { return tokens_; }

 private:
  static constexpr int head_dim = 1088;
  static constexpr std::int32_t position = 1000;

  ropewalk_tensor tensor(std::vector<line>& lines) const {
    return {lines.data(), dtype_, 3, {tokens_, 1, head_dim}, {head_dim, head_dim, 1}};
  }

  ropewalk_dtype dtype_;
  std::int64_t tokens_;
  std::vector<line> from_;
  planned plan_;
};

TEST(Streaming, GivesTheBitsOfEachTokenAlone) {
  for (const ropewalk_kernel& kernel : all_kernels()) {
    if (!std::string_view(kernel.name).starts_with("cpu-table-")) continue;
    for (const ropewalk_dtype dtype : all_dtypes)
      for (const pairing in : {pairing::interleaved, pairing::half_split})
        for (const pairing out : {pairing::interleaved, pairing::half_split}) {
          streamed_rotation given(kernel, dtype, in, out);
          const std::vector<line> at_once = given.turned(given.tokens()), each = given.turned(1);
          EXPECT_EQ(std::memcmp(at_once.data(), each.data(), each.size() * sizeof(line)), 0)
              << kernel.name << ' ' << name_of(dtype) << ' ' << name_of(in) << ' ' << name_of(out);
        }
  }
}

TEST(Streaming, GivesTheRowsThatAWalkGivesOneByOne) {
  constexpr rope config{.base = 10000, .rotary_dim = 2048};
  constexpr std::size_t pairs = 1024;
  constexpr std::int64_t rows =
      simd::streamed_bytes / static_cast<std::int64_t>(2 * pairs * sizeof(float)) + 2;
  for (const simd::target* target : simd::targets()) {
    const vector_rows given(config, *target);
    constexpr std::size_t lines = rows * pairs * sizeof(float) / sizeof(line);
    std::vector<line> cos(lines), sin(lines);
    row_walk(given.rows)
        .rows({0, rows}, false, reinterpret_cast<float*>(cos.data()), reinterpret_cast<float*>(sin.data()));
    row_space<float> space(pairs);
    row_walk walk(given.rows);
    for (std::int64_t row = 0; row < rows; ++row) {
      walk.row(row, false, space.cos(), space.sin(), space.undecided());
      const std::size_t at = static_cast<std::size_t>(row) * pairs * sizeof(float) / sizeof(line);
      ASSERT_EQ(std::memcmp(&cos[at], space.cos(), pairs * sizeof(float)), 0) << target->name << ' ' << row;
      ASSERT_EQ(std::memcmp(&sin[at], space.sin(), pairs * sizeof(float)), 0) << target->name << ' ' << row;
    }
  }
}

}  // namespace
}  // namespace ropewalk::test
