#pragma once
// What shaders are called with: shaders/calls.glsl, compiled as C++.

#include <cstdint>
#include <type_traits>

#include "gpu/vulkan/description.hpp"

namespace ropewalk::vulkan {

using uint = std::uint32_t;
#include "gpu/shaders/calls.glsl"

/// Members of 32 bits without padding, as std430 lays them out.
template <class Structure>
concept made_of_words = std::is_trivially_copyable_v<Structure> && std::is_standard_layout_v<Structure> &&
                        alignof(Structure) == sizeof(uint);

/// They take no more bytes than every device has for push constants.
template <class Call>
concept push_constants = made_of_words<Call> && sizeof(Call) <= device_requirements{}.push_constant_bytes;

static_assert(made_of_words<slope_words>);

}  // namespace ropewalk::vulkan
