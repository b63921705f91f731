// A call that writes more than the caches hold gives the same bits as its parts one by one, on every target.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <string_view>
#include <vector>

#include "kernel/fast_rows_case.hpp"
#include "kernel/kernels.hpp"
#include "kernel/one_tensor_call.hpp"
#include "kernel/rotation_case.hpp"
#include "kernel/simd/simd.hpp"
#include "oracle/in_full.hpp"
#include "ropewalk/kernel/resolved_alibi.hpp"
#include "ropewalk/kernel/resolved_sinusoidal.hpp"
#include "ropewalk/kernel/tensor.hpp"

namespace ropewalk::test {
namespace {

/// The unit of streaming stores.
struct alignas(simd::stream_alignment) line {
  std::byte bytes[simd::stream_alignment];
};

std::vector<line> random_lines(ropewalk_dtype dtype, std::size_t count) {
  std::vector<line> lines(count);
  std::mt19937_64 random(1);
  const std::vector<std::uint64_t> drawn = random_elements(dtype, 4099, random);
  with_format(dtype, [&]<class Float>() {
    for (std::size_t i = 0; i < count * sizeof(line) / sizeof(Float); ++i)
      ropewalk::store<Float>(lines[0].bytes + i * sizeof(Float),
                             static_cast<bits_of<Float>>(drawn[i % drawn.size()]));
  });
  return lines;
}

/// Applies a plan to so many tokens a call, until all are done.
template <class Call>
void apply_in_parts(const planned& plan, Call call, std::int64_t tokens_per_call) {
  const std::int64_t tokens = call.tokens.end;
  for (call.tokens.end = 0; call.tokens.end < tokens;) {
    call.tokens.begin = call.tokens.end;
    call.tokens.end = std::min(call.tokens.begin + tokens_per_call, tokens);
    ASSERT_EQ(plan.apply(call), ROPEWALK_OK) << plan.error.text;
  }
}

/// One head per token, and a tail of channels that do not rotate.
class streamed_rotation {
 public:
  streamed_rotation(const ropewalk_kernel& kernel, ropewalk_dtype dtype, pairing in, pairing out,
                    int rotary_dim = 1024)
      : dtype_(dtype),
        tokens_(simd::streamed_bytes / (head_dim * size_of(dtype)) + 2),
        from_(random_lines(dtype,
                           static_cast<std::size_t>(tokens_ * head_dim * size_of(dtype)) / sizeof(line))),
        plan_(kernel, {.encoding = {.base = 10000, .rotary_dim = rotary_dim},
                       .layout = {.head_dim = head_dim, .pairing_in = in, .pairing_out = out},
                       .often = {position, position + 1}}) {}

  std::vector<line> turned(std::int64_t tokens_per_call) {
    std::vector<line> lines(from_.size());
    ropewalk_rotation_call call = empty_call<rotate>();
    call.query_in = tensor(from_);
    call.query_out = tensor(lines);
    call.tokens.positions = given_positions(&position, {0, 0, 0});  // the same for all tokens
    call.tokens.end = tokens_;
    apply_in_parts(plan_, call, tokens_per_call);
    return lines;
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

// A sample keeps the pairing; `./dev prove` changes it too.
TEST(Streaming, GivesTheBitsOfEachTokenAlone) {
  for (const ropewalk_kernel& kernel : all_kernels()) {
    if (!std::string_view(kernel.name).starts_with("cpu-table-")) continue;
    for (const ropewalk_dtype dtype : all_dtypes)
      for (const pairing in : {pairing::interleaved, pairing::half_split})
        for (const pairing out : {pairing::interleaved, pairing::half_split}) {
          if (in != out && !is_in_full()) continue;
          streamed_rotation rotation(kernel, dtype, in, out);
          const std::vector<line> at_once = rotation.turned(rotation.tokens()), each = rotation.turned(1);
          EXPECT_EQ(std::memcmp(at_once.data(), each.data(), each.size() * sizeof(line)), 0)
              << kernel.name << ' ' << name_of(dtype) << ' ' << name_of(in) << ' ' << name_of(out);
        }
  }
}

// Heads begin where streaming stores may, and their second halves do not.
TEST(Streaming, HalvesOfHeadsAreAlignedOrNotStreamed) {
  for (const ropewalk_dtype dtype : all_dtypes) {
    streamed_rotation rotation(cpu_table_kernel(), dtype, pairing::half_split, pairing::half_split, 1042);
    const std::vector<line> at_once = rotation.turned(rotation.tokens()), each = rotation.turned(1);
    EXPECT_EQ(std::memcmp(at_once.data(), each.data(), each.size() * sizeof(line)), 0) << name_of(dtype);
  }
}

/// Expects of a call that streams, at positions 0 to 31 over and over, what its tokens give one by one.
template <class Encoding>
void expect_added_alike(const ropewalk_kernel& kernel, const Encoding& encoding, ropewalk_dtype dtype,
                        std::int64_t heads, std::int64_t channels) {
  const std::int64_t token_bytes = heads * channels * size_of(dtype);
  const std::int64_t count = (simd::streamed_bytes + token_bytes - 1) / token_bytes;
  std::vector<std::int32_t> positions;
  for (std::int32_t i = 0; i < count; ++i) positions.push_back(i % 32);
  std::vector<line> from = random_lines(dtype, static_cast<std::size_t>(count * token_bytes) / sizeof(line));
  std::vector<line> at_once(from.size()), each(from.size());
  ropewalk_tensor in{from.data(), dtype, 3, {count, heads, channels}, {heads * channels, channels, 1}};
  ropewalk_tokens tokens{};
  tokens.end = count;
  tokens.positions = given_positions(positions.data());
  const planned plan(kernel, encoding);
  ropewalk_tensor out = in;
  out.data = at_once.data();
  apply_in_parts(plan, one_tensor_call(encoding, tokens, in, out), count);
  out.data = each.data();
  apply_in_parts(plan, one_tensor_call(encoding, tokens, in, out), 1);
  EXPECT_EQ(std::memcmp(at_once.data(), each.data(), each.size() * sizeof(line)), 0)
      << kernel.name << ' ' << name_of(dtype);
}

TEST(Streaming, GivesTheSumsOfEachTokenAlone) {
  constexpr int width = 1088, heads = 2, keys = 2112;
  const resolved_sinusoidal rows({.d_model = width}, {0, 32});
  const resolved_alibi biases({.heads = heads});
  for (const ropewalk_kernel& kernel : all_addition_kernels())
    for (const ropewalk_dtype dtype : {ROPEWALK_F32, ROPEWALK_F16, ROPEWALK_BF16}) {
      if (std::string_view(kernel.name).starts_with("cpu-sinusoidal-add-"))
        expect_added_alike(kernel, rows.view(), dtype, 1, width);
      if (std::string_view(kernel.name).starts_with("cpu-alibi-add-"))
        expect_added_alike(kernel, biases.view(), dtype, heads, keys);
    }
}

TEST(Streaming, GivesTheRowsThatAWalkGivesOneByOne) {
  constexpr rope config{.base = 10000, .rotary_dim = 2048};
  constexpr std::size_t pairs = 1024;
  constexpr std::int64_t rows =
      simd::streamed_bytes / static_cast<std::int64_t>(2 * pairs * sizeof(float)) + 2;
  for (const simd::target* target : simd::targets()) {
    const vector_rows simd_rows(config, *target);
    constexpr std::size_t lines = rows * pairs * sizeof(float) / sizeof(line);
    std::vector<line> cos(lines), sin(lines);
    row_walk(simd_rows.rows)
        .rows({0, rows}, false, reinterpret_cast<float*>(cos.data()), reinterpret_cast<float*>(sin.data()));
    row_space<float> space(pairs);
    row_walk walk(simd_rows.rows);
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
