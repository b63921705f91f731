// Push constants and block of heads of a rotation by groups of channels.
#include "gpu/shaders/calls.glsl"
#include "gpu/shaders/head_block.glsl"

// Whether heads have groups that pass through. Parts below `pair_groups` are the pairs in two groups; a later
// part is one group that passes through.
layout(constant_id = 3) const bool has_rest = true;
layout(push_constant) uniform Call { rotate_call call; };
