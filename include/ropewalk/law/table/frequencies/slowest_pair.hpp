#pragma once
// Slowest pair: NTK grows the base so that the slowest pair is divided by exactly the whole factor.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/frequencies/ends.hpp"
#include "ropewalk/law/table/frequencies/frequencies.hpp"

namespace ropewalk::frequency_laws {

measurement judge_slowest_pair(const checked_frequencies& of, const whole_table&);

inline constexpr law<checked_frequencies> slowest_pair{
    .name = "slowest-pair",
    .statement = "the slowest pair is divided by exactly the factor",
    .equality = "equal bits",
    .proof = "proofs/encoding/ntk_proof.cpp, slowest_pair_is_divided_by_exactly_the_factor",
    .catches = "the slowest pair is one ulp nearer to its unscaled frequency",
    .applies =
        [](const checked_frequencies& of) {
          return of.config.scaling.visit([](const auto& rule) { return growing_base<decltype(rule)>; });
        },
    .measure = judge_slowest_pair};

}  // namespace ropewalk::frequency_laws
