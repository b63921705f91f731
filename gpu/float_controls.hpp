#pragma once
// Declares the properties of binary32 arithmetic in a SPIR-V module. Shaders are compiled without such
// declarations; those that a device supports are added here, so that one module serves all devices.

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "gpu/spirv_words.hpp"
#include "gpu/vulkan/description.hpp"

namespace ropewalk::vulkan {

/// The module with a capability and an execution mode of its entry point added for each requested control.
///
/// domain  SPIR-V 1.4 or newer, one entry point
/// throws  std::invalid_argument: the words are not such a module
constexpr std::vector<std::uint32_t> with_float_controls(std::span<const std::uint32_t> words,
                                                         const float_controls& controls) {
  using namespace spirv;
  if (words.size() < header_words || words[0] != spv::MagicNumber || words[1] < 0x00010400)
    throw std::invalid_argument("shader is not a SPIR-V module; allowed: SPIR-V 1.4 or newer");
  std::vector<std::pair<spv::Capability, spv::ExecutionMode>> declared;
  if (controls.rounds_to_nearest_even)
    declared.emplace_back(spv::Capability::RoundingModeRTE, spv::ExecutionMode::RoundingModeRTE);
  if (controls.preserves_denormals)
    declared.emplace_back(spv::Capability::DenormPreserve, spv::ExecutionMode::DenormPreserve);
  if (controls.preserves_signed_zero_inf_nan)
    declared.emplace_back(spv::Capability::SignedZeroInfNanPreserve,
                          spv::ExecutionMode::SignedZeroInfNanPreserve);
  std::vector<std::uint32_t> result(words.begin(), words.begin() + header_words);
  for (const auto& [capability, mode] : declared)
    result.insert(result.end(), {instruction(spv::Op::OpCapability, 2), word(capability)});
  bool has_entry_point = false;
  for (std::size_t at = header_words; at < words.size(); at += length(words[at])) {
    if (length(words[at]) == 0 || length(words[at]) > words.size() - at)
      throw std::invalid_argument(
          "shader has an instruction that exceeds its end; allowed: whole instructions");
    result.insert(result.end(), words.begin() + static_cast<std::ptrdiff_t>(at),
                  words.begin() + static_cast<std::ptrdiff_t>(at + length(words[at])));
    if (opcode(words[at]) != spv::Op::OpEntryPoint) continue;
    has_entry_point = true;  // execution modes follow the only entry point
    for (const auto& [capability, mode] : declared)
      result.insert(result.end(), {instruction(spv::Op::OpExecutionMode, 4), words[at + 2], word(mode), 32});
  }
  if (!has_entry_point) throw std::invalid_argument("shader has no entry point; allowed: one");
  return result;
}

}  // namespace ropewalk::vulkan
