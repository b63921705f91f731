#pragma once
// Calls of additions on dense tensors.

#include <cstddef>
#include <cstdint>

#include "ropewalk/kernel/operation.hpp"

namespace ropewalk::bench {

/// A dense tensor [tokens, heads, channels].
inline ropewalk_tensor dense_tensor(std::byte* data, ropewalk_dtype dtype, std::int64_t tokens,
                                    std::int64_t head_count, std::int64_t channels) {
  return {.data = data,
          .dtype = dtype,
          .rank = 3,
          .shape = {tokens, head_count, channels, 0},
          .stride = {head_count * channels, channels, 1, 0}};
}

/// A call for all tokens of a tensor, at positions from 0.
template <class Operation>
typename Operation::call addition_call(const ropewalk_tensor& from, std::byte* to, std::int64_t count) {
  ropewalk_tokens tokens{};
  tokens.end = count;
  ropewalk_tensor into = from;
  into.data = to;
  return {head_of<Operation, typename Operation::call>(), tokens, from, into};
}

}  // namespace ropewalk::bench
