#pragma once
// Records the rotation of one dense tensor by rows on the device.

#include <cstddef>
#include <cstdint>
#include <optional>

#include "gpu/kernel_device.hpp"
#include "gpu/vulkan/commands.hpp"
#include "ropewalk/kernel/head.hpp"

namespace ropewalk::vulkan {

/// A dense tensor [tokens, heads, head_dim].
struct rotated_shape {
  rotated_layout layout;
  ropewalk_dtype dtype = ROPEWALK_F32;  // of 32 or 16 bits
  std::size_t tokens = 0;
  std::int64_t heads = 0;
  bool backward = false;
};

/// The largest groups of channels that heads and rotated halves consist of; nothing if there are none.
std::optional<access> access_of(ropewalk_dtype dtype, const rotated_layout& layout);

/// Records one dispatch. `in` may be `out` if there is an access_of(dtype, layout) and both pairings are the
/// same; otherwise they must not overlap.
///
/// shape   in, out as the tensor, padded to whole words; rows [tokens, row_words]
void record_rotation(kernel_device& device, commands& by, const rotated_shape& shape, const buffer& in,
                     const buffer& out, const buffer& rows);

/// Inputs of the angles that record_recipe computes.
///
/// shape   positions [tokens], divisors [pairs]
struct builtin_angles {
  const buffer& positions;
  const buffer& divisors;
  float theta_scale = 1;
  float factor = 1;
};
/// Records a rotation that calls the builtin pow, cos and sin for every element of every head.
///
/// domain  an access_of(dtype, layout)
/// error   that of the device's builtins
void record_recipe(kernel_device& device, commands& by, const rotated_shape& shape, const buffer& in,
                   const buffer& out, const builtin_angles& angles);

/// Records the loads and stores of a rotation without its arithmetic, as a baseline for its speed.
///
/// domain  groups of 16 bytes, both pairings the same
void record_copy(kernel_device& device, commands& by, const rotated_shape& shape, const buffer& in,
                 const buffer& out);

/// Records a plain copy, 16 bytes per invocation, as the other baseline.
///
/// domain  in and out of the same size, a multiple of 16 bytes
void record_raw_copy(kernel_device& device, commands& by, const buffer& in, const buffer& out);

}  // namespace ropewalk::vulkan
