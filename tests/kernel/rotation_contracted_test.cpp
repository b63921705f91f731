// The mirror under hostile flags: this file alone is compiled with -O3 -march=native -ffp-contract=fast. The
// mirror must still agree with constant evaluation, which no flag affects, and with single operations through
// memory.

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <random>

#include "ropewalk/kernel/floating_environment.hpp"
#include "ropewalk/kernel/rotation.hpp"

namespace ropewalk {
namespace {

constexpr std::size_t known_count = 256;

struct known_pair {
  std::uint64_t x0, x1, c, s;
};

/// Pseudorandom bits from a counter: any exponent, subnormals and NaNs included.
constexpr std::uint64_t scrambled(std::uint64_t counter) {
  counter = (counter ^ (counter >> 31)) * 0x9e3779b97f4a7c15;
  counter = (counter ^ (counter >> 29)) * 0xbf58476d1ce4e5b9;
  return counter ^ (counter >> 32);
}

constexpr known_pair known(std::size_t i) {
  return {scrambled(4 * i + 1), scrambled(4 * i + 2), scrambled(4 * i + 3), scrambled(4 * i + 4)};
}

/// A number near 1, so that every rounding matters, or with `any` arbitrary bits.
template <floating_format Float>
constexpr bits_of<Float> near_one(std::uint64_t random, bool any) {
  using traits = format<Float>;
  if (any) return static_cast<bits_of<Float>>(random);
  const auto exponent = static_cast<std::uint64_t>(traits::bias - static_cast<int>(random >> 62));
  return static_cast<bits_of<Float>>((random & (traits::fraction_mask | traits::sign_bit)) |
                                     (exponent << (traits::precision - 1)));
}

template <floating_format Float>
[[gnu::always_inline]] constexpr bits_pair<Float> rotated(const known_pair& pair, bool any) {
  using wide = rotation_format<Float>;
  return rotate_pair<Float>({near_one<Float>(pair.x0, any), near_one<Float>(pair.x1, any)},
                            {near_one<wide>(pair.c, any), near_one<wide>(pair.s, any)});
}

template <floating_format Float>
constexpr auto at_compile_time = [] {
  std::array<bits_pair<Float>, known_count> pairs{};
  for (std::size_t i = 0; i < known_count; ++i) pairs[i] = rotated<Float>(known(i), i % 8 == 0);
  return pairs;
}();

/// Everything is inlined here, so that no other file's copy of the mirror can be linked in its place.
template <floating_format Float>
[[gnu::flatten, gnu::noinline]] void run(const known_pair* pair, bits_pair<Float>* out) {
  for (std::size_t i = 0; i < known_count; ++i) out[i] = rotated<Float>(pair[i], i % 8 == 0);
}

template <class Float>
class RotationContracted : public ::testing::Test {};
using all_formats = ::testing::Types<double, float, binary16, bfloat16>;
TYPED_TEST_SUITE(RotationContracted, all_formats);

TYPED_TEST(RotationContracted, RunTimeGivesTheBitsOfConstantEvaluation) {
  std::array<known_pair, known_count> pairs{};
  for (std::size_t i = 0; i < known_count; ++i) pairs[i] = known(i);
  std::array<bits_pair<TypeParam>, known_count> got{};
  run<TypeParam>(pairs.data(), got.data());
  for (std::size_t i = 0; i < known_count; ++i) ASSERT_EQ(got[i], at_compile_time<TypeParam>[i]) << i;
}

#if defined(__x86_64__)
TYPED_TEST(RotationContracted, NoFloatingEnvironmentChangesTheBits) {
  std::array<known_pair, known_count> pairs{};
  for (std::size_t i = 0; i < known_count; ++i) pairs[i] = known(i);
  // FTZ and DAZ; up; down; toward zero.
  for (const std::uint64_t mxcsr : {0x9fc0u, 0x5f80u, 0x3f80u, 0x7f80u}) {
    std::array<bits_pair<TypeParam>, known_count> got{};
    const floating_registers saved = read_floating_registers();
    write_floating_registers({mxcsr, 0});
    run<TypeParam>(pairs.data(), got.data());
    write_floating_registers(saved);
    for (std::size_t i = 0; i < known_count; ++i) ASSERT_EQ(got[i], at_compile_time<TypeParam>[i]) << i;
  }
}
#endif

/// One operation at a time, each result stored: nothing is left to fuse.
template <class Float>
bits_pair<Float> by_single_operations(bits_pair<Float> x, bits_pair<Float> entry) {
  const volatile Float x0 = from_bits<Float>(x.first), x1 = from_bits<Float>(x.second);
  const volatile Float c = from_bits<Float>(entry.first), s = from_bits<Float>(entry.second);
  const volatile Float x0c = x0 * c, x1s = x1 * s, x0s = x0 * s, x1c = x1 * c;
  const volatile Float y0 = x0c - x1s, y1 = x0s + x1c;
  return {to_bits<Float>(y0), to_bits<Float>(y1)};
}

template <class Float>
void expect_single_operations(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  for (int i = 0; i < 1'000'000; ++i) {
    const auto bits = [&] { return near_one<Float>(random(), i % 8 == 0); };
    const bits_pair<Float> x{bits(), bits()}, entry{bits(), bits()};
    const bits_pair<Float> got = rotate_pair<Float>(x, entry), wanted = by_single_operations<Float>(x, entry);
    ASSERT_TRUE(same_bits<Float>(got.first, wanted.first) && same_bits<Float>(got.second, wanted.second))
        << i;
  }
}

TEST(RotationContracted, Binary32IsFourRoundedOperations) { expect_single_operations<float>(1); }
TEST(RotationContracted, Binary64IsFourRoundedOperations) { expect_single_operations<double>(2); }

}  // namespace
}  // namespace ropewalk
