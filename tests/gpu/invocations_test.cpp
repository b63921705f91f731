// Division by multiplication, as shaders do it.

#include "gpu/invocations.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace ropewalk::test {
namespace {

/// The quotient of gpu/shaders/divide.glsl.
std::uint32_t quotient(std::uint32_t n, const vulkan::divisor& by) {
  return static_cast<std::uint32_t>(std::uint64_t{2} * n * by.multiplier >> 32) >> by.shift;
}

/// Multiples of a divisor and the numbers before them are the first to be wrong.
TEST(Divisors, QuotientsAreThoseOfADivision) {
  constexpr std::uint32_t last = 0x7fffffff;
  std::mt19937_64 random(28);
  std::vector<std::uint32_t> values{1, 2, 3, 5, 7, 641, 65535, 65536, 65537, last - 1, last};
  for (int i = 0; i < 20000; ++i)
    values.push_back(1 + (static_cast<std::uint32_t>(random() >> 33) >> (i % 31)));
  for (const std::uint32_t value : values) {
    const vulkan::divisor by = vulkan::divisor_of(value);
    ASSERT_EQ(by.value, value);
    const std::uint32_t most = last / value;
    for (const std::uint32_t q : {1u, most, static_cast<std::uint32_t>(random()) % (most + 1)}) {
      if (q == 0) continue;
      ASSERT_EQ(quotient(q * value, by), q) << value;
      ASSERT_EQ(quotient(q * value - 1, by), q - 1) << value;
    }
    ASSERT_EQ(quotient(0, by), 0u) << value;
    ASSERT_EQ(quotient(last, by), most) << value;
  }
}

}  // namespace
}  // namespace ropewalk::test
