#pragma once
// Attention with linear biases (ALiBi): what decides its numbers.
// Press et al. 2022 (arXiv:2108.12409). There is nothing learned, and nothing that knows a length.

#include "ropewalk/config/require.hpp"

namespace ropewalk {

/// What a key behind the query and a key ahead of it get: causal, -slope (query - key), which is positive for
/// keys ahead, all of them masked; symmetric, -slope |query - key|, for attention that sees both sides.
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

/// How many numbers are learned.
constexpr int learned_parameters(const alibi&) { return 0; }

}  // namespace ropewalk
