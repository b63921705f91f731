// Push constants and block of heads of a rotation by groups of four channels.
#include "gpu/shaders/calls.glsl"
#include "gpu/shaders/head_block.glsl"

layout(push_constant) uniform Call { rotate_call call; };

// Parts below `pair_fours` are groups of four pairs; the later ones are groups of four channels that pass
// through.
head_block block_of_call() {
  return block_of(call.head_fours - call.pair_fours, call.tokens, call.heads, call.head_fours,
                  call.heads_at_once);
}
