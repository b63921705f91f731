#pragma once
// The factor of a scaling rule, and the lengths from which YaRN and LongRoPE may form it.

#include "ropewalk/config/given.hpp"
#include "ropewalk/config/require.hpp"

namespace ropewalk {

/// The scaling factor as an exact quotient of binary64 numbers: a factor over 1, or one length over another.
struct quotient {
  double numerator = 1;
  double denominator = 1;
};

/// The factor of a rule; 1 where it has none.
template <class Rule>
constexpr quotient scale_of(const Rule& rule) {
  if constexpr (requires { rule.factor.is_given; }) {
    if (rule.factor) return {rule.factor.value, 1};
    return {rule.max_position_embeddings, rule.original_max_position_embeddings};
  } else if constexpr (requires { rule.factor; }) {
    return {rule.factor, 1};
  } else {
    return {};
  }
}

namespace detail {

/// Checks the original length, and max_position_embeddings, from which a missing factor is formed.
template <class Rule>
constexpr void validate_lengths(const Rule& rule) {
  require_positive("original_max_position_embeddings", rule.original_max_position_embeddings);
  require(rule.max_position_embeddings >= 0 && rule.max_position_embeddings <= largest_number,
          "max_position_embeddings", rule.max_position_embeddings, "a finite number, 0 (not known) or above");
  require(rule.max_position_embeddings == 0 ||
              rule.original_max_position_embeddings <= rule.max_position_embeddings,
          "original_max_position_embeddings", rule.original_max_position_embeddings,
          "a number not above max_position_embeddings");
}

constexpr void validate_factor(const given<double>& factor, double max_position_embeddings) {
  require(factor.is_given || max_position_embeddings > 0, "factor", factor.value,
          "a finite number above 0, or max_position_embeddings to form it from");
  if (factor) require_positive("factor", factor.value);
}

}  // namespace detail

}  // namespace ropewalk
