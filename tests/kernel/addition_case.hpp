#pragma once
// Test cases of additions, and their expected results by plain loops over the mirror and the tables.

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "kernel/one_tensor_call.hpp"
#include "ropewalk/kernel/addition.hpp"
#include "ropewalk/kernel/resolved_alibi.hpp"
#include "ropewalk/kernel/resolved_sinusoidal.hpp"
#include "ropewalk/table/alibi_table.hpp"
#include "ropewalk/table/sinusoidal_rows.hpp"

namespace ropewalk::test {

/// Shape of an addition, as a rotation_case without a key: head_dim is its width.
inline rotation_case shape(ropewalk_dtype dtype, int width, std::int64_t tokens, std::int64_t heads) {
  return {.encoding = {},
          .layout = {.head_dim = width},
          .dtype = dtype,
          .tokens = tokens,
          .query_heads = heads,
          .key_heads = 0};
}

inline std::int64_t position_of(const rotation_case& rotation, std::int64_t token) {
  return rotation.positions.empty() ? token % rotation.tokens
                                    : rotation.positions[static_cast<std::size_t>(token)];
}

/// x + entry(head, position, channel) for every element that has an entry; the others are copied.
template <class EntryOf>
std::vector<std::uint64_t> sums(const rotation_case& rotation, const tensors& in, EntryOf entry_of) {
  std::vector<std::uint64_t> out = in.query;
  with_format(rotation.dtype, [&]<class Float>() {
    const std::int64_t width = rotation.layout.head_dim;
    for (std::int64_t token = 0; token < rotation.batch * rotation.tokens; ++token)
      for (std::int64_t head = 0; head < rotation.query_heads; ++head)
        for (std::int64_t channel = 0; channel < width; ++channel) {
          auto& element =
              out[static_cast<std::size_t>((token * rotation.query_heads + head) * width + channel)];
          const auto entry = entry_of.template operator()<rotation_format<Float>>(
              head, position_of(rotation, token), channel);
          if (entry) element = add_entry<Float>(static_cast<bits_of<Float>>(element), *entry);
        }
  });
  return out;
}

/// The sums of x and sinusoidal rows. The last channel of an odd width is in no pair and is copied.
inline std::vector<std::uint64_t> canonical_sums(const sinusoidal& config, const rotation_case& rotation,
                                                 const tensors& in) {
  return sums(rotation, in, [&]<class Wide>(std::int64_t, std::int64_t position, std::int64_t channel) {
    const auto at = content_of(static_cast<int>(channel), config);
    return at.holds == wave::zero ? std::optional<bits_of<Wide>>{}
                                  : round_sinusoidal_entry<Wide>(static_cast<double>(position),
                                                                 static_cast<int>(channel), config);
  });
}

/// The sums of scores and biases; the channels of the scores are keys.
inline std::vector<std::uint64_t> canonical_sums(const alibi& config, const rotation_case& rotation,
                                                 const tensors& in) {
  const alibi_biases biases(config);
  return sums(rotation, in, [&]<class Wide>(std::int64_t head, std::int64_t query, std::int64_t key) {
    return std::optional(biases.entry<Wide>(static_cast<int>(head), query, key, rotation.layout.head_dim));
  });
}

/// ALiBi of one head.
inline ropewalk_bias_addition one_head(const ropewalk_real& slope) {
  return {.head = head_of<add_bias, ropewalk_bias_addition>(),
          .heads = 1,
          .is_symmetric = 0,
          .slopes = &slope,
          .origin = ROPEWALK_FROM_QUERY};
}

/// An in-place call on all tokens of scores [queries, heads, keys], with positions counted from 0.
inline ropewalk_bias_call in_place(const ropewalk_tensor& scores) {
  ropewalk_tokens tokens{};
  tokens.end = scores.shape[0];
  return one_tensor_call(ropewalk_bias_addition{}, tokens, scores, scores);
}

/// Expects these sums from a kernel.
template <class Resolved>
void expect_sums(const ropewalk_kernel& kernel, const Resolved& resolved, const rotation_case& rotation,
                 const std::vector<std::uint64_t>& wanted, const tensors& in) {
  laid_out memory(rotation, in);
  const planned plan(kernel, resolved.view());
  ASSERT_EQ(plan.status, ROPEWALK_OK) << plan.error.text;
  ASSERT_EQ(plan.apply(call_for(resolved.view(), memory)), ROPEWALK_OK)
      << plan.error.field << ' ' << plan.error.text;
  EXPECT_EQ(first_difference(rotation.dtype, memory.read().query, wanted), -1) << name_of(rotation.dtype);
  EXPECT_TRUE(memory.guards_are_intact());
}

/// A binary64 number as an exact ropewalk_real.
inline ropewalk_real exact_real(double value) {
  const decoded number = decode<double>(to_bits(value));
  ropewalk_real real{};
  const std::uint64_t high = number.significand << 11;
  real.significand[7] = static_cast<std::uint32_t>(high >> 32);
  real.significand[6] = static_cast<std::uint32_t>(high);
  real.exponent = number.exponent - 203;  // 256 - 53
  return real;
}

}  // namespace ropewalk::test
