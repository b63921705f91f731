#pragma once
// Context extension: rules that stretch rotary frequencies beyond the trained length. There is one struct per
// rule; names and defaults are those of a Hugging Face `rope_scaling` block. The rest of a rule is in
// overloads for its struct: encoding/rope_scaling.hpp, reference/rope_scaling.hpp and
// src/model/scaling_rules.cpp.

#include <concepts>
#include <string_view>

#include "ropewalk/config/closed_set.hpp"
#include "ropewalk/config/llama3.hpp"
#include "ropewalk/config/longrope.hpp"
#include "ropewalk/config/ntk.hpp"
#include "ropewalk/config/require.hpp"
#include "ropewalk/config/scaling_lengths.hpp"
#include "ropewalk/config/yarn.hpp"

namespace ropewalk {

/// No rule: a model within its trained length.
struct unscaled {
  static constexpr std::string_view name = "default";
};

/// Position interpolation (Chen et al. 2023): every frequency divided by `factor`.
struct linear {
  static constexpr std::string_view name = "linear";
  double factor = 0;
};

/// Gemma 4's rule: the first `live_pairs` pairs rotate, with exponents over the whole head; the others have
/// frequency 0.
struct proportional {
  static constexpr std::string_view name = "proportional";
  int live_pairs = 0;
  double factor = 1;
};

/// throws  std::invalid_argument naming the field, its value and what is allowed
constexpr void validate(const unscaled& /*rule*/) {}
constexpr void validate(const linear& rule) { require_positive("factor", rule.factor); }
constexpr void validate(const proportional& rule) {
  require(rule.live_pairs >= 1, "live_pairs", rule.live_pairs, "a number from 1 to rotary_dim / 2");
  require_positive("factor", rule.factor);
}

/// Checks the number of pairs; only rules that restrict it have an overload.
constexpr void validate_pairs(const proportional& rule, int pairs) {
  require(rule.live_pairs <= pairs, "live_pairs", rule.live_pairs, "a number from 1 to rotary_dim / 2");
}

/// Calls each(key, number) for every number of a rule.
template <class Each>
constexpr void for_each_number(const unscaled& /*rule*/, Each /*each*/) {}
template <class Each>
constexpr void for_each_number(const linear& rule, Each each) {
  each("factor", rule.factor);
}
template <class Each>
constexpr void for_each_number(const proportional& rule, Each each) {
  each("live_pairs", rule.live_pairs);
  each("factor", rule.factor);
}

/// All rules.
using scaling_rules = type_list<unscaled, linear, dynamic, ntk, llama3, yarn, longrope, proportional>;

/// One rule, `unscaled` by default.
///
/// Example: `rope{.base = 10000, .rotary_dim = 128, .scaling = yarn{.factor = 4, ...}}`.
using rope_scaling = one_of<scaling_rules>;

// std::same_as, because every rule converts to rope_scaling: a rule without its own `validate` would
// otherwise compile and recurse forever.

/// throws  std::invalid_argument naming the field, its value and what is allowed
constexpr void validate(const std::same_as<rope_scaling> auto& scaling) {
  scaling.visit([](const auto& rule) { validate(rule); });
}

/// Checks the rule, and that it applies to this number of pairs.
constexpr void validate(const rope_scaling& scaling, int pairs) {
  validate(scaling);
  scaling.visit([&](const auto& rule) {
    if constexpr (requires { validate_pairs(rule, pairs); }) validate_pairs(rule, pairs);
  });
}

/// The rule's name, as Hugging Face's `rope_type` spells it, except for `ntk`, which has no `rope_type`.
constexpr std::string_view name_of(const rope_scaling& scaling) {
  return scaling.visit([](const auto& rule) { return rule.name; });
}

/// The length beyond which frequencies change with the length of the sequence; 0 if they never do.
constexpr double changing_length(const rope_scaling& scaling) {
  return scaling.visit([](const auto& rule) -> double {
    if constexpr (requires { length_of_change(rule); })
      return length_of_change(rule);
    else
      return 0;
  });
}

/// Whether the frequencies change with the length of the sequence.
constexpr bool depends_on_seq_len(const rope_scaling& scaling) { return changing_length(scaling) != 0; }

/// L, the length that the model was trained at; 0 where the rule does not name it.
constexpr double original_length_of(const rope_scaling& scaling) {
  return scaling.visit([](const auto& rule) -> double {
    if constexpr (requires { rule.original_max_position_embeddings; })
      return rule.original_max_position_embeddings;
    else
      return 0;
  });
}

/// The factor of a rule, rounded to binary64; 1 where it has none.
constexpr double factor_of(const rope_scaling& scaling) {
  const quotient scale = scaling.visit([](const auto& rule) { return scale_of(rule); });
  return scale.numerator / scale.denominator;
}

}  // namespace ropewalk
