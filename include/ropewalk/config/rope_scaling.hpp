#pragma once
// Context extension: how a model stretches its rotary frequencies beyond the length it was trained at.
// One struct a rule; names and defaults as in a Hugging Face `rope_scaling` block.

#include "ropewalk/config/given.hpp"
#include "ropewalk/config/require.hpp"

namespace ropewalk {

inline constexpr double largest_number = 0x1.fffffffffffffp+1023;

constexpr void require_positive(const char* field, double value) {
  require(value > 0 && value <= largest_number, field, value, "a finite number above 0");
}

/// Position interpolation (Chen et al. 2023): every frequency divided by `factor`.
struct linear {
  double factor = 0;
};

/// Llama 3.1's rule: long wavelengths divided by `factor`, short ones kept, a ramp between.
struct llama3 {
  double factor = 0;
  double low_freq_factor = 0;
  double high_freq_factor = 0;
  double original_max_position_embeddings = 0;
};

/// YaRN (Peng et al. 2023): a ramp over the pairs, and an attention factor.
struct yarn {
  double factor = 0;
  double original_max_position_embeddings = 0;
  double beta_fast = 32;
  double beta_slow = 1;
  bool truncate = true;
  given<double> mscale{};
  given<double> mscale_all_dim{};
  given<double> attention_factor{};
};

constexpr void validate(const linear& rule) { require_positive("factor", rule.factor); }

constexpr void validate(const llama3& rule) {
  require_positive("factor", rule.factor);
  require_positive("low_freq_factor", rule.low_freq_factor);
  require_positive("high_freq_factor", rule.high_freq_factor);
  require(rule.low_freq_factor < rule.high_freq_factor, "low_freq_factor", rule.low_freq_factor,
          "a number below high_freq_factor");
  require_positive("original_max_position_embeddings", rule.original_max_position_embeddings);
}

constexpr void validate(const yarn& rule) {
  require_positive("factor", rule.factor);
  require_positive("original_max_position_embeddings", rule.original_max_position_embeddings);
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

enum class scaling_rule { none, linear, llama3, yarn };

/// One scaling rule, or none. A tagged union: `rope{.base = 10000, .rotary_dim = 128, .scaling = yarn{.factor = 4, ...}}`.
struct rope_scaling {
  scaling_rule rule = scaling_rule::none;
  union {
    char as_none;
    linear as_linear;
    llama3 as_llama3;
    yarn as_yarn;
  };

  constexpr rope_scaling() : as_none(0) {}
  constexpr rope_scaling(linear scaling)
      : rule(scaling_rule::linear), as_linear(scaling) {}  // NOLINT: converts
  constexpr rope_scaling(llama3 scaling)
      : rule(scaling_rule::llama3), as_llama3(scaling) {}                               // NOLINT: converts
  constexpr rope_scaling(yarn scaling) : rule(scaling_rule::yarn), as_yarn(scaling) {}  // NOLINT: converts
};

/// The rule's name as a Hugging Face `rope_type` spells it.
constexpr const char* name_of(scaling_rule rule) {
  switch (rule) {
    case scaling_rule::none: return "default";
    case scaling_rule::linear: return "linear";
    case scaling_rule::llama3: return "llama3";
    case scaling_rule::yarn: return "yarn";
  }
  return "";
}

/// throws  std::invalid_argument naming the field, its value and what is allowed
constexpr void validate(const rope_scaling& scaling) {
  switch (scaling.rule) {
    case scaling_rule::none: return;
    case scaling_rule::linear: return validate(scaling.as_linear);
    case scaling_rule::llama3: return validate(scaling.as_llama3);
    case scaling_rule::yarn: return validate(scaling.as_yarn);
  }
}

}  // namespace ropewalk
