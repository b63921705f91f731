#pragma once
// Direct: a score is [(q + u) . k + (q + v) . r] / sqrt(d_head), with r the row of its own distance.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/transformer_xl/transformer_xl.hpp"

namespace ropewalk::transformer_xl_laws {

measurement judge_direct(const checked_transformer_xl& of, const segment_lengths& given);

inline constexpr law<checked_transformer_xl> direct{
    .name = "direct",
    .statement = "a score is [(q + u) . k + (q + v) . r] / sqrt(d_head), r of its own distance",
    .equality = "equal values",
    .proof =
        "proofs/encoding/transformer_xl_proof.cpp, four_terms_are_the_direct_definition; "
        "proofs/encoding/transformer_xl_proof.cpp, "
        "both_shifts_are_the_direct_definition_wherever_a_query_sees",
    .catches = "the division by sqrt(d_head) is missing",
    .measure = judge_direct};

}  // namespace ropewalk::transformer_xl_laws
