#pragma once
// The words of a SPIR-V module: a header, then instructions whose first word holds their opcode and length.

#include <spirv/unified1/spirv.hpp11>

#include <cstddef>
#include <cstdint>

namespace ropewalk::vulkan::spirv {

inline constexpr std::size_t header_words = 5;

constexpr spv::Op opcode(std::uint32_t first) { return static_cast<spv::Op>(first & spv::OpCodeMask); }
constexpr std::uint32_t length(std::uint32_t first) { return first >> spv::WordCountShift; }

/// The first word of an instruction that has `words` words.
constexpr std::uint32_t instruction(spv::Op opcode, std::uint32_t words) {
  return words << spv::WordCountShift | static_cast<std::uint32_t>(opcode);
}

/// The word that encodes a capability, an execution mode or a decoration.
template <class Name>
constexpr std::uint32_t word(Name name) {
  return static_cast<std::uint32_t>(name);
}

}  // namespace ropewalk::vulkan::spirv
