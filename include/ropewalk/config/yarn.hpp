#pragma once
// YaRN. Names and defaults as in a Hugging Face `rope_scaling` block.

#include <string_view>

#include "ropewalk/config/given.hpp"
#include "ropewalk/config/require.hpp"
#include "ropewalk/config/scaling_lengths.hpp"

namespace ropewalk {

/// YaRN (Peng et al. 2023): a ramp over the pairs, and an attention factor. A missing `factor` is
/// max_position_embeddings / original_max_position_embeddings.
struct yarn {
  static constexpr std::string_view name = "yarn";
  given<double> factor{};
  double original_max_position_embeddings = 0;
  double max_position_embeddings = 0;  // 0: unknown; `factor` is then required
  double beta_fast = 32;
  double beta_slow = 1;
  bool truncate = true;
  given<double> mscale{};
  given<double> mscale_all_dim{};
  given<double> attention_factor{};
};

/// Checks the lengths and the factor, 0 < beta_slow <= beta_fast, and the optional numbers that are given.
///
/// throws  std::invalid_argument naming the field, its value and what is allowed
constexpr void validate(const yarn& rule) {
  detail::validate_lengths(rule);
  detail::validate_factor(rule.factor, rule.max_position_embeddings);
  require_positive("beta_slow", rule.beta_slow);
  require_positive("beta_fast", rule.beta_fast);
  require(rule.beta_fast >= rule.beta_slow, "beta_fast", rule.beta_fast, "a number not below beta_slow");
  if (rule.mscale)
    require(rule.mscale.value >= 0 && rule.mscale.value <= largest_number, "mscale", rule.mscale.value,
            "a finite number, 0 (unset) or above");
  if (rule.mscale_all_dim)
    require(rule.mscale_all_dim.value >= 0 && rule.mscale_all_dim.value <= largest_number, "mscale_all_dim",
            rule.mscale_all_dim.value, "a finite number, 0 (unset) or above");
  if (rule.attention_factor) require_positive("attention_factor", rule.attention_factor.value);
}

/// Calls each(key, number) for every number of the rule.
template <class Each>
constexpr void for_each_number(const yarn& rule, Each each) {
  each("factor", rule.factor);
  each("original_max_position_embeddings", rule.original_max_position_embeddings);
  if (!rule.factor && rule.max_position_embeddings > 0)
    each("max_position_embeddings", rule.max_position_embeddings);
  each("beta_fast", rule.beta_fast);
  each("beta_slow", rule.beta_slow);
  each("truncate", rule.truncate);
  each("mscale", rule.mscale);
  each("mscale_all_dim", rule.mscale_all_dim);
  each("attention_factor", rule.attention_factor);
}

}  // namespace ropewalk
