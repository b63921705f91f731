#pragma once
// The name of a kernel in the name of a parametrised test.

#include <gtest/gtest.h>

#include <cctype>
#include <string>
#include <string_view>

#include "ropewalk/kernel/kernel.h"

namespace ropewalk::test {

/// cpu-turns-avx2 -> CpuTurnsAvx2.
inline std::string test_name(const testing::TestParamInfo<ropewalk_kernel>& info) {
  std::string name;
  bool begins = true;
  for (const char c : std::string_view(info.param.name)) {
    if (c != '-') name += begins ? static_cast<char>(std::toupper(c)) : c;
    begins = c == '-';
  }
  return name;
}

}  // namespace ropewalk::test
