#pragma once
// What each instruction set provides: rows of cosines and sines, and heads turned by them. Every target gives the same bits.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "ropewalk/kernel/dtype.hpp"
#include "ropewalk/kernel/error.hpp"
#include "ropewalk/kernel/kernel.h"
#include "ropewalk/numeric/format.hpp"

namespace ropewalk::simd {

inline constexpr std::size_t dtypes = all_formats::size;
inline constexpr int block_pairs = 8;  // binary64 lanes of the widest target
inline constexpr int row_multiple =
    16;  // binary32 lanes of the widest target: rows have room for a multiple of it
// Written at once: more than caches keep.
inline constexpr std::int64_t streamed_bytes = std::int64_t{16} << 20;
inline constexpr int stream_alignment = 64;  // bytes of the widest target

inline bool is_stream_aligned(const void* to) {
  return reinterpret_cast<std::uintptr_t>(to) % stream_alignment == 0;
}

constexpr int padded(int pairs) { return (pairs + row_multiple - 1) / row_multiple * row_multiple; }

/// Turns per position of eight pairs as 96-bit fractions, and how far a phase may be off, in radians.
struct alignas(64) turn_block {
  std::uint64_t low[block_pairs];  // 32 bits in each
  std::uint64_t middle[block_pairs];
  std::uint64_t high[block_pairs];
  double phase_error[block_pairs];  // 0 where turns are 0; infinity where 96 bits are not known
};

/// What a row of binary32 entries is computed from.
///
/// shape   blocks [padded(pairs) / block_pairs]
/// domain  quarter_turn::smallest_factor <= factor <= quarter_turn::largest_factor
struct row_source {
  const turn_block* blocks = nullptr;
  int pairs = 0;
  double factor = 1;  // multiplies cos and sin; within half a unit in the last place of its exact value
};

/// A row of binary32 entries, correctly rounded but where the test did not decide: those pairs are listed.
///
/// shape   cos, sin [padded(pairs)], undecided [pairs]; returns how many are listed
/// domain  position is a signed 32-bit number, not 0
using row_function = int (*)(const row_source&, std::int64_t position, float* cos, float* sin,
                             std::uint16_t* undecided);

/// A row in binary64 as the polynomials give it, for sums of angles.
///
/// shape   cos, sin [padded(pairs)]
using seed_function = void (*)(const row_source&, std::int64_t position, double* cos, double* sin);

/// Two angles whose sum makes a row: cosines and sines as seed_function gives them, the factor in the first.
///
/// shape   each [padded(pairs)]
struct angle_sum {
  const double* cos = nullptr;
  const double* sin = nullptr;
  const double* step_cos = nullptr;
  const double* step_sin = nullptr;
  const double* phase_error = nullptr;  // of the sum, the factor left out
  double factor = 1;
  int pairs = 0;
};

/// The row of a sum, as row_function gives it.
using sum_function = int (*)(const angle_sum&, float* cos, float* sin, std::uint16_t* undecided);

/// A row whose cosines and sines are sums of two binary64 numbers each.
///
/// shape   each [padded(pairs)]
struct wide_row {
  const double* cos = nullptr;
  const double* cos_low = nullptr;
  const double* sin = nullptr;
  const double* sin_low = nullptr;
};

/// As angle_sum, for binary64 rows: each product of seed and step is off by no more than least_error, besides what the
/// arithmetic itself loses.
struct wide_angle_sum {
  wide_row seed;
  wide_row step;
  const double* least_error = nullptr;  // [padded(pairs)]
  int pairs = 0;
};

/// The binary64 row of a sum, as row_function gives binary32 rows.
using wide_sum_function = int (*)(const wide_angle_sum&, double* cos, double* sin, std::uint16_t* undecided);

/// The heads of one token, channels side by side.
struct head_run {
  const std::byte* from = nullptr;
  std::byte* to = nullptr;         // from itself, or apart from it
  std::ptrdiff_t from_stride = 0;  // bytes from head to head
  std::ptrdiff_t to_stride = 0;
  std::int64_t heads = 0;
  int pairs = 0;
  std::size_t rest = 0;  // bytes behind the rotated channels, copied
};

/// Turns every head of a run by the canonical operation. cos and sin are of the rotation's format: a row as it is, or spread
/// where the target says so.
using turn_function = void (*)(const head_run&, const void* cos, const void* sin);

/// A row spread over interleaved channels: each cosine twice, each sine negated and then as it is.
///
/// shape   cos, sin [pairs]; wide_cos, wide_sin [2 padded(pairs)]
using spread_function = void (*)(const void* cos, const void* sin, int pairs, void* wide_cos, void* wide_sin);

/// Adds a row to the elements of one head, side by side: x + t in the rotation's format, which the row has, rounded once.
///
/// shape   from, to [count] of the target's dtype, to is from itself or apart from it; row [count]
using add_function = void (*)(const std::byte* from, std::byte* to, const void* row, std::size_t count);

/// A run of ALiBi's entries: slope x (first_reach + i), or -slope x |first_reach + i|.
struct bias_source {
  double slope = 0;
  double relative_error = 0;  // of a product in binary64; 0 where the slope is a power of two
  double first_reach = 0;     // a whole number
  bool is_symmetric = false;
};

inline constexpr std::size_t most_bias_entries = 1024;  // in one run

/// The run in binary32, correctly rounded but where the test did not decide: those entries are listed.
///
/// shape   to, undecided [count], count <= most_bias_entries; returns how many are listed
using bias_function = int (*)(const bias_source&, std::size_t count, float* to, std::uint16_t* undecided);

/// One instruction set. Turn functions by dtype, pairing of the input and of the output; pairings differ only where `to`
/// is not `from`. Streaming ones write past the caches, to heads at multiples of stream_alignment. Null where the target has
/// no vectors of a dtype.
struct target {
  const char* name;  // as the command line spells it: lower case and digits
  row_function row;
  seed_function seed;
  sum_function sum;
  sum_function stream_sum;         // past the caches, to rows at multiples of stream_alignment
  wide_sum_function wide_sum;      // null where the processor has no fused multiply-add
  spread_function spread[dtypes];  // from interleaved to interleaved; null: it takes the row as it is
  turn_function turn[dtypes][2][2];
  turn_function stream[dtypes][2][2];
  add_function add[dtypes];
  add_function stream_add[dtypes];  // past the caches, to elements at multiples of stream_alignment
  bias_function bias;
  void (*finish_streaming)();
};

/// throws  refused_call with ROPEWALK_UNSUPPORTED naming the tensor's dtype unless the target has functions for it
inline void require_served(bool has_functions, std::string_view tensor, ropewalk_dtype dtype) {
  if (!has_functions)
    decline_field({tensor, "dtype"},
                  std::string("is ") + name_of(dtype) + "; this kernel has no vectors for it");
}

/// The targets that this processor has, best first.
std::span<const target* const> targets();

}  // namespace ropewalk::simd
