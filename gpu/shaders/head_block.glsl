// Which heads of which token an invocation goes over: a few of them, so that what they share is read once, short calls still have
// many invocations, and no loop is long.
#include "gpu/shaders/invocation.glsl"


struct head_block {
  uint token;  // the number of tokens where there is nothing to do
  uint part;   // which four of a head, of those that are gone over
  uint first;  // head of the token
  uint begin;  // that head's first four, and behind the last head's last
  uint end;
};

// Of each head, `parts` are gone over; it has head_fours.
head_block block_of(uint parts, uint tokens, uint heads, uint head_fours, uint heads_at_once) {
  uint blocks = (heads + heads_at_once - 1u) / heads_at_once;
  uint i = invocation(), block = i / parts, token = block / blocks, first = (block - token * blocks) * heads_at_once;
  uint last = min(first + heads_at_once, heads), of_token = token * heads;
  return head_block(min(token, tokens), i - block * parts, first, (of_token + first) * head_fours,
                    (of_token + last) * head_fours);
}
