#pragma once
// Llama 3.1's rule. Names as in a Hugging Face `rope_scaling` block.

#include <string_view>

#include "ropewalk/config/require.hpp"

namespace ropewalk {

/// Llama 3.1's rule: frequencies of long wavelengths are divided by `factor`, those of short ones are kept,
/// and a ramp lies between. There is no ramp if both frequency factors are equal, as in Llama 4 Scout.
struct llama3 {
  static constexpr std::string_view name = "llama3";
  double factor = 0;
  double low_freq_factor = 0;
  double high_freq_factor = 0;
  double original_max_position_embeddings = 0;
};

/// Checks that every number is finite and above 0, and that low_freq_factor is not above high_freq_factor.
///
/// throws  std::invalid_argument naming the field, its value and what is allowed
constexpr void validate(const llama3& rule) {
  require_positive("factor", rule.factor);
  require_positive("low_freq_factor", rule.low_freq_factor);
  require_positive("high_freq_factor", rule.high_freq_factor);
  require(rule.low_freq_factor <= rule.high_freq_factor, "low_freq_factor", rule.low_freq_factor,
          "a number not above high_freq_factor");
  require_positive("original_max_position_embeddings", rule.original_max_position_embeddings);
}

/// Calls each(key, number) for every number of the rule.
template <class Each>
constexpr void for_each_number(const llama3& rule, Each each) {
  each("factor", rule.factor);
  each("low_freq_factor", rule.low_freq_factor);
  each("high_freq_factor", rule.high_freq_factor);
  each("original_max_position_embeddings", rule.original_max_position_embeddings);
}

}  // namespace ropewalk
