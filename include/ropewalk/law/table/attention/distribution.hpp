#pragma once
// Distribution: the weights of a query are not negative and sum to 1.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/attention/attention.hpp"

namespace ropewalk {

namespace detail::attention_law {

inline measurement measure_distribution(const attention_rule& rule, const attention_example& given) {
  const matrix<attention_real> weights = rule(given).weights;
  measurement m;
  for (int i = 0; i < weights.rows(); ++i) {
    attention_real sum{};
    bool has_negative = false;
    for (const attention_real& w : weights.row(i)) {
      sum = sum + w;
      has_negative = has_negative || compare(w, attention_real{}) == order::less;
    }
    judge_entry(m, !has_negative && agree(sum, attention_real::of(1)), i, 0);
  }
  return m;
}

}  // namespace detail::attention_law

namespace attention_laws {

inline constexpr law<held_attention> distribution{
    .name = "distribution",
    .statement = "the weights of a query are not negative and sum to 1",
    .equality = "equal numbers: error radii below 2^-90, and enclosures that overlap",
    .catches = "exponentials are not divided by their sum",
    .measure = [](const held_attention& of, const attention_example& given) {
      return detail::attention_law::measure_distribution(of.attend, given);
    }};

}  // namespace attention_laws

}  // namespace ropewalk
