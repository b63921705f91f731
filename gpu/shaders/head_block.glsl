// Which heads of which token an invocation goes over: a few of them, so that a row is read once for all, and short calls still
// have many invocations.

layout(push_constant) uniform Call {
  uint tokens;
  uint heads;
  uint head_fours;     // of a head
  uint pair_fours;     // of half of what rotates
  uint heads_at_once;  // of an invocation
} call;

struct head_block {
  uint token;  // the number of tokens where there is nothing to do
  uint part;   // a four of pairs, and from pair_fours on a four that is copied
  uint begin;  // the first head's first four, and behind the last one's
  uint end;
};

head_block block_of(uint invocation) {
  uint work = call.head_fours - call.pair_fours, blocks = (call.heads + call.heads_at_once - 1u) / call.heads_at_once;
  uint block = invocation / work, token = block / blocks, first = (block - token * blocks) * call.heads_at_once;
  uint last = min(first + call.heads_at_once, call.heads), of_token = token * call.heads;
  return head_block(min(token, call.tokens), invocation - block * work, (of_token + first) * call.head_fours,
                    (of_token + last) * call.head_fours);
}
