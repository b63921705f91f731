// The block of heads that one invocation processes. Blocks are small: shared entries are read once per block,
// yet short calls have many invocations and loops stay short.
#include "gpu/shaders/divide.glsl"
#include "gpu/shaders/invocation.glsl"

struct head_block {
  uint token;  // at least `tokens` if there is nothing to do
  uint part;   // index below the number of parts
  uint begin;  // index of the first head's first group of channels
  uint end;    // one past the last head's last group
};

head_block block_of(head_blocks work) {
  uint i = invocation(), block = quotient(i, work.parts), token = quotient(block, work.blocks);
  uint first = (block - token * work.blocks.value) * work.heads_at_once, of_token = token * work.heads;
  uint last = min(first + work.heads_at_once, work.heads);
  return head_block(token, i - block * work.parts.value, (of_token + first) * work.head_groups,
                    (of_token + last) * work.head_groups);
}
