#include "ropewalk/law/table/attention_laws.hpp"

#include <vector>

#include "ropewalk/law/law.hpp"

namespace ropewalk {

namespace detail::attention_law {

measurement measure_equivariant(const attention_rule& rule, const attention_example& given) {
  measurement m;
  const result before = rule(given);
  for_each_order(given.queries.rows(), [&](const std::vector<int>& order) {
    judge_reordered(m, before, rule(reordered(given, order)), order);
  });
  return m;
}

measurement measure_carried(const attention_rule& rule, const attention_example& given) {
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

measurement measure_distance_only(const attention_rule& rule, const attention_example& given) {
  measurement m;
  const result here = rule(given);
  for (const double distance : {1.0, -3.5, 4096.0, 1048576.0}) {
    const result there = rule(moved(given, distance));
    judge_entries(m, here.scores.rows(), here.scores.columns(), entries_of(here.scores),
                  entries_of(there.scores));
    judge_entries(m, here.outputs.rows(), here.outputs.columns(), entries_of(here.outputs),
                  entries_of(there.outputs));
  }
  return m;
}

/// All tokens are the first one, so that scores can differ by positions alone.
measurement measure_toeplitz(const attention_rule& rule, const attention_example& given) {
  const std::vector<int> first(given.positions.size(), 0);
  const result r = rule(reordered(given, first));
  measurement m;
  for (int i = 1; i < r.scores.rows(); ++i)
    for (int j = 1; j < r.scores.columns(); ++j)
      judge_entry(m, agree(r.scores.at(i, j), r.scores.at(i - 1, j - 1)), i, j);
  return m;
}

measurement measure_distribution(const attention_rule& rule, const attention_example& given) {
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

/// Weights against the softmax of the rule's own scores, over the keys whose weight is not exactly 0; outputs
/// against the given values, weighted.
measurement measure_softmax(const attention_rule& rule, const attention_example& given) {
  const result r = rule(given);
  measurement m;
  const auto is_masked = [&](int i, int j) {
    return is_exact(r.weights.at(i, j)) && is_zero(r.weights.at(i, j).midpoint);
  };
  for (int i = 0; i < r.weights.rows(); ++i)
    for (int j = 1; j < r.weights.columns(); ++j) {
      const bool masked = is_masked(i, j) || is_masked(i, 0);
      // w_j / w_0 = e^(s_j - s_0)
      judge_entry(m,
                  masked || agree(r.weights.at(i, j),
                                  r.weights.at(i, 0) * exp(r.scores.at(i, j) - r.scores.at(i, 0))),
                  i, j);
    }
  const matrix<attention_real> outputs = r.weights * enclosed<attention_limbs>(given.values);
  judge_entries(m, outputs.rows(), outputs.columns(), entries_of(r.outputs), entries_of(outputs));
  return m;
}

measurement measure_causal(const attention_rule& rule, const attention_example& given) {
  const matrix<attention_real> weights = rule(given).weights;
  measurement m;
  for (int i = 0; i < weights.rows(); ++i)
    for (int j = 0; j < weights.columns(); ++j) {
      const bool is_none = is_exact(weights.at(i, j)) && is_zero(weights.at(i, j).midpoint);
      judge_entry(m, is_none == (j > i), i, j);
    }
  return m;
}

}  // namespace detail::attention_law

measurement attention_laws::judge_equivariant(const checked_attention& of, const attention_example& given) {
  return detail::attention_law::measure_equivariant(of.attend, given);
}

measurement attention_laws::judge_carried(const checked_attention& of, const attention_example& given) {
  return detail::attention_law::measure_carried(of.attend, given);
}

measurement attention_laws::judge_distance_only(const checked_attention& of, const attention_example& given) {
  return detail::attention_law::measure_distance_only(of.attend, given);
}

measurement attention_laws::judge_toeplitz(const checked_attention& of, const attention_example& given) {
  return detail::attention_law::measure_toeplitz(of.attend, given);
}

measurement attention_laws::judge_distribution(const checked_attention& of, const attention_example& given) {
  return detail::attention_law::measure_distribution(of.attend, given);
}

measurement attention_laws::judge_softmax(const checked_attention& of, const attention_example& given) {
  return detail::attention_law::measure_softmax(of.attend, given);
}

measurement attention_laws::judge_causal(const checked_attention& of, const attention_example& given) {
  return detail::attention_law::measure_causal(of.attend, given);
}

}  // namespace ropewalk
