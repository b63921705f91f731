#include "fault/misread_calls.hpp"

#include <gtest/gtest.h>

#include <string_view>

#include "fault/faults.hpp"
#include "kernel/kernels.hpp"

namespace ropewalk::test {
namespace {

/// Whether a kernel gives the built-in kernel's output for a call, or keeps the call's law if it names one.
bool is_canonical(const ropewalk_kernel& kernel, const misread_call& call) {
  const rope encoding{.base = 10000, .rotary_dim = 16};
  const checked_rotation checked(kernel, promise::canonical, encoding, head_layout{16}),
      right(cpu_table_kernel(), promise::canonical, encoding, head_layout{16});
  if (call.by != nullptr) return measure(*call.by, checked, call.test_case).holds;
  const rotated expected = right.turned(call.test_case, call.form);
  try {
    const rotated got = checked.turned(call.test_case, call.form);
    return got.query == expected.query && got.key == expected.key;
  } catch (const kernel_trouble& trouble) {
    EXPECT_EQ(trouble.status(), ROPEWALK_OK) << trouble.what();
    return false;
  }
}

const ropewalk_kernel& fault_of(const misread_call& call) {
  for (const ropewalk_kernel& kernel : fault::fault_kernels())
    if (kernel.name == std::string_view(call.fault)) return kernel;
  throw std::invalid_argument(call.fault);
}

TEST(MisreadCalls, EachFaultShowsInItsOwn) {
  for (const misread_call& call : misread_calls()) {
    EXPECT_FALSE(is_canonical(fault_of(call), call)) << call.fault;
    EXPECT_TRUE(is_canonical(cpu_table_kernel(), call)) << call.fault;
  }
}

TEST(MisreadCalls, NoFaultShowsInAPlainCall) {
  for (const misread_call& call : misread_calls())
    EXPECT_TRUE(is_canonical(fault_of(call), {call.fault, plain_call()})) << call.fault;
}

}  // namespace
}  // namespace ropewalk::test
