#pragma once
// The rotation of one dense tensor by rows that lie on the device, recorded.

#include <cstddef>
#include <cstdint>

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

/// Heads and rotated halves of whole fours of channels.
bool is_in_fours(const rotated_layout& layout);

/// `in` may be `out` where heads are whole fours of channels; else they are apart.
///
/// shape   in, out as the tensor, in whole words; rows [tokens, row_words]
void record_rotation(kernel_device& on, commands& by, const rotated_shape& shape, const buffer& in,
                     const buffer& out, const buffer& rows);

/// By the builtin pow, cos and sin, for every element of every head.
///
/// shape   positions [tokens], divisors [pairs]
/// domain  heads and rotated halves of whole fours of channels
/// error   whatever the device's builtins have
struct builtin_angles {
  const buffer& positions;
  const buffer& divisors;
  float theta_scale = 1;
  float factor = 1;
};
void record_recipe(kernel_device& on, commands& by, const rotated_shape& shape, const buffer& in,
                   const buffer& out, const builtin_angles& angles);

/// The same loads and stores with nothing between: what a rotation is measured against beside record_raw_copy.
///
/// domain  heads of whole fours of channels, both pairings the same
void record_copy(kernel_device& on, commands& by, const rotated_shape& shape, const buffer& in,
                 const buffer& out);

/// All bytes as they lie, sixteen at once.
///
/// domain  as many bytes in both, a multiple of 16
void record_raw_copy(kernel_device& on, commands& by, const buffer& in, const buffer& out);

}  // namespace ropewalk::vulkan
