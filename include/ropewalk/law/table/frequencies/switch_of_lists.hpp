#pragma once
// Switch: longrope uses the short list up to original_max_position_embeddings and the long list beyond it.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/frequencies/ends.hpp"
#include "ropewalk/law/table/frequencies/frequencies.hpp"
#include "ropewalk/law/table/frequencies/lengths.hpp"

namespace ropewalk::frequency_laws {

measurement judge_switch_of_lists(const checked_frequencies& of, const whole_table&);

inline constexpr law<checked_frequencies> switch_of_lists{
    .name = "switch",
    .statement = "up to the original length the short list applies, beyond it the long list",
    .equality = "equal bits",
    .proof = "proofs/encoding/longrope_proof.cpp, list_is_long_strictly_beyond_the_original_length",
    .catches = "the long list applies at the original length already",
    .applies =
        [](const checked_frequencies& of) {
          const rope_scaling& scaling = of.config.scaling;
          return scaling.is<longrope>() &&
                 scaling.as<longrope>().original_max_position_embeddings < largest_seq_len;
        },
    .measure = judge_switch_of_lists};

}  // namespace ropewalk::frequency_laws
