#pragma once
// Prefill equals decode: a token's rotation is the same alone, in its batch, in any split of the batch, as
// one of several sequences laid end to end, in place or not.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "ropewalk/law/kernel/agreement.hpp"
#include "ropewalk/law/kernel/case_parts.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk {

namespace detail {

/// Judges the answer for a part of a case against the answer for the whole. The part begins at token `first`
/// of batch row `row`; only its tokens in `answered` are judged, if given.
template <floating_format Float>
void judge_part(measurement& measured, const checked_rotation& kernel, const law_case& test_case,
                const rotated& whole, const law_case& part, const rotated& answer, std::int64_t row,
                std::int64_t first, const std::optional<token_range>& answered = {}) {
  for_each_pair(part, kernel.pairs(), [&](const place& inside) {
    const std::int64_t in_part = inside.row * part.tokens + inside.token;
    if (answered && (in_part < answered->first || in_part >= answered->last)) return;
    place where = inside;
    const std::int64_t index = row * test_case.tokens + first + in_part;
    where.row = index / test_case.tokens;
    where.token = index % test_case.tokens;
    const std::size_t start = head_start(test_case, where), part_start = head_start(part, inside);
    const channel_pair out = kernel.channels_out(where.pair);
    judge_agreement<Float>(
        measured, kernel, where, is_unit(test_case),
        pair_at<Float>(elements_of(test_case, where.tensor), start, kernel.channels_in(where.pair)),
        pair_at<Float>(elements_of(whole, where.tensor), start, out),
        pair_at<Float>(elements_of(answer, where.tensor), part_start, out));
  });
}

}  // namespace detail

namespace rotation_laws {

measurement judge_prefill_decode(const checked_rotation& kernel, const law_case& test_case);

inline constexpr law<checked_rotation> prefill_decode{
    .name = "prefill-decode",
    .statement = "a token comes out alike alone, in its batch and in any split of it",
    .equality = "equal bits where the kernel promises bits",
    .proof = "proofs/kernel/rotation_bound.md, section 6, agreement",
    .catches = "fault-batch-row",
    .trivial = trivial_difference_bound,
    .bound_from = agreement_bound,
    .needs = {.every_bit_pattern = true, .several_tokens = true},
    .measure = judge_prefill_decode};

}  // namespace rotation_laws

}  // namespace ropewalk
