#pragma once
// A case that a law is tried on: one query tensor, at most one key tensor, their positions, and how a kernel
// is asked to turn them. Elements are bit patterns, so a signalling NaN and a subnormal arrive as they were
// written.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ropewalk/kernel/dtype.hpp"
#include "ropewalk/law/judge/place.hpp"
#include "ropewalk/numeric/format.hpp"

namespace ropewalk {

/// The floating environment in which a kernel is called: it must give the same bits in every one.
enum class caller_environment { usual, flushing, upward };

/// Elements are dense, [batch][tokens][heads][head_dim]; `gap` says how they lie in the kernel's memory.
struct law_case {
  ropewalk_dtype dtype = ROPEWALK_F32;
  int head_dim = 0;
  std::int64_t batch = 1;
  std::int64_t tokens = 1;
  std::int64_t query_heads = 1;
  std::int64_t key_heads = 0;     // 0: no key
  std::int64_t gap = 0;           // unused elements after each head, token and batch row
  std::int64_t channel_step = 1;  // elements from one channel to the next
  bool heads_first = false;       // [batch][heads][tokens][head_dim] in memory
  std::int64_t output_gap = 0;    // out of place: so many more unused elements in the output
  std::uint32_t reversed = 0;     // bit i: axis i of [batch, tokens, heads, head_dim] has a negative stride
  bool in_place = false;
  caller_environment environment = caller_environment::usual;
  std::uint32_t flags = 0;              // ROPEWALK_BACKWARD, ROPEWALK_UNIT
  std::vector<std::int32_t> positions;  // [batch][tokens]
  std::vector<std::uint64_t> query;
  std::vector<std::uint64_t> key;
  std::int32_t shift = 0;  // the second rotation's position, or the number added to every position
  int power = 0;           // exponent of the power of two of linearity
  int range = -1;          // extrapolation: positions lie in +-[2^range, 2^(range + 1))
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

/// Position of one token of one batch row.
///
/// domain  0 <= row < batch, 0 <= token < tokens
inline std::int32_t position_of(const law_case& given, std::int64_t row, std::int64_t token) {
  return given.positions[static_cast<std::size_t>(row * given.tokens + token)];
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

}  // namespace ropewalk
