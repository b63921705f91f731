// Float controls added to a SPIR-V module.

#include "gpu/float_controls.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "gpu/shader_list.hpp"

namespace ropewalk::vulkan {
namespace {

std::vector<std::uint32_t> of(const shader& code) { return {code.words.begin(), code.words.end()}; }

/// Whether `words` contains `run`.
bool has(const std::vector<std::uint32_t>& words, std::initializer_list<std::uint32_t> run) {
  return std::search(words.begin(), words.end(), run.begin(), run.end()) != words.end();
}

TEST(FloatControls, EachIsACapabilityAndAModeOfTheEntryPoint) {
  const std::vector<std::uint32_t> plain = of(rows_shader(false));
  const auto all = with_float_controls(plain, {true, true, true});
  EXPECT_EQ(all.size(), plain.size() + 3 * 2 + 3 * 4);
  const auto declares = [](const std::vector<std::uint32_t>& words, spv::Capability capability) {
    return has(words, {spirv::instruction(spv::Op::OpCapability, 2), spirv::word(capability)});
  };
  const auto asks = [](const std::vector<std::uint32_t>& words, spv::ExecutionMode mode) {
    return has(words, {spirv::word(mode), 32});
  };
  for (const auto& [capability, mode] :
       {std::pair{spv::Capability::DenormPreserve, spv::ExecutionMode::DenormPreserve},
        {spv::Capability::SignedZeroInfNanPreserve, spv::ExecutionMode::SignedZeroInfNanPreserve},
        {spv::Capability::RoundingModeRTE, spv::ExecutionMode::RoundingModeRTE}}) {
    EXPECT_FALSE(declares(plain, capability));
    EXPECT_TRUE(declares(all, capability));
    EXPECT_TRUE(asks(all, mode));
  }
  const auto nearest = with_float_controls(plain, {true, false, false});
  EXPECT_EQ(nearest.size(), plain.size() + 2 + 4);
  EXPECT_FALSE(declares(nearest, spv::Capability::DenormPreserve));
  EXPECT_EQ(with_float_controls(plain, {}), plain);
}

TEST(FloatControls, RefuseWhatIsNoModule) {
  std::vector<std::uint32_t> words = of(rows_shader(false));
  const auto spoiled = [&](std::size_t at, std::uint32_t word) {
    std::vector<std::uint32_t> result = words;
    result[at] = word;
    return result;
  };
  EXPECT_THROW(with_float_controls(spoiled(0, 1), {}), std::invalid_argument);
  EXPECT_THROW(with_float_controls(spoiled(1, 0x00010000), {}), std::invalid_argument);
  EXPECT_THROW(with_float_controls(spoiled(5, 0), {}), std::invalid_argument);
  EXPECT_THROW(with_float_controls(spoiled(5, spirv::instruction(spv::Op::OpCapability, 0xffff)), {}),
               std::invalid_argument);
  EXPECT_THROW(with_float_controls(std::span(words).first(3), {}), std::invalid_argument);
  EXPECT_THROW(with_float_controls(std::span(words).first(5), {}), std::invalid_argument);
}

}  // namespace
}  // namespace ropewalk::vulkan
