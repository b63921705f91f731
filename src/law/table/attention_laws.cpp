#include "ropewalk/law/table/attention_laws.hpp"

#include <vector>

#include "ropewalk/law/law.hpp"

namespace ropewalk {

namespace detail::attention_law {

measurement measure_equivariant(const attention_rule& rule, const attention_example& example) {
  measurement measured;
  const result before = rule(example);
  for_each_order(example.queries.rows(), [&](const std::vector<int>& order) {
    judge_reordered(measured, before, rule(reordered(example, order)), order);
  });
  return measured;
}

measurement measure_carried(const attention_rule& rule, const attention_example& example) {
  measurement measured;
  const result before = rule(example);
  for_each_order(example.queries.rows(), [&](const std::vector<int>& order) {
    attention_example carried = reordered(example, order);
    for (std::size_t i = 0; i < order.size(); ++i)
      carried.positions[i] = example.positions[static_cast<std::size_t>(order[i])];
    judge_reordered(measured, before, rule(carried), order);
  });
  return measured;
}

measurement measure_distance_only(const attention_rule& rule, const attention_example& example) {
  measurement measured;
  const result here = rule(example);
  for (const double distance : {1.0, -3.5, 4096.0, 1048576.0}) {
    const result there = rule(moved(example, distance));
    judge_entries(measured, here.scores.rows(), here.scores.columns(), entries_of(here.scores),
                  entries_of(there.scores));
    judge_entries(measured, here.outputs.rows(), here.outputs.columns(), entries_of(here.outputs),
                  entries_of(there.outputs));
  }
  return measured;
}

/// All tokens are the first one, so that scores can differ only by positions.
measurement measure_toeplitz(const attention_rule& rule, const attention_example& example) {
  const std::vector<int> first(example.positions.size(), 0);
  const attention_result<attention_limbs> attended = rule(reordered(example, first));
  measurement measured;
  for (int i = 1; i < attended.scores.rows(); ++i)
    for (int j = 1; j < attended.scores.columns(); ++j)
      judge_entry(measured, agree(attended.scores.at(i, j), attended.scores.at(i - 1, j - 1)), i, j);
  return measured;
}

measurement measure_distribution(const attention_rule& rule, const attention_example& example) {
  const matrix<attention_real> weights = rule(example).weights;
  measurement measured;
  for (int i = 0; i < weights.rows(); ++i) {
    attention_real sum{};
    bool has_negative = false;
    for (const attention_real& w : weights.row(i)) {
      sum = sum + w;
      has_negative = has_negative || compare(w, attention_real{}) == order::less;
    }
    judge_entry(measured, !has_negative && agree(sum, attention_real::of(1)), i, 0);
  }
  return measured;
}

/// Weights against the softmax of the rule's own scores, over the keys whose weight is not exactly 0; outputs
/// against the given values, weighted.
measurement measure_softmax(const attention_rule& rule, const attention_example& example) {
  const attention_result<attention_limbs> attended = rule(example);
  measurement measured;
  const auto is_masked = [&](int i, int j) {
    return is_exact(attended.weights.at(i, j)) && is_zero(attended.weights.at(i, j).midpoint);
  };
  for (int i = 0; i < attended.weights.rows(); ++i)
    for (int j = 1; j < attended.weights.columns(); ++j) {
      const bool masked = is_masked(i, j) || is_masked(i, 0);
      // w_j / w_0 = e^(s_j - s_0)
      judge_entry(measured,
                  masked || agree(attended.weights.at(i, j),
                                  attended.weights.at(i, 0) *
                                      exp(attended.scores.at(i, j) - attended.scores.at(i, 0))),
                  i, j);
    }
  const matrix<attention_real> outputs = attended.weights * enclosed<attention_limbs>(example.values);
  judge_entries(measured, outputs.rows(), outputs.columns(), entries_of(attended.outputs),
                entries_of(outputs));
  return measured;
}

measurement measure_causal(const attention_rule& rule, const attention_example& example) {
  const matrix<attention_real> weights = rule(example).weights;
  measurement measured;
  for (int i = 0; i < weights.rows(); ++i)
    for (int j = 0; j < weights.columns(); ++j) {
      const bool is_none = is_exact(weights.at(i, j)) && is_zero(weights.at(i, j).midpoint);
      judge_entry(measured, is_none == (j > i), i, j);
    }
  return measured;
}

}  // namespace detail::attention_law

measurement attention_laws::judge_equivariant(const checked_attention& attention,
                                              const attention_example& example) {
  return detail::attention_law::measure_equivariant(attention.attend, example);
}

measurement attention_laws::judge_carried(const checked_attention& attention,
                                          const attention_example& example) {
  return detail::attention_law::measure_carried(attention.attend, example);
}

measurement attention_laws::judge_distance_only(const checked_attention& attention,
                                                const attention_example& example) {
  return detail::attention_law::measure_distance_only(attention.attend, example);
}

measurement attention_laws::judge_toeplitz(const checked_attention& attention,
                                           const attention_example& example) {
  return detail::attention_law::measure_toeplitz(attention.attend, example);
}

measurement attention_laws::judge_distribution(const checked_attention& attention,
                                               const attention_example& example) {
  return detail::attention_law::measure_distribution(attention.attend, example);
}

measurement attention_laws::judge_softmax(const checked_attention& attention,
                                          const attention_example& example) {
  return detail::attention_law::measure_softmax(attention.attend, example);
}

measurement attention_laws::judge_causal(const checked_attention& attention,
                                         const attention_example& example) {
  return detail::attention_law::measure_causal(attention.attend, example);
}

}  // namespace ropewalk
