// The committed hashes, which AArch64 must give too (aarch64_exhaustive.sh), are those of the mirror and of
// every target of this processor.

#include "kernel/portable_hashes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fault/faults.hpp"
#include "kernel/kernels.hpp"

namespace ropewalk::test {
namespace {

const hashes& committed() {
  static const hashes read = read_hashes(ROPEWALK_SOURCE "/tests/kernel/portable_hashes.txt");
  return read;
}

/// Groups whose hash in `got` is not the committed one.
std::vector<std::string> other_than_committed(const hashes& got) {
  std::vector<std::string> names;
  for (const auto& [name, hash] : got)
    if (const auto match = committed().find(name); match == committed().end() || match->second != hash)
      names.push_back(name);
  return names;
}

TEST(PortableHashes, AreTheMirrors) {
  hashes wanted = mirror_hashes();
  wanted.merge(table_hashes());
  EXPECT_EQ(wanted, committed());
}

TEST(PortableHashes, AreThoseOfEveryTargetInEveryEnvironment) {
  const std::pair<const char*, floating_registers> environments[] = {
      {"default", default_floating_registers()},
      {"flushing", flushing_floating_registers()},
      {"upward", upward_floating_registers()}};
  int kernels = 0;
  for (const ropewalk_kernel& kernel : all_kernels()) {
    if (!std::string_view(kernel.name).starts_with("cpu-")) continue;
    ++kernels;
    for (const auto& [name, around] : environments)
      EXPECT_EQ(other_than_committed(kernel_hashes(kernel, around)), std::vector<std::string>())
          << kernel.name << ", " << name;
  }
  EXPECT_GE(kernels, 4);
}

TEST(PortableHashes, ShowFaults) {
  const std::pair<ropewalk_kernel, const char*> seen[] = {
      {fault::angle_f32(), "f32/far-positions"},           {fault::half_split(), "f32/near-one"},
      {fault::backward_is_forward(), "f32/far-positions"}, {fault::attention_dropped(), "f32/scalings"},
      {fault::attention_in_unit(), "f32/far-positions"},   {fault::pass_through_zeroed(), "f32/tails"},
      {fault::small_flushed(), "f32/every-bits"},          {fault::batch_row(), "f32/often-and-rare"}};
  for (const auto& [kernel, name] : seen) {
    const std::vector<std::string> shown =
        other_than_committed(kernel_hashes(kernel, default_floating_registers()));
    EXPECT_NE(std::find(shown.begin(), shown.end(), name), shown.end()) << kernel.name;
  }
}

}  // namespace
}  // namespace ropewalk::test
