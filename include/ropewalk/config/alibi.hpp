#pragma once
// Attention with linear biases (ALiBi): its configuration.
// Press et al. 2022 (arXiv:2108.12409). No parameter is learned, and none depends on a length.

#include "ropewalk/config/require.hpp"

namespace ropewalk {

/// Bias of keys behind the query and ahead of it: causal, -slope (query - key), positive for keys ahead,
/// which a causal mask hides; symmetric, -slope |query - key|, for attention to both sides.
enum class alibi_form { causal, symmetric };

/// "causal" or "symmetric": the form as the command line spells it.
constexpr const char* name_of(alibi_form form) { return form == alibi_form::causal ? "causal" : "symmetric"; }

/// Number of heads and form of the bias. Structural: a table's template argument.
struct alibi {
  int heads = 0;
  alibi_form form = alibi_form::causal;
};

inline constexpr int largest_head_count = 65536;

/// throws  std::invalid_argument naming the field, its value and what is allowed
constexpr void validate(const alibi& config) {
  require(config.heads >= 1 && config.heads <= largest_head_count, "heads", config.heads,
          "a number from 1 to 65536");
  require(config.form == alibi_form::causal || config.form == alibi_form::symmetric, "form",
          static_cast<double>(config.form), "causal or symmetric");
}

/// Number of learned parameters: none.
constexpr int learned_parameters(const alibi&) { return 0; }

}  // namespace ropewalk
