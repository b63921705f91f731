#include "ropewalk/law/table/attention/softmax.hpp"

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/attention/attention.hpp"

namespace ropewalk {

namespace detail::attention_law {

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

}  // namespace detail::attention_law

measurement attention_laws::judge_softmax(const checked_attention& of, const attention_example& given) {
  return detail::attention_law::measure_softmax(of.attend, given);
}

}  // namespace ropewalk
