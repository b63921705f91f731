#pragma once
// NTK-aware scaling: the base grows with the sequence length, or by a fixed factor. Names as in a Hugging
// Face `rope_scaling` block.

#include <string_view>

#include "ropewalk/config/require.hpp"

namespace ropewalk {

/// Dynamic NTK: beyond max_position_embeddings the base grows with the sequence length.
struct dynamic {
  static constexpr std::string_view name = "dynamic";
  double factor = 0;
  double max_position_embeddings = 0;
};

/// NTK at a fixed factor: the base grows so that the slowest pair is divided by `factor`.
struct ntk {
  static constexpr std::string_view name = "ntk";
  double factor = 0;
};

/// max_position_embeddings, beyond which the frequencies change.
constexpr double length_of_change(const dynamic& rule) { return rule.max_position_embeddings; }

namespace detail {

constexpr void require_two_pairs(int pairs) {
  require(pairs > 1, "rotary_dim", 2 * pairs,
          "a number above 2: the rule's exponent divides by rotary_dim - 2");
}

}  // namespace detail

/// Checks that both numbers are finite and above 0.
///
/// throws  std::invalid_argument naming the field, its value and what is allowed
constexpr void validate(const dynamic& rule) {
  require_positive("factor", rule.factor);
  require_positive("max_position_embeddings", rule.max_position_embeddings);
}

/// Checks that the factor is finite and above 0.
///
/// throws  std::invalid_argument naming the field, its value and what is allowed
constexpr void validate(const ntk& rule) { require_positive("factor", rule.factor); }

/// Checks that there are at least two pairs: the exponent of the base divides by rotary_dim - 2.
///
/// throws  std::invalid_argument naming the field, its value and what is allowed
constexpr void validate_pairs(const dynamic& /*rule*/, int pairs) { detail::require_two_pairs(pairs); }
constexpr void validate_pairs(const ntk& /*rule*/, int pairs) { detail::require_two_pairs(pairs); }

/// Calls each(key, number) for every number of the rule.
template <class Each>
constexpr void for_each_number(const dynamic& rule, Each each) {
  each("factor", rule.factor);
  each("max_position_embeddings", rule.max_position_embeddings);
}
template <class Each>
constexpr void for_each_number(const ntk& rule, Each each) {
  each("factor", rule.factor);
}

}  // namespace ropewalk
