// What the library exports.

#include "kernel/kernels.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>

#include "ropewalk/kernel/kernel.h"

namespace ropewalk::test {
namespace {

TEST(Kernels, ExportsExactAndCpuTable) {
  std::size_t count = 0;
  const ropewalk_kernel* kernels = ropewalk_kernels(&count);
  ASSERT_EQ(count, 2u);
  EXPECT_STREQ(kernels[0].name, "exact");
  EXPECT_EQ(kernels[0].promise, ROPEWALK_EXACT);
  EXPECT_STREQ(kernels[1].name, "cpu-table");
  EXPECT_EQ(kernels[1].promise, ROPEWALK_CANONICAL);
  for (std::size_t i = 0; i < count; ++i) {
    EXPECT_EQ(kernels[i].struct_size, sizeof(ropewalk_kernel));
    EXPECT_EQ(kernels[i].abi, ROPEWALK_ABI);
    EXPECT_EQ(kernels[i].operation, ROPEWALK_ROTATE);
  }
  EXPECT_EQ(ropewalk_kernels(nullptr), kernels) << "the count is not required";
}

}  // namespace
}  // namespace ropewalk::test
