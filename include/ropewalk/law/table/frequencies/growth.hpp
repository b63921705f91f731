#pragma once
// Growth: dynamic NTK changes nothing up to max_position_embeddings; beyond, every pair falls but pair 0.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/frequencies/ends.hpp"
#include "ropewalk/law/table/frequencies/frequencies.hpp"
#include "ropewalk/law/table/frequencies/lengths.hpp"

namespace ropewalk::frequency_laws {

measurement judge_growth(const checked_frequencies& of, const whole_table&);

inline constexpr law<checked_frequencies> growth{
    .name = "growth",
    .statement = "nothing changes up to max_position_embeddings; beyond, all pairs fall but pair 0",
    .equality = "equal bits up to max_position_embeddings; beyond, order without tolerance",
    .proof =
        "proofs/encoding/ntk_proof.cpp, dynamic_is_default_up_to_max_position_embeddings; "
        "proofs/encoding/ntk_proof.cpp, dynamic_falls_with_every_token_beyond",
    .catches = "the base stops growing at twice max_position_embeddings",
    .applies =
        [](const checked_frequencies& of) {
          const rope_scaling& scaling = of.config.scaling;
          return scaling.is<dynamic>() && scaling.as<dynamic>().max_position_embeddings < largest_seq_len;
        },
    .measure = judge_growth};

}  // namespace ropewalk::frequency_laws
