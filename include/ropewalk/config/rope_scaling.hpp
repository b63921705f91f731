#pragma once
// Context extension: how a model stretches its rotary frequencies beyond the length it was trained at.
// One struct a rule; names and defaults as in a Hugging Face `rope_scaling` block.

#include "ropewalk/config/llama3.hpp"
#include "ropewalk/config/longrope.hpp"
#include "ropewalk/config/ntk.hpp"
#include "ropewalk/config/require.hpp"
#include "ropewalk/config/yarn.hpp"

namespace ropewalk {

/// Position interpolation (Chen et al. 2023): every frequency divided by `factor`.
struct linear {
  double factor = 0;
};

/// Gemma 4's rule: the first `live_pairs` rotate, with exponents over the whole head; the others stand still.
struct proportional {
  int live_pairs = 0;
  double factor = 1;
};

constexpr void validate(const linear& rule) { require_positive("factor", rule.factor); }

constexpr void validate(const proportional& rule) {
  require(rule.live_pairs >= 1, "live_pairs", rule.live_pairs, "a number from 1 to rotary_dim / 2");
  require_positive("factor", rule.factor);
}

enum class scaling_rule { none, linear, dynamic, ntk, llama3, yarn, longrope, proportional };

/// One scaling rule, or none. A tagged union: `rope{.base = 10000, .rotary_dim = 128, .scaling = yarn{.factor = 4, ...}}`.
struct rope_scaling {
  scaling_rule rule = scaling_rule::none;
  union {
    char as_none;
    linear as_linear;
    dynamic as_dynamic;
    ntk as_ntk;
    llama3 as_llama3;
    yarn as_yarn;
    longrope as_longrope;
    proportional as_proportional;
  };

  // Each converts on purpose.
  constexpr rope_scaling() : as_none(0) {}
  constexpr rope_scaling(linear of) : rule(scaling_rule::linear), as_linear(of) {}        // NOLINT
  constexpr rope_scaling(dynamic of) : rule(scaling_rule::dynamic), as_dynamic(of) {}     // NOLINT
  constexpr rope_scaling(ntk of) : rule(scaling_rule::ntk), as_ntk(of) {}                 // NOLINT
  constexpr rope_scaling(llama3 of) : rule(scaling_rule::llama3), as_llama3(of) {}        // NOLINT
  constexpr rope_scaling(yarn of) : rule(scaling_rule::yarn), as_yarn(of) {}              // NOLINT
  constexpr rope_scaling(longrope of) : rule(scaling_rule::longrope), as_longrope(of) {}  // NOLINT
  constexpr rope_scaling(proportional of)
      : rule(scaling_rule::proportional), as_proportional(of) {}  // NOLINT
};

/// The rule's name as a Hugging Face `rope_type` spells it; `ntk` is ours, there is none.
constexpr const char* name_of(scaling_rule rule) {
  switch (rule) {
    case scaling_rule::none: return "default";
    case scaling_rule::linear: return "linear";
    case scaling_rule::dynamic: return "dynamic";
    case scaling_rule::ntk: return "ntk";
    case scaling_rule::llama3: return "llama3";
    case scaling_rule::yarn: return "yarn";
    case scaling_rule::longrope: return "longrope";
    case scaling_rule::proportional: return "proportional";
  }
  return "";
}

/// Whether the frequencies change with the length of the sequence.
constexpr bool depends_on_seq_len(scaling_rule rule) {
  return rule == scaling_rule::dynamic || rule == scaling_rule::longrope;
}

/// throws  std::invalid_argument naming the field, its value and what is allowed
constexpr void validate(const rope_scaling& scaling) {
  switch (scaling.rule) {
    case scaling_rule::none: return;
    case scaling_rule::linear: return validate(scaling.as_linear);
    case scaling_rule::dynamic: return validate(scaling.as_dynamic);
    case scaling_rule::ntk: return validate(scaling.as_ntk);
    case scaling_rule::llama3: return validate(scaling.as_llama3);
    case scaling_rule::yarn: return validate(scaling.as_yarn);
    case scaling_rule::longrope: return validate(scaling.as_longrope);
    case scaling_rule::proportional: return validate(scaling.as_proportional);
  }
}

}  // namespace ropewalk
