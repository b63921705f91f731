#pragma once
// Comparison of a Vulkan kernel with a CPU kernel, output by output.

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

#include "kernel/one_tensor_call.hpp"
#include "ropewalk/kernel/tensor.hpp"

namespace ropewalk::test {

/// Random positions of every magnitude and both signs.
inline std::vector<std::int32_t> random_positions(std::size_t count, std::mt19937_64& random) {
  std::vector<std::int32_t> positions(count);
  for (std::int32_t& position : positions) {
    const auto magnitude = static_cast<std::int32_t>(random() >> (33 + random() % 31));
    position = random() % 2 == 0 ? magnitude : -magnitude - 1;
  }
  return positions;
}

/// Applies both kernels to a tensor [tokens, heads, channels] of random bit patterns.
///
/// shape   positions [tokens]; returns the number of outputs that differ
template <class Encoding>
std::int64_t different_outputs(const ropewalk_kernel& a, const ropewalk_kernel& b, const Encoding& encoding,
                               ropewalk_dtype dtype, const std::vector<std::int32_t>& positions,
                               std::int64_t heads, std::int64_t channels, std::mt19937_64& random) {
  const auto tokens = static_cast<std::int64_t>(positions.size());
  const std::size_t bytes = static_cast<std::size_t>(tokens * heads * channels * size_of(dtype));
  std::vector<std::uint64_t> in((bytes + 7) / 8), of_a(in.size()), of_b(in.size());
  for (std::uint64_t& word : in) word = random();
  const ropewalk_tensor from{in.data(), dtype, 3, {tokens, heads, channels}, {heads * channels, channels, 1}};
  ropewalk_tokens all{};
  all.positions = given_positions(positions.data());
  all.end = tokens;
  for (const auto& [kernel, out] : {std::pair{&a, &of_a}, {&b, &of_b}}) {
    ropewalk_tensor to = from;
    to.data = out->data();
    const planned plan(*kernel, encoding);
    EXPECT_EQ(plan.apply(one_tensor_call(encoding, all, from, to)), ROPEWALK_OK) << plan.error.text;
  }
  std::int64_t r = 0;
  with_format(dtype, [&]<class Float>() {
    for (std::size_t i = 0; i < bytes; i += sizeof(bits_of<Float>)) {
      const auto number = load<Float>(reinterpret_cast<const std::byte*>(of_a.data()) + i),
                 other = load<Float>(reinterpret_cast<const std::byte*>(of_b.data()) + i);
      r += same_bits<Float>(number, other) ? 0 : 1;
    }
  });
  return r;
}

}  // namespace ropewalk::test
