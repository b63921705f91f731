// The block of heads that one invocation processes. Blocks are small: entries that heads share are read once
// per block, yet short calls have many invocations and loops stay short.
#include "gpu/shaders/invocation.glsl"

struct head_block {
  uint token;  // at most `tokens`, which means that there is nothing to do
  uint part;   // index below `parts`
  uint first;  // the block's first head
  uint begin;  // index of that head's first group of four channels
  uint end;    // one past the last head's last group
};

// The block of this invocation. A head has head_fours groups of four channels and is processed by `parts`
// invocations.
head_block block_of(uint parts, uint tokens, uint heads, uint head_fours, uint heads_at_once) {
  uint blocks = (heads + heads_at_once - 1u) / heads_at_once;
  uint i = invocation(), block = i / parts, token = block / blocks,
       first = (block - token * blocks) * heads_at_once;
  uint last = min(first + heads_at_once, heads), of_token = token * heads;
  return head_block(min(token, tokens), i - block * parts, first, (of_token + first) * head_fours,
                    (of_token + last) * head_fours);
}
