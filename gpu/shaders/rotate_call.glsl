// How a rotation by fours is called.
#include "gpu/shaders/calls.glsl"
#include "gpu/shaders/head_block.glsl"

layout(push_constant) uniform Call { rotate_call call; };

// A part is a four of pairs, and from pair_fours on a four that is copied.
head_block block_of_call() {
  return block_of(call.head_fours - call.pair_fours, call.tokens, call.heads, call.head_fours, call.heads_at_once);
}
