#pragma once
// Four terms: a score is the sum of its four terms, each computed with the inputs of the others at zero.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/transformer_xl/transformer_xl.hpp"

namespace ropewalk::transformer_xl_laws {

measurement judge_four_terms(const checked_transformer_xl& of, const segment_lengths& given);

inline constexpr law<checked_transformer_xl> four_terms{
    .name = "four-terms",
    .statement = "a score is the sum of its four terms, each computed with the others' inputs at zero",
    .equality = "equal values",
    .proof =
        "proofs/encoding/transformer_xl_proof.cpp, four_terms_are_the_direct_definition; "
        "proofs/encoding/transformer_xl_proof.cpp, "
        "both_shifts_are_the_direct_definition_wherever_a_query_sees",
    .catches = "the two biases are exchanged",
    .measure = judge_four_terms};

}  // namespace ropewalk::transformer_xl_laws
