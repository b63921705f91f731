// The contiguous copy on a Vulkan device: that it is one, and that it is timed. No speed is asserted.

#include "bench/device_ceiling.hpp"

#include <gtest/gtest.h>

#include <string>

namespace ropewalk::bench {
namespace {

TEST(DeviceCeiling, IsNamedAndPositive) {
  if (const std::string why = vulkan::why_no_device(); !why.empty()) GTEST_SKIP() << "skipped: " << why;
  constexpr std::size_t bytes = std::size_t{1} << 20;
  const ceiling ceiling = device_ceiling(*vulkan::shared_device(), bytes);
  EXPECT_EQ(ceiling.level, "device");
  EXPECT_EQ(ceiling.threads, 0);
  EXPECT_EQ(ceiling.working_set, 2 * bytes);
  EXPECT_TRUE(ceiling.way == "a shader's copy" || ceiling.way == "vkCmdCopyBuffer") << ceiling.way;
  EXPECT_EQ(ceiling.bytes_per_second.size(), 9U);
  for (const double speed : ceiling.bytes_per_second) EXPECT_GT(speed, 0);
}

}  // namespace
}  // namespace ropewalk::bench
