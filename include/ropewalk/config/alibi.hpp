#pragma once
// Configuration of attention with linear biases (ALiBi). Press et al. 2022 (arXiv:2108.12409). No parameter
// is learned, and none depends on a length.

#include <cstdint>

#include "ropewalk/config/require.hpp"

namespace ropewalk {

/// Multiplier of the slope. causal: key - query, positive for keys ahead, which a causal mask hides.
/// symmetric: -|query - key|, for attention in both directions. key: the key's position, as in BLOOM.
/// last_key: key - last key, as in MPT. The forms key and last_key differ from causal by a constant per row
/// of scores, which the softmax cancels.
enum class alibi_form { causal, symmetric, key, last_key };

/// Every form, in the order of the bits of ropewalk_limits.forms.
inline constexpr alibi_form alibi_forms[] = {alibi_form::causal, alibi_form::symmetric, alibi_form::key,
                                             alibi_form::last_key};

/// Name of the form on the command line: "causal", "symmetric", or the model's name, "bloom" or "mpt".
constexpr const char* name_of(alibi_form form) {
  switch (form) {
    case alibi_form::causal: return "causal";
    case alibi_form::symmetric: return "symmetric";
    case alibi_form::key: return "bloom";
    case alibi_form::last_key: break;
  }
  return "mpt";
}

/// Bit of the form in ropewalk_limits.forms.
constexpr std::uint64_t form_bit(alibi_form form) { return std::uint64_t{1} << static_cast<int>(form); }

/// Whether every query of a call gets the same biases.
constexpr bool is_by_key(alibi_form form) { return form == alibi_form::key || form == alibi_form::last_key; }

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
  require(config.form >= alibi_form::causal && config.form <= alibi_form::last_key, "form",
          static_cast<double>(config.form), "causal, symmetric, key or last_key");
}

/// Number of learned parameters: none.
constexpr int learned_parameters(const alibi&) { return 0; }

}  // namespace ropewalk
