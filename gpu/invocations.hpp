#pragma once
// Division of work among the invocations of a dispatch.

#include <bit>
#include <cstdint>

#include "gpu/calls.hpp"
#include "ropewalk/kernel/dtype.hpp"

namespace ropewalk::vulkan {

/// A number that fits in a shader's uint.
template <class Number>
constexpr std::uint32_t as_uint(Number value) {
  return static_cast<std::uint32_t>(value);
}

inline constexpr std::uint32_t group_size = 64;  // invocations in every shader's workgroup

inline std::uint64_t groups_of(std::uint64_t invocations) {
  return (invocations + group_size - 1) / group_size;
}

/// The multiplier exceeds 2^(31 + shift) / value by at most 1, and 2^shift is at least `value`: for numbers
/// below 2^31 the scaled product exceeds the quotient by less than 1 / value, which changes no integer part.
///
/// domain  0 < value < 2^31
constexpr divisor divisor_of(std::uint32_t value) {
  const auto shift = static_cast<std::uint32_t>(std::bit_width(value - 1));
  return {.value = value,
          .multiplier = static_cast<std::uint32_t>((std::uint64_t{1} << (31 + shift)) / value + 1),
          .shift = shift};
}

/// Most heads, or queries, that one invocation processes.
inline constexpr std::uint32_t heads_at_once = 8;

inline std::uint32_t blocks_of(std::uint32_t heads) { return (heads + heads_at_once - 1) / heads_at_once; }

/// Blocks of heads, each processed by `parts` invocations.
inline head_blocks blocks_of_heads(std::uint32_t tokens, std::uint32_t heads, std::uint32_t head_groups,
                                   std::uint32_t parts) {
  return {.parts = divisor_of(parts),
          .blocks = divisor_of(blocks_of(heads)),
          .tokens = tokens,
          .heads = heads,
          .head_groups = head_groups,
          .heads_at_once = heads_at_once};
}

/// Workgroups that process all blocks.
inline std::uint64_t groups_of(const head_blocks& work) {
  return groups_of(std::uint64_t{work.tokens} * work.blocks.value * work.parts.value);
}

/// The bytes that an invocation reads or writes at a time: a group of channels. Neighbouring invocations
/// access neighbouring groups, which a device coalesces.
enum class access {
  bytes_16,
  bytes_8  // for 16-bit data whose heads or halves are not multiples of 16 bytes
};
inline int bytes_of(access by) { return by == access::bytes_16 ? 16 : 8; }

/// Invocations of a shader that writes one word per invocation.
inline std::uint64_t words_of(ropewalk_dtype dtype, std::uint64_t elements) {
  return dtype == ROPEWALK_F32 ? elements : (elements + 1) / 2;
}

}  // namespace ropewalk::vulkan
