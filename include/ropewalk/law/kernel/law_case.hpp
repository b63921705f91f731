#pragma once
// A case of a law: one query tensor, at most one key tensor, their positions, and the options of the call.
// Elements are bit patterns, so that signalling NaNs and subnormals reach the kernel unchanged.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "ropewalk/config/position_range.hpp"
#include "ropewalk/kernel/dtype.hpp"
#include "ropewalk/law/judge/place.hpp"
#include "ropewalk/numeric/format.hpp"

namespace ropewalk {

/// The floating-point environment of a kernel's caller. A kernel that promises bits gives the same bits in
/// each.
enum class caller_environment { usual, flushing, upward };

inline constexpr int most_axes = 4;  // position rows of a case, at most

/// Layout of one tensor in memory.
struct tensor_layout {
  std::int64_t gap = 0;           // unused elements after each head, token and batch row
  std::int64_t row_gap = 0;       // further ones after each token, as in a row shared with other tensors
  std::int64_t channel_step = 1;  // elements from one channel to the next
  bool heads_first = false;       // [batch][heads][tokens][head_dim] in memory
  std::uint32_t reversed = 0;     // bit i: axis i of [batch, tokens, heads, head_dim] has a negative stride
  // Bytes from an aligned address to the lowest element: a multiple of its size, or of page_bytes in the law
  // of sizes.
  int unaligned = 0;
  friend bool operator==(const tensor_layout&, const tensor_layout&) = default;
};

/// One case. Its elements are dense, [batch][tokens][heads][head_dim]; the layouts place them in the kernel's
/// memory. The last four members are for the law of sizes.
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
  bool key_otherwise = false;  // exactly one of query and key is in place
  // Query and key inputs are views of one tensor in memory, with the query's heads first and query_in's
  // layout: one fused row per token. In place, so are the outputs. Excludes key_otherwise.
  bool fused = false;
  bool shares_heads = false;  // out of place: equal heads of each token are stored once, with stride 0
  caller_environment environment = caller_environment::usual;
  std::uint32_t flags = 0;          // ROPEWALK_BACKWARD, ROPEWALK_UNIT
  int axes = 1;                     // rows of positions
  std::vector<int> axis;            // the row that rotates each pair; empty: the first for all
  std::vector<double> positions;    // [axes][batch][tokens]; int32 numbers unless has_real_positions
  bool has_real_positions = false;  // the call gives them in binary64: each is below 2^31 in magnitude
  std::int64_t position_step = 1;   // stride from one token's position to the next; not 0
  position_range table{};           // the plan's hint of frequent positions; equal ends: none
  std::vector<std::uint64_t> query;
  std::vector<std::uint64_t> key;
  std::array<double, most_axes> shift{};  // the second rotation's position on each axis
  int power = 0;                          // linearity: the input is scaled by 2^power
  // Extrapolation: positions lie in +-[2^range, 2^(range + 1)); real ones of range 0 anywhere below 2.
  int range = -1;
  int rotary_dim = 0;      // 0: the kernel's encoding; else an unscaled one of its base
  std::uint64_t fill = 0;  // not 0: the seed that elements are generated from; they are not listed
  bool counted = false;    // the call gives no positions; the kernel must count those above
  std::vector<std::int64_t> sequence_offset{};  // of one batch row, as in ropewalk_tokens; empty: none
  friend bool operator==(const law_case&, const law_case&) = default;
};

/// Heads of query or key; 0 where there is no key.
inline std::int64_t heads_of(const law_case& test_case, operand which) {
  return which == operand::query ? test_case.query_heads : test_case.key_heads;
}

/// Whether the output of query or key is the view of its input.
inline bool is_in_place(const law_case& test_case, operand which) {
  return test_case.in_place != (which == operand::key && test_case.key_otherwise);
}

/// Elements of query or key, as bit patterns.
///
/// shape   [batch, tokens, heads, head_dim], dense
inline const std::vector<std::uint64_t>& elements_of(const law_case& test_case, operand which) {
  return which == operand::query ? test_case.query : test_case.key;
}

/// Index of channel 0 of a head in the dense tensor.
inline std::size_t head_start(const law_case& test_case, const place& at) {
  const std::int64_t head = (at.row * test_case.tokens + at.token) * heads_of(test_case, at.tensor) + at.head;
  return static_cast<std::size_t>(head * test_case.head_dim);
}

/// The row of positions that rotates one pair.
inline int axis_of(const law_case& test_case, int pair) {
  return test_case.axis.empty() ? 0 : test_case.axis[static_cast<std::size_t>(pair)];
}

/// Position of one token of one batch row on one axis.
///
/// domain  0 <= row < batch, 0 <= token < tokens, 0 <= axis < axes
inline double position_of(const law_case& test_case, std::int64_t row, std::int64_t token, int axis = 0) {
  return test_case
      .positions[static_cast<std::size_t>((axis * test_case.batch + row) * test_case.tokens + token)];
}

/// The largest |position| of one token over all axes.
inline double farthest_position_of(const law_case& test_case, std::int64_t row, std::int64_t token) {
  double position = 0;
  for (int axis = 0; axis < test_case.axes; ++axis)
    position = std::max(position, std::abs(position_of(test_case, row, token, axis)));
  return position;
}

/// Visits every head of every token of both tensors: visit(place).
template <class Visit>
void for_each_head(const law_case& test_case, Visit visit) {
  for (std::int64_t row = 0; row < test_case.batch; ++row)
    for (std::int64_t token = 0; token < test_case.tokens; ++token)
      for (const operand which : {operand::query, operand::key})
        for (std::int64_t head = 0; head < heads_of(test_case, which); ++head)
          visit(place{which, row, token, head, -1, -1, position_of(test_case, row, token)});
}

/// Visits every pair of every head, at the position on the pair's axis: visit(place).
template <class Visit>
void for_each_pair(const law_case& test_case, int pairs, Visit visit) {
  for_each_head(test_case, [&](place where) {
    for (where.pair = 0; where.pair < pairs; ++where.pair) {
      where.position = position_of(test_case, where.row, where.token, axis_of(test_case, where.pair));
      visit(static_cast<const place&>(where));
    }
  });
}

}  // namespace ropewalk
