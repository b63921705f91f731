#pragma once
// A case that a law is tried on: one query tensor, at most one key tensor, their positions, and how a kernel
// is asked to turn them. Elements are bit patterns, so a signalling NaN and a subnormal arrive as they were
// written.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "ropewalk/config/position_range.hpp"
#include "ropewalk/kernel/dtype.hpp"
#include "ropewalk/law/judge/place.hpp"
#include "ropewalk/numeric/format.hpp"

namespace ropewalk {

/// The floating environment in which a kernel is called: it must give the same bits in every one.
enum class caller_environment { usual, flushing, upward };

inline constexpr int most_axes = 4;  // that a case has position rows for

/// How one tensor lies in memory.
struct tensor_layout {
  std::int64_t gap = 0;           // unused elements after each head, token and batch row
  std::int64_t channel_step = 1;  // elements from one channel to the next
  bool heads_first = false;       // [batch][heads][tokens][head_dim] in memory
  std::uint32_t reversed = 0;     // bit i: axis i of [batch, tokens, heads, head_dim] has a negative stride
  int unaligned = 0;  // bytes from a multiple of 16 (of sizes: of page_bytes) to the lowest element
  friend bool operator==(const tensor_layout&, const tensor_layout&) = default;
};

/// Elements are dense, [batch][tokens][heads][head_dim]; the layouts say how they lie in the kernel's memory. The last four
/// members are for the law of sizes.
struct law_case {
  ropewalk_dtype dtype = ROPEWALK_F32;
  int head_dim = 0;
  std::int64_t batch = 1;
  std::int64_t tokens = 1;
  std::int64_t query_heads = 1;
  std::int64_t key_heads = 0;  // 0: no key
  tensor_layout query_in{};
  tensor_layout key_in{};
  tensor_layout query_out{};  // out of place; in place the output is the input
  tensor_layout key_out{};
  bool in_place = false;
  bool shares_heads = false;  // out of place: heads of a token that are all equal are one in memory, stride 0
  caller_environment environment = caller_environment::usual;
  std::uint32_t flags = 0;              // ROPEWALK_BACKWARD, ROPEWALK_UNIT
  int axes = 1;                         // rows of positions
  std::vector<int> axis;                // which of them turns each pair; empty: the first turns all
  std::vector<std::int32_t> positions;  // [axes][batch][tokens]
  std::int64_t position_step = 1;       // from one token's position to the next one's in memory; not 0
  position_range table{};               // that the plan is told of; equal ends: not told
  std::vector<std::uint64_t> query;
  std::vector<std::uint64_t> key;
  std::array<std::int32_t, most_axes> shift{};  // the second rotation's position on each axis
  int power = 0;                                // exponent of the power of two of linearity
  int range = -1;                               // extrapolation: positions lie in +-[2^range, 2^(range + 1))
  int rotary_dim = 0;                           // 0: the kernel's encoding; else a plain one of the same base
  std::uint64_t fill = 0;  // not 0: elements are not listed, they follow from it and their place
  bool counted = false;    // no positions are given: those above are what the kernel counts
  std::vector<std::int64_t>
      sequence_offset{};  // where sequences of one batch row begin; empty: there are none
  friend bool operator==(const law_case&, const law_case&) = default;
};

/// Heads of query or key; 0 where there is no key.
inline std::int64_t heads_of(const law_case& given, operand which) {
  return which == operand::query ? given.query_heads : given.key_heads;
}

/// Elements of query or key, as bit patterns.
///
/// shape   [batch, tokens, heads, head_dim], dense
inline const std::vector<std::uint64_t>& elements_of(const law_case& given, operand which) {
  return which == operand::query ? given.query : given.key;
}

/// Index of channel 0 of a head in the dense tensor.
inline std::size_t head_start(const law_case& given, const place& at) {
  const std::int64_t head = (at.row * given.tokens + at.token) * heads_of(given, at.tensor) + at.head;
  return static_cast<std::size_t>(head * given.head_dim);
}

/// The row of positions that turns one pair.
inline int axis_of(const law_case& given, int pair) {
  return given.axis.empty() ? 0 : given.axis[static_cast<std::size_t>(pair)];
}

/// Position of one token of one batch row on one axis.
///
/// domain  0 <= row < batch, 0 <= token < tokens, 0 <= axis < axes
inline std::int32_t position_of(const law_case& given, std::int64_t row, std::int64_t token, int axis = 0) {
  return given.positions[static_cast<std::size_t>((axis * given.batch + row) * given.tokens + token)];
}

/// Its largest distance from 0, over all axes.
inline std::int64_t farthest_position_of(const law_case& given, std::int64_t row, std::int64_t token) {
  std::int64_t r = 0;
  for (int axis = 0; axis < given.axes; ++axis)
    r = std::max(r, std::abs(std::int64_t{position_of(given, row, token, axis)}));
  return r;
}

/// Visits every head of every token of both tensors: visit(place).
template <class Visit>
void for_each_head(const law_case& given, Visit visit) {
  for (std::int64_t row = 0; row < given.batch; ++row)
    for (std::int64_t token = 0; token < given.tokens; ++token)
      for (const operand which : {operand::query, operand::key})
        for (std::int64_t head = 0; head < heads_of(given, which); ++head)
          visit(place{which, row, token, head, -1, -1, position_of(given, row, token)});
}

/// Visits every pair of every head, with its own axis's position: visit(place).
template <class Visit>
void for_each_pair(const law_case& given, int pairs, Visit visit) {
  for_each_head(given, [&](place where) {
    for (where.pair = 0; where.pair < pairs; ++where.pair) {
      where.position = position_of(given, where.row, where.token, axis_of(given, where.pair));
      visit(static_cast<const place&>(where));
    }
  });
}

}  // namespace ropewalk
