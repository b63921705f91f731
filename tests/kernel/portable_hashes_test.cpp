// The mirror and the kernels on every SIMD target of this processor give the committed hashes. AArch64 must
// give the same (aarch64_exhaustive.sh).

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
  static const hashes list = read_hashes(ROPEWALK_SOURCE "/tests/kernel/portable_hashes.txt");
  return list;
}

/// Groups of `computed` whose hash is not the committed one.
std::vector<std::string> changed_groups(const hashes& computed) {
  std::vector<std::string> names;
  for (const auto& [name, hash] : computed)
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
    for (const auto& [name, registers] : environments)
      EXPECT_EQ(changed_groups(kernel_hashes(kernel, registers)), std::vector<std::string>())
          << kernel.name << ", " << name;
  }
  EXPECT_GE(kernels, 4);
}

TEST(PortableHashes, ShowFaults) {
  const std::pair<ropewalk_kernel, const char*> faults[] = {
      {fault::angle_f32(), "f32/far-positions"},           {fault::half_split(), "f32/near-one"},
      {fault::backward_is_forward(), "f32/far-positions"}, {fault::attention_dropped(), "f32/scalings"},
      {fault::attention_in_unit(), "f32/far-positions"},   {fault::pass_through_zeroed(), "f32/tails"},
      {fault::small_flushed(), "f32/every-bits"},          {fault::batch_row(), "f32/often-and-rare"}};
  for (const auto& [kernel, name] : faults) {
    const std::vector<std::string> changed =
        changed_groups(kernel_hashes(kernel, default_floating_registers()));
    EXPECT_NE(std::find(changed.begin(), changed.end(), name), changed.end()) << kernel.name;
  }
}

}  // namespace
}  // namespace ropewalk::test
