#pragma once
// What every way of attending owes the definition, whoever wrote it. Equal means that two enclosures narrower
// than 2^-90 overlap: a rule that is vague fails, and one that differs by more than both radii does.

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "ropewalk/law/attention_rule.hpp"
#include "ropewalk/law/measurement.hpp"

namespace ropewalk {

struct attention_law {
  std::string_view name;
  std::string_view statement;
  bool (*applies)(const attention_traits&);
  measurement (*measure)(const attention_rule&, const attention_example&);
};

namespace detail::attention_law {

using result = attention_result<attention_limbs>;

/// One comparison at (query, key or channel).
inline void judge_entry(measurement& m, bool holds, int row, int column) {
  place where;
  where.token = row;
  where.channel = column;
  record(m, judge_equal(holds), where, [] { return evidence{}; });
}

/// Asks agree(x(i, j), y(i, j)) of all entries.
template <class X, class Y>
void judge_entries(measurement& m, int rows, int columns, const X& x, const Y& y) {
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) judge_entry(m, agree(x(i, j), y(i, j)), i, j);
}

inline auto entries_of(const matrix<attention_real>& x) {
  return [&x](int i, int j) -> const attention_real& { return x.at(i, j); };
}

/// Scores and outputs of `after` are those of `before` with the tokens in another order.
inline void judge_reordered(measurement& m, const result& before, const result& after,
                            const std::vector<int>& order) {
  const auto at = [&](int i) { return order[static_cast<std::size_t>(i)]; };
  judge_entries(m, after.scores.rows(), after.scores.columns(), entries_of(after.scores),
                [&](int i, int j) { return before.scores.at(at(i), at(j)); });
  judge_entries(m, after.outputs.rows(), after.outputs.columns(), entries_of(after.outputs),
                [&](int i, int j) { return before.outputs.at(at(i), j); });
}

/// Every order of the tokens: visit(order).
template <class Visit>
void for_each_order(int tokens, Visit visit) {
  std::vector<int> order(static_cast<std::size_t>(tokens));
  std::iota(order.begin(), order.end(), 0);
  do visit(order);
  while (std::next_permutation(order.begin(), order.end()));
}

inline measurement measure_equivariant(const attention_rule& rule, const attention_example& given) {
  measurement m;
  const result before = rule(given);
  for_each_order(given.queries.rows(), [&](const std::vector<int>& order) {
    judge_reordered(m, before, rule(reordered(given, order)), order);
  });
  return m;
}

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

inline measurement measure_distance_only(const attention_rule& rule, const attention_example& given) {
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

/// The same token everywhere, so that positions alone tell scores apart.
inline measurement measure_toeplitz(const attention_rule& rule, const attention_example& given) {
  const std::vector<int> first(given.positions.size(), 0);
  const result r = rule(reordered(given, first));
  measurement m;
  for (int i = 1; i < r.scores.rows(); ++i)
    for (int j = 1; j < r.scores.columns(); ++j)
      judge_entry(m, agree(r.scores.at(i, j), r.scores.at(i - 1, j - 1)), i, j);
  return m;
}

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

/// The softmax of the rule's own scores, over the keys whose weight is not exactly 0, and the values it was
/// given.
inline measurement measure_softmax(const attention_rule& rule, const attention_example& given) {
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

inline measurement measure_causal(const attention_rule& rule, const attention_example& given) {
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

inline constexpr std::array attention_laws{
    attention_law{"equivariant", "tokens in another order have the same scores and outputs, in that order",
                  [](const attention_traits& of) { return !of.has_positions && !of.is_causal; },
                  detail::attention_law::measure_equivariant},
    attention_law{"carried", "so they have when each keeps its position",
                  [](const attention_traits& of) { return of.has_positions && !of.is_causal; },
                  detail::attention_law::measure_carried},
    attention_law{"distance-only", "all tokens moved by one distance have the same scores and outputs",
                  [](const attention_traits& of) { return !of.has_positions || of.is_relative; },
                  detail::attention_law::measure_distance_only},
    attention_law{"toeplitz", "equal tokens at neighbouring positions have scores constant along diagonals",
                  [](const attention_traits& of) { return !of.has_positions || of.is_relative; },
                  detail::attention_law::measure_toeplitz},
    attention_law{"distribution", "the weights of a query are not negative and sum to 1",
                  [](const attention_traits&) { return true; }, detail::attention_law::measure_distribution},
    attention_law{"softmax",
                  "weights are to each other as e to the scores, and weigh the values as they were given",
                  [](const attention_traits&) { return true; }, detail::attention_law::measure_softmax},
    attention_law{"causal", "keys after the query have no weight, and no others",
                  [](const attention_traits& of) { return of.is_causal; },
                  detail::attention_law::measure_causal},
};

}  // namespace ropewalk
