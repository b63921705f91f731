#pragma once
// Carried: tokens that are reordered together with their positions keep their scores and outputs.

#include <vector>

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/attention/attention.hpp"

namespace ropewalk {

namespace detail::attention_law {

inline measurement measure_carried(const attention_rule& rule, const attention_example& given) {
  measurement m;
  const result before = rule(given);
  for_each_order(given.queries.rows(), [&](const std::vector<int>& order) {
    attention_example carried = reordered(given, order);
    for (std::size_t i = 0; i < order.size(); ++i)
      carried.positions[i] = given.positions[static_cast<std::size_t>(order[i])];
    judge_reordered(m, before, rule(carried), order);
  });
  return m;
}

}  // namespace detail::attention_law

namespace attention_laws {

inline constexpr law<held_attention> carried{
    .name = "carried",
    .statement = "tokens in another order that keep their positions have the same scores and outputs",
    .equality = "equal numbers: error radii below 2^-90, and enclosures that overlap",
    .catches = "scores depend on the tokens' indices in place of their positions",
    .applies = [](const held_attention& of) { return of.traits.has_positions && !of.traits.is_causal; },
    .measure =
        [](const held_attention& of, const attention_example& given) {
          return detail::attention_law::measure_carried(of.attend, given);
        }};

}  // namespace attention_laws

}  // namespace ropewalk
