#pragma once
// SPIR-V that declares how its binary32 arithmetic is done. Shaders are compiled without; what a device supports is added here,
// so that one module serves all of them.

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "gpu/vulkan/description.hpp"

namespace ropewalk::vulkan {

/// Numbers of the SPIR-V specification.
namespace spirv {

inline constexpr std::uint32_t magic = 0x07230203, header_words = 5;
inline constexpr std::uint32_t op_extension = 10, op_memory_model = 14, op_entry_point = 15,
                               op_execution_mode = 16, op_capability = 17;
inline constexpr std::uint32_t denorm_preserve = 4464, signed_zero_inf_nan_preserve = 4466,
                               rounding_mode_rte = 4467;  // capabilities; each mode's number is 5 below
inline constexpr std::uint32_t mode_below_capability = 5;

constexpr std::uint32_t opcode(std::uint32_t word) { return word & 0xffff; }
constexpr std::uint32_t length(std::uint32_t word) { return word >> 16; }
constexpr std::uint32_t instruction(std::uint32_t opcode, std::uint32_t words) {
  return words << 16 | opcode;
}

}  // namespace spirv

/// The module with each control declared that is asked for: a capability and an execution mode of its entry point.
///
/// domain  SPIR-V 1.4 or newer, one entry point
/// throws  std::invalid_argument: no such module
constexpr std::vector<std::uint32_t> with_float_controls(std::span<const std::uint32_t> words,
                                                         const float_controls& controls) {
  using namespace spirv;
  if (words.size() < header_words || words[0] != magic || words[1] < 0x00010400)
    throw std::invalid_argument("shader is no SPIR-V module; allowed: SPIR-V 1.4 or newer");
  std::vector<std::uint32_t> declared;
  if (controls.rounds_to_nearest_even) declared.push_back(rounding_mode_rte);
  if (controls.preserves_denormals) declared.push_back(denorm_preserve);
  if (controls.preserves_signed_zero_inf_nan) declared.push_back(signed_zero_inf_nan_preserve);
  std::vector<std::uint32_t> r(words.begin(), words.begin() + header_words);
  for (const std::uint32_t capability : declared)
    r.insert(r.end(), {instruction(op_capability, 2), capability});
  bool has_entry_point = false;
  for (std::size_t at = header_words; at < words.size(); at += length(words[at])) {
    if (length(words[at]) == 0 || length(words[at]) > words.size() - at)
      throw std::invalid_argument(
          "shader has an instruction that passes its end; allowed: whole instructions");
    r.insert(r.end(), words.begin() + static_cast<std::ptrdiff_t>(at),
             words.begin() + static_cast<std::ptrdiff_t>(at + length(words[at])));
    if (opcode(words[at]) != op_entry_point) continue;
    has_entry_point = true;  // modes follow all entry points, of which there is one
    for (const std::uint32_t capability : declared)
      r.insert(r.end(),
               {instruction(op_execution_mode, 4), words[at + 2], capability - mode_below_capability, 32});
  }
  if (!has_entry_point) throw std::invalid_argument("shader has no entry point; allowed: one");
  return r;
}

}  // namespace ropewalk::vulkan
