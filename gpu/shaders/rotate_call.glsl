// How a rotation by fours is called.
#include "gpu/shaders/head_block.glsl"

layout(push_constant) uniform Call {
  uint tokens;
  uint heads;
  uint head_fours;     // of a head
  uint pair_fours;     // of half of what rotates
  uint heads_at_once;  // of an invocation
} call;

// A part is a four of pairs, and from pair_fours on a four that is copied.
head_block block_of_call() {
  return block_of(call.head_fours - call.pair_fours, call.tokens, call.heads, call.head_fours, call.heads_at_once);
}
