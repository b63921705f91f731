#pragma once
// NTK-aware scaling: the base grows, by length or by a fixed factor. Names as in a Hugging Face `rope_scaling` block.

#include "ropewalk/config/require.hpp"

namespace ropewalk {

/// NTK by length: the base grows with the sequence, and is the model's own up to max_position_embeddings.
struct dynamic {
  double factor = 0;
  double max_position_embeddings = 0;
};

/// NTK at a fixed factor: the base grows so that the slowest pair is divided by `factor`.
struct ntk {
  double factor = 0;
};

constexpr void validate(const dynamic& rule) {
  require_positive("factor", rule.factor);
  require_positive("max_position_embeddings", rule.max_position_embeddings);
}

constexpr void validate(const ntk& rule) { require_positive("factor", rule.factor); }

}  // namespace ropewalk
