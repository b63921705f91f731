#pragma once
// Attention masks: the keys that a query sees.

#include "ropewalk/config/require.hpp"

namespace ropewalk {

/// Keys that a query sees: all, as in an encoder, or those up to the query's own, as in a decoder.
enum class visible_keys { all, causal };

/// "all" or "causal".
constexpr const char* name_of(visible_keys keys) { return keys == visible_keys::all ? "all" : "causal"; }

/// Visible keys, and the offset of the queries. The keys may start with `memory_length` earlier tokens that
/// have no query: query i is at key memory_length + i.
struct attention_mask {
  visible_keys keys = visible_keys::all;
  int memory_length = 0;
};

/// throws  std::invalid_argument naming the field, its value and what is allowed
constexpr void validate(const attention_mask& mask) {
  require(mask.memory_length >= 0, "memory_length", mask.memory_length, "a number from 0 up");
}

/// Whether a query sees a key.
///
/// domain  query and key from 0 up
constexpr bool is_visible(int query, int key, const attention_mask& mask) {
  return mask.keys == visible_keys::all || key - mask.memory_length <= query;
}

}  // namespace ropewalk
