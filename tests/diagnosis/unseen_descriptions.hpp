#pragma once
// The mistakes of unseen_faults.cpp, each with a name and a sentence.

#include <array>
#include <cstddef>

namespace unseen {

enum class fault : std::size_t {
  none,
  first_call_table,
  rows_by_count,
  key_token_index,
  odd_last_token,
  decode_double_factor,
  tail_pairs_restart,
  backward_one_sign,
  products_rounded,
  lerp_rows,
  last_pair_repeats,
  clamp_and_bf16_table,
  late_query_still_pair,
  positions_transposed,
  batch_dropped_on_axes,
  sequence_edge_late,
  row_offset_overflow,
  sine_from_cosine,
  in_place_alias,
  heads_in_fours,
  zero_skipped,
};

struct described_fault {
  const char* name;
  const char* sentence;
};

// In the order of the enumeration.
inline constexpr std::array described_faults = {
    described_fault{"unseen-none", "Nothing is wrong."},
    described_fault{
        "unseen-first-call-table",
        "A plan's table ends at the largest position of its first call; later calls take its last "
        "row for every position beyond."},
    described_fault{
        "unseen-rows-by-count",
        "A plan keeps the positions of its last call and reuses them for the next one if only the "
        "number of tokens is the same."},
    described_fault{
        "unseen-key-token-index",
        "The token of a key's head is its flat index divided by the query's number of heads, so keys "
        "take positions of other tokens where the numbers differ."},
    described_fault{
        "unseen-odd-last-token",
        "Tokens are taken two at a time, and the last of an odd number is turned by the position of "
        "the token before it."},
    described_fault{
        "unseen-decode-double-factor",
        "In decode calls, of one token a batch row, cosine and sine carry the attention factor twice."},
    described_fault{
        "unseen-tail-pairs-restart",
        "The pairs left over by a loop over eight pairs at a time take the frequencies from pair 0 "
        "on."},
    described_fault{"unseen-backward-one-sign",
                    "Backward negates the sine in a pair's first channel but not in its second."},
    described_fault{
        "unseen-products-rounded",
        "The two products of a channel are each rounded to the data's format before they are added."},
    described_fault{"unseen-lerp-rows",
                    "The table has a row for every fourth position; rows between are interpolated linearly."},
    described_fault{"unseen-last-pair-repeats",
                    "The last pair is turned by the frequency of the pair before it."},
    described_fault{
        "unseen-clamp-and-bf16-table",
        "Positions beyond 4095 take the table's last row, 4095, and the table is kept in bfloat16."},
    described_fault{
        "unseen-late-query-still-pair",
        "The query is turned by the position of the token after it, and the key's last pair is not "
        "turned."},
    described_fault{"unseen-positions-transposed",
                    "Positions given for several batch rows are read as [tokens, batch] instead of [batch, "
                    "tokens]."},
    described_fault{"unseen-batch-dropped-on-axes",
                    "On every axis but the first, all batch rows take the positions of batch row 0."},
    described_fault{"unseen-sequence-edge-late",
                    "In packed sequences, the first token of a sequence is counted as one more token of the "
                    "sequence before."},
    described_fault{
        "unseen-row-offset-overflow",
        "The offset of a table's row, position times rotary_dim, is formed in int32 and overflows."},
    described_fault{"unseen-sine-from-cosine",
                    "The sine is the root of 1 - cosine^2 in binary32, which loses small sines."},
    described_fault{"unseen-in-place-alias",
                    "In place, the second channel of a pair is computed from the first one's new value."},
    described_fault{
        "unseen-heads-in-fours",
        "In calls of more than four heads, those left over by a loop over four at a time are copied "
        "without being turned."},
    described_fault{"unseen-zero-skipped", "Tokens at position 0 are copied, without the attention factor."},
};
static_assert(described_faults.size() == static_cast<std::size_t>(fault::zero_skipped) + 1);

}  // namespace unseen
