#pragma once
// Factor one: a rule with factor 1 changes no frequency.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/frequencies/ends.hpp"
#include "ropewalk/law/table/frequencies/frequencies.hpp"

namespace ropewalk {

namespace detail {

/// Whether a rule has a factor, replaces no pair's divisor, and divides by 1 if its factor is 1.
bool is_none_with_factor_one(const rope& config);

}  // namespace detail

namespace frequency_laws {

measurement judge_factor_one(const checked_frequencies& of, const whole_table&);

inline constexpr law<checked_frequencies> factor_one{
    .name = "factor-one",
    .statement = "a factor of 1 changes nothing",
    .equality = "equal bits",
    .proof = "proofs/encoding/rope_scaling_proof.cpp, factor_of_one_changes_nothing",
    .catches = "tables come from a cache whose key lacks the factor",
    .applies = [](const checked_frequencies& of) { return detail::is_none_with_factor_one(of.config); },
    .measure = judge_factor_one};

}  // namespace frequency_laws

}  // namespace ropewalk
