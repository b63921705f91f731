// The list of known faults, and the positions that some of them take.

#include <gtest/gtest.h>

#include <set>

#include "diagnosis/diagnosed_kernels.hpp"
#include "fault/faults.hpp"
#include "fault/position_map.hpp"

namespace ropewalk::diagnosed {
namespace {

TEST(KnownFaults, HaveNamesOfTheirOwnAndSentences) {
  std::set<std::string> names;
  for (const auto faults : {fault::known_rotation_faults(), fault::known_addition_faults()})
    for (const fault::known_fault& fault : faults) {
      EXPECT_TRUE(names.insert(fault.kernel.name).second) << fault.kernel.name;
      EXPECT_FALSE(fault.sentence.empty()) << fault.kernel.name;
    }
  // Falcon's is known as one of a family, by what it does.
  const auto known_as = [](std::string_view name) {
    return std::string(name == "fault-alibi-falcon" ? "fault-alibi-key-bf16-over-root-64" : name);
  };
  for (const ropewalk_kernel& kernel : fault::all_fault_kernels())
    EXPECT_EQ(names.count(known_as(kernel.name)), 1U) << kernel.name;
}

TEST(PositionMap, IsWhatItsNameSays) {
  using enum fault::position_change;
  const auto taken = [](fault::position_change change, std::int64_t number, std::int64_t position) {
    return fault::position_map{change, number}(position);
  };
  EXPECT_EQ(taken(signed_bits, 16, 32767), 32767);
  EXPECT_EQ(taken(signed_bits, 16, 32768), -32768);
  EXPECT_EQ(taken(signed_bits, 8, -129), 127);
  EXPECT_EQ(taken(modulo, 2048, -1), 2047);
  EXPECT_EQ(taken(clamped, 2048, 5000), 2047);
  EXPECT_EQ(taken(clamped, 2048, -5), 0);
  EXPECT_EQ(taken(clamped_above, 2048, -5), -5);
  EXPECT_EQ(taken(saturated, 128, -500), -128);
  EXPECT_EQ(taken(in_binary32, 0, (1 << 24) + 1), 1 << 24);
  EXPECT_EQ(taken(in_binary16, 0, 2049), 2048);
  EXPECT_EQ(taken(in_binary16, 0, 65520), std::nullopt);
  EXPECT_EQ(taken(in_bfloat16, 0, 257), 256);
  EXPECT_EQ(taken(absolute, 0, -7), 7);
  EXPECT_EQ(taken(negated, 0, -7), 7);
  EXPECT_EQ(taken(not_negative, 0, -7), 0);
  EXPECT_EQ(taken(added_to, -1, 0), -1);
}

}  // namespace
}  // namespace ropewalk::diagnosed
