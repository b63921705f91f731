#pragma once
// Factor one: a rule with factor 1 changes no frequency.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/frequencies/ends.hpp"
#include "ropewalk/law/table/frequencies/frequencies.hpp"

namespace ropewalk {

namespace detail {

/// Whether a rule has a factor, replaces no pair's divisor, and divides by 1 if its factor is 1.
inline bool is_none_with_factor_one(const rope& config) {
  const bool has_factor = config.scaling.visit([](const auto& rule) {
    return requires { rule.factor; };
  });
  const exact_factor<4> factor = whole_factor<4>(with_factor(1, config));
  return has_factor && !treats_some(treatment::replaced, config) &&
         compare(factor.numerator, factor.denominator) == order::equal;
}

inline measurement measure_factor_one(const frequency_source& tables, const rope& config) {
  const rope with_factor_one = with_factor(1, config);
  return judge_each_pair(tables, with_factor_one, [&](int pair, std::uint64_t got) -> frequency_range {
    if (treatment_of(pair, with_factor_one) == treatment::still) return anything(got);
    return exactly(nearest_unscaled(pair, config));
  });
}

}  // namespace detail

namespace frequency_laws {

inline constexpr law<held_frequencies> factor_one{
    .name = "factor-one",
    .statement = "a factor of 1 changes nothing",
    .equality = "equal bits",
    .proof = "proofs/encoding/rope_scaling_proof.cpp, factor_of_one_changes_nothing",
    .catches = "tables come from a cache whose key lacks the factor",
    .applies = [](const held_frequencies& of) { return detail::is_none_with_factor_one(of.config); },
    .measure = [](const held_frequencies& of,
                  const whole_table&) { return detail::measure_factor_one(of.tables, of.config); }};

}  // namespace frequency_laws

}  // namespace ropewalk
