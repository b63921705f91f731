#pragma once
// Push constants and buffer structures of the shaders: shaders/calls.glsl, compiled as C++.

#include <cstdint>
#include <type_traits>

#include "gpu/vulkan/description.hpp"

namespace ropewalk::vulkan {

using uint = std::uint32_t;
#include "gpu/shaders/calls.glsl"

/// A structure of 32-bit members without padding, which C++ and std430 lay out alike.
template <class Structure>
concept made_of_words = std::is_trivially_copyable_v<Structure> && std::is_standard_layout_v<Structure> &&
                        alignof(Structure) == sizeof(uint);

/// A structure that fits in the push constants that every device is required to have.
template <class Call>
concept push_constants = made_of_words<Call> && sizeof(Call) <= device_requirements{}.push_constant_bytes;

static_assert(made_of_words<slope_words> && made_of_words<real_turns>);

}  // namespace ropewalk::vulkan
