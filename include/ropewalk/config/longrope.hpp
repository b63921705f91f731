#pragma once
// LongRoPE. Names as in a Hugging Face `rope_scaling` block.

#include <string_view>

#include "ropewalk/config/given.hpp"
#include "ropewalk/config/require.hpp"
#include "ropewalk/config/scaling_lengths.hpp"

namespace ropewalk {

/// Divisors of the frequencies, one per pair, in static storage, so that the list is structural. A list read
/// at run time must outlive every configuration that points to it.
struct factor_list {
  const double* first = nullptr;
  int count = 0;

  constexpr factor_list() = default;
  constexpr factor_list(const double* list, int length) : first(list), count(length) {}
  template <int Count>
  constexpr factor_list(const double (&list)[Count]) : first(list), count(Count) {}  // NOLINT: converts
  template <int Count>
  factor_list(const double (&&)[Count]) = delete;  // a temporary would dangle

  /// domain  0 <= pair < count
  constexpr double operator[](int pair) const { return first[pair]; }
};

/// LongRoPE (Ding et al. 2024): one divisor per frequency, from a second list beyond the original length, and
/// an attention factor. The factor is given, given per list (the mscales of Phi-3.5-MoE), or computed from
/// `factor` or the lengths.
struct longrope {
  static constexpr std::string_view name = "longrope";
  factor_list short_factor{};
  factor_list long_factor{};
  double original_max_position_embeddings = 0;
  double max_position_embeddings = 0;  // 0: unknown; `factor` or an attention factor is then required
  given<double> factor{};
  given<double> attention_factor{};
  given<double> short_mscale{};
  given<double> long_mscale{};
};

namespace detail {

constexpr void validate_list(const char* name, const factor_list& list) {
  for (int pair = 0; pair < list.count; ++pair) require_positive(name, list[pair]);
}

constexpr void validate_attention(const longrope& rule) {
  if (rule.attention_factor) return require_positive("attention_factor", rule.attention_factor.value);
  require(rule.short_mscale.is_given == rule.long_mscale.is_given, "long_mscale", rule.long_mscale.value,
          "given together with short_mscale, or not at all");
  if (rule.short_mscale) {
    require_positive("short_mscale", rule.short_mscale.value);
    return require_positive("long_mscale", rule.long_mscale.value);
  }
  validate_factor(rule.factor, rule.max_position_embeddings);
  require(rule.original_max_position_embeddings > 1, "original_max_position_embeddings",
          rule.original_max_position_embeddings,
          "a number above 1: the attention factor divides by its logarithm");
}

}  // namespace detail

/// The original length, beyond which the frequencies change; 0 if both lists and both mscales are equal.
constexpr double length_of_change(const longrope& rule) {
  const factor_list &shorter = rule.short_factor, &longer = rule.long_factor;
  bool is_same = shorter.count == longer.count && rule.short_mscale.value == rule.long_mscale.value;
  for (int pair = 0; is_same && pair < shorter.count; ++pair) is_same = shorter[pair] == longer[pair];
  return is_same ? 0 : rule.original_max_position_embeddings;
}

/// Checks the lengths, the divisors and the attention factor; `validate_pairs` checks the number of divisors.
///
/// throws  std::invalid_argument naming the field, its value and what is allowed
constexpr void validate(const longrope& rule) {
  detail::validate_lengths(rule);
  detail::validate_list("short_factor", rule.short_factor);
  detail::validate_list("long_factor", rule.long_factor);
  detail::validate_attention(rule);
}

/// Checks that both lists have one divisor per pair.
///
/// throws  std::invalid_argument naming the field, its value and what is allowed
constexpr void validate_pairs(const longrope& rule, int pairs) {
  require(rule.short_factor.count == pairs, "short_factor's length", rule.short_factor.count,
          "rotary_dim / 2 numbers");
  require(rule.long_factor.count == pairs, "long_factor's length", rule.long_factor.count,
          "rotary_dim / 2 numbers");
}

/// Calls each(key, number) for every number and list of the rule.
template <class Each>
constexpr void for_each_number(const longrope& rule, Each each) {
  each("factor", rule.factor);
  each("original_max_position_embeddings", rule.original_max_position_embeddings);
  if (!rule.factor && rule.max_position_embeddings > 0)
    each("max_position_embeddings", rule.max_position_embeddings);
  each("attention_factor", rule.attention_factor);
  each("short_mscale", rule.short_mscale);
  each("long_mscale", rule.long_mscale);
  each("short_factor", rule.short_factor);
  each("long_factor", rule.long_factor);
}

}  // namespace ropewalk
