// Structs of the C interface that are longer or shorter than this version's.

#include <gtest/gtest.h>

#include "kernel/good_calls.hpp"
#include "kernel/rotation_case.hpp"
#include "ropewalk/kernel/kernel.h"

namespace ropewalk::test {
namespace {

/// A struct of a later version: the fields that this version knows, then bytes that it does not.
template <class Struct>
struct longer {
  Struct known;
  unsigned char beyond[24] = {};
};

TEST(Refusal, AStructThatIsLongerIsServedWhereItsBytesAreZero) {
  for (const ropewalk_kernel& kernel : kernels_and_a_fault()) {
    const resolved_encoding resolved({.base = 10000, .rotary_dim = 8}, {.head_dim = 8});
    longer<ropewalk_rotation> encoding{resolved.view()};
    encoding.known.head.struct_size = sizeof encoding;
    good_call good;
    longer<ropewalk_rotation_call> call{good.call};
    call.known.head.struct_size = sizeof call;
    {
      const planned plan(kernel, encoding.known);
      ASSERT_EQ(plan.status, ROPEWALK_OK) << plan.error.text;
      call.beyond[23] = 1;
      EXPECT_EQ(plan.apply(call.known), ROPEWALK_INVALID_ARGUMENT);
      EXPECT_STREQ(plan.error.field, "struct_size");
      EXPECT_EQ(good.memory[1], std::vector<float>(96, -7.0f));
      call.beyond[23] = 0;
      EXPECT_EQ(plan.apply(call.known), ROPEWALK_OK);
    }
    encoding.beyond[0] = 1;
    const planned refused(kernel, encoding.known);
    EXPECT_EQ(refused.status, ROPEWALK_INVALID_ARGUMENT);
    EXPECT_STREQ(refused.error.field, "struct_size");
  }
}

/// A caller of an earlier version, whose struct ends before fields that may be zero.
TEST(Refusal, AStructThatIsShorterReadsAsZerosBeyondItsEnd) {
  for (const ropewalk_kernel& kernel : kernels_and_a_fault()) {
    good_call good, shorter;
    const planned plan(kernel, rotation_case{});
    good.call.key_in = good.call.key_out = {};
    shorter.call.head.struct_size = offsetof(ropewalk_rotation_call, key_in);
    EXPECT_EQ(plan.apply(good.call), ROPEWALK_OK);
    EXPECT_EQ(plan.apply(shorter.call), ROPEWALK_OK) << plan.error.text;
    EXPECT_EQ(shorter.memory[1], good.memory[1]);
    EXPECT_EQ(shorter.memory[3], std::vector<float>(48, -7.0f)) << "the key is beyond the end";
  }
}

}  // namespace
}  // namespace ropewalk::test
