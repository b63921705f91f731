#pragma once
// The functions of each instruction set: rows of cosines and sines, rotations of heads by rows, and
// additions. Every target gives the same bits.

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
// Binary32 lanes of the widest target: rows are padded to a multiple of it.
inline constexpr int row_multiple = 16;
// Calls that write at least this number of bytes bypass the caches.
inline constexpr std::int64_t streamed_bytes = std::int64_t{16} << 20;
inline constexpr int stream_alignment = 64;  // bytes in a vector of the widest target

inline bool is_stream_aligned(const void* to) {
  return reinterpret_cast<std::uintptr_t>(to) % stream_alignment == 0;
}

/// Whether there are enough rows to bypass the caches, each of whole aligned vectors.
template <class Stored>
bool may_stream(std::int64_t rows, std::int64_t pairs, const Stored* cos, const Stored* sin) {
  const std::int64_t row_bytes = pairs * static_cast<std::int64_t>(sizeof(Stored));
  return 2 * rows * row_bytes >= streamed_bytes && row_bytes % stream_alignment == 0 &&
         is_stream_aligned(cos) && is_stream_aligned(sin);
}

constexpr int padded(int pairs) { return (pairs + row_multiple - 1) / row_multiple * row_multiple; }

/// Width of rows, rounded up to whole blocks.
constexpr int padded_to_blocks(int pairs) { return (pairs + block_pairs - 1) / block_pairs * block_pairs; }

/// Turns per position of eight pairs as 96-bit fractions, and bounds of their phase errors in radians.
struct alignas(64) turn_block {
  std::uint64_t low[block_pairs];  // 32 bits of the fraction in each word
  std::uint64_t middle[block_pairs];
  std::uint64_t high[block_pairs];
  double phase_error[block_pairs];  // 0 if turns are 0; infinity if the 96 bits are undecided
};

/// Input for a row of binary32 entries.
///
/// shape   blocks [padded(pairs) / block_pairs]
/// domain  quarter_turn::smallest_factor <= factor <= quarter_turn::largest_factor
struct row_source {
  const turn_block* blocks = nullptr;
  int pairs = 0;
  double factor = 1;  // multiplies cos and sin; within half an ulp of its exact value
};

/// Turns of eight pairs per 2^exponent of a position in binary64, modulo 1, as 128-bit fractions. Those of
/// slow pairs are scaled by a power of two to keep their upper bits.
struct alignas(64) real_turn_block {
  std::uint64_t word[4][block_pairs];  // 32 bits of the fraction in each, low word first
  double quarters[block_pairs];        // quarter turns per unit of the phase: 2^-62 without scaling
  // In radians: 0 for exact phases, infinity if bits are undecided.
  double phase_error[block_pairs];
};

/// Input for a row of binary32 entries at a position in binary64.
///
/// shape   blocks [padded_to_blocks(pairs) / block_pairs], for the exponent of the position
/// domain  that of row_source
struct real_row_source {
  const real_turn_block* blocks = nullptr;
  int pairs = 0;
  double factor = 1;
};

/// A position in binary64 without its exponent: an integer of at most quarter_turn::real_bits bits, and a
/// sign.
struct real_magnitude {
  std::uint64_t size = 0;
  bool is_negative = false;
};

/// As row_function, at a position in binary64. Exact zeros are +0.
///
/// domain  position is not 0
using real_row_function = int (*)(const real_row_source&, real_magnitude position, float* cos, float* sin,
                                  std::uint16_t* undecided);

/// As seed_function, at a position in binary64.
using real_seed_function = void (*)(const real_row_source&, real_magnitude position, double* cos,
                                    double* sin);

/// Fills a row of binary32 entries, correctly rounded except for the pairs that the rounding test leaves
/// undecided. These are listed.
///
/// shape   cos, sin [padded(pairs)], undecided [pairs]; returns the number of listed pairs
/// domain  position is a signed 32-bit number, not 0
using row_function = int (*)(const row_source&, std::int64_t position, float* cos, float* sin,
                             std::uint16_t* undecided);

/// Fills a row with the polynomials' values in binary64, for sums of angles.
///
/// shape   cos, sin [padded(pairs)]
using seed_function = void (*)(const row_source&, std::int64_t position, double* cos, double* sin);

/// Fills up to 32 rows of consecutive positions, each entry from its own phase; entries as for row_function.
/// Bit r of the result is set if row r has an undecided entry: one with a tie within |v| relative_reach + its
/// phase error of its value v.
///
/// shape   cos, sin [rows, padded_to_blocks(pairs)]
/// domain  signed 32-bit positions, none of them 0; relative_reach >= quarter_turn::relative_error
using phase_function = std::uint32_t (*)(const row_source&, double relative_reach, std::int64_t position,
                                         int rows, float* cos, float* sin);

/// Finds, among up to 32 rows, those with an entry that may round otherwise in a 16-bit format than the
/// number that was rounded to it: a tie of that format, or an entry that is subnormal in binary16. Bit r of
/// the result is set for row r, or if the next row's first entries qualify.
///
/// shape   cos, sin [rows, width], and memory up to padded(width) in the last row
using near_tie_function = std::uint32_t (*)(const float* cos, const float* sin, int rows, std::size_t width);

/// Rows of angles whose sums give rows: cosines and sines from seed_function. Those of the seed, cos and sin,
/// include the factor; those of the steps do not. The reaches bound the errors of every sum.
///
/// shape   cos, sin and the reaches [padded(pairs)], steps [rows, padded(pairs)]
struct angle_sum {
  const double* cos = nullptr;
  const double* sin = nullptr;
  const double* step_cos = nullptr;
  const double* step_sin = nullptr;
  const double* cos_reach = nullptr;
  const double* sin_reach = nullptr;
  const float* cos_float_reach = nullptr;  // at least the reach, and 0 where it is 0
  const float* sin_float_reach = nullptr;
  int pairs = 0;
};

/// The reaches of a seed.
///
/// shape   each [padded(pairs)]
struct seed_reaches {
  double* cos = nullptr;
  double* sin = nullptr;
  float* cos_float = nullptr;
  float* sin_float = nullptr;
};

/// Fills the reaches of a seed for all steps whose sines are at most `widest_step_sin`: relative_reach times
/// a bound of the sum's products, and the phases' errors.
///
/// shape   widest_step_sin, cos, sin [padded(pairs)]
/// domain  relative_reach >= quarter_turn::sum_error
using reach_function = void (*)(const row_source&, double relative_reach, const double* widest_step_sin,
                                const double* cos, const double* sin, const seed_reaches&);

/// The functions of sums of angles for one type of entry: binary32, or the bits of a 16-bit format.
template <class Stored, class Sum = angle_sum>
struct sum_functions {
  /// Fills one row; entries and listed pairs as for row_function.
  int (*row)(const Sum&, Stored* cos, Stored* sin, std::uint16_t* undecided);
  /// Fills up to 32 rows. Bit r of the result is set if row r has an undecided entry.
  ///
  /// shape   cos, sin [rows, pairs], and memory up to padded(pairs) in the last row
  std::uint32_t (*rows)(const Sum&, int rows, Stored* cos, Stored* sin);
  /// The same with streaming stores, for rows at multiples of stream_alignment.
  std::uint32_t (*stream_rows)(const Sum&, int rows, Stored* cos, Stored* sin);
};

/// Turns of the units of binary32 angles, by the exponent field of an angle: its significand, an integer,
/// counts units of 2^(field - 150) radians. As in turn_block; the phase error is infinite if a field has no
/// unit.
struct angle_units {
  static constexpr std::size_t fields = 256;
  std::uint64_t low[fields];
  std::uint64_t middle[fields];
  std::uint64_t high[fields];
  double phase_error[fields];
};

/// Cosines and sines of binary32 angles in radians; entries and listed angles as for row_function.
///
/// shape   angles, cos, sin [padded(count)]; undecided [count]
using angle_function = int (*)(const angle_units&, const float* angles, int count, float* cos, float* sin,
                               std::uint16_t* undecided);

/// row_function and sum_functions for a 16-bit format: entries are its bits.
struct narrow_functions {
  int (*row)(const row_source&, std::int64_t position, std::uint16_t* cos, std::uint16_t* sin,
             std::uint16_t* undecided);
  sum_functions<std::uint16_t> sums;
};

/// Rounds binary32 numbers to a 16-bit format, to nearest even.
///
/// shape   from, to [count], count a multiple of block_pairs
using narrow_function = void (*)(const float* from, std::size_t count, std::uint16_t* to);

/// Finds, among up to 32 rows of bits of a 16-bit format, those that differ from the result of
/// narrow_function. Bit r of the result is set for row r, or if only elements after it differ, up to
/// row_multiple of them.
///
/// shape   from, to [rows, width], and memory up to padded(width) in the last row
using not_rounded_function = std::uint32_t (*)(const float* from, const std::uint16_t* to, int rows,
                                               std::size_t width);

/// Parts of a row whose cosines and sines are unevaluated sums of two binary64 numbers: cos, its low part,
/// sin, its low part, each [padded(pairs)].
inline constexpr std::size_t wide_parts = 4;

/// Rows of angles whose sums give rows of binary64 numbers.
///
/// shape   seed [wide_parts, padded(pairs)], steps [rows, wide_parts, padded(pairs)], reaches [padded(pairs)]
struct wide_angle_sum {
  const double* seed = nullptr;
  const double* steps = nullptr;
  const double* cos_reach = nullptr;
  const double* sin_reach = nullptr;
  int pairs = 0;
};

/// Functions of sums of angles in pairs of binary64; null if the processor has no fused multiply-add.
struct wide_functions {
  /// Adds a step's angle to a seed's. The result is the seed of finer steps.
  ///
  /// shape   each [wide_parts, padded(pairs)]
  void (*seed)(const double* seed, const double* step, int pairs, double* to) = nullptr;
  sum_functions<double, wide_angle_sum> sums = {};
};

/// The layout shared by the heads of all tokens of a call; each head has contiguous channels.
struct heads_shape {
  std::ptrdiff_t from_stride = 0;  // bytes from head to head
  std::ptrdiff_t to_stride = 0;
  std::int64_t heads = 0;
  int pairs = 0;
  std::size_t rest = 0;   // bytes of the channels that pass through
  bool backward = false;  // the sines are negated
};

/// The heads of one token, and its row in the rotation's format.
struct token_heads {
  const std::byte* from;
  std::byte* to;  // equal to from, or does not overlap it
  const void* cos;
  const void* sin;
};

/// Rotates every head of some tokens, one token after another, by the canonical operation.
using turn_function = void (*)(const heads_shape&, std::span<const token_heads> tokens);

/// The pairs of a row that belong to one axis.
///
/// shape   axis_of_pair [pairs]
struct axis_choice {
  const int* axis_of_pair = nullptr;
  int axis = 0;
  int pairs = 0;
};

/// Takes the pairs of an axis from one row and all others from another row.
///
/// shape   others, of_axis, to [pairs] in the rotation's format; `to` may be `others`
using choose_function = void (*)(const axis_choice&, const void* others, const void* of_axis, void* to);

/// Heads with contiguous channels, evenly spaced in memory, and the rows added to them.
struct added_runs {
  const std::byte* from = nullptr;
  std::byte* to = nullptr;  // each head is written in place, or does not overlap the input
  const std::byte* row = nullptr;
  std::ptrdiff_t from_stride = 0;  // bytes from head to head
  std::ptrdiff_t to_stride = 0;
  std::ptrdiff_t row_stride = 0;  // 0: all heads receive the same row
  std::int64_t heads = 0;
  std::size_t channels = 0;
};

/// Adds rows to heads: x + t in the rotation's format, which is the row's, then rounded once to the
/// tensor's.
using add_function = void (*)(const added_runs&);

/// Bounds of a slope, far enough apart that their rounded products also enclose the exact product; all equal
/// if the slope is a power of two. Computed by src/kernel/slope_bounds.hpp.
struct slope_bounds {
  double low = 0;
  double high = 0;
  // For fused products in binary32, between nearest + low_rest and nearest + high_rest.
  bool is_short = false;  // whether the slope is in their range
  float nearest = 0;
  float low_rest = 0;
  float high_rest = 0;
};

/// A run of ALiBi's entries: slope x (first_reach + i), or -slope x |first_reach + i|.
struct bias_source {
  slope_bounds slope{};
  std::int64_t first_reach = 0;
  bool is_symmetric = false;
};

inline constexpr std::size_t most_bias_entries = 1024;  // in one run, a multiple of row_multiple

/// Fills a run of entries in binary32, correctly rounded except for those that the rounding test leaves
/// undecided. These are listed.
///
/// shape   to [padded(count)], undecided [count], count <= most_bias_entries; returns the number of listed
///         entries
using bias_function = int (*)(const bias_source&, std::size_t count, float* to, std::uint16_t* undecided);

/// The functions of one instruction set; null if the target has no vectors of a dtype.
///
/// Turn functions are indexed by dtype, input pairing and output pairing; if the pairings differ, `to` must
/// not be `from`. The `stream` functions bypass the caches and require heads at multiples of
/// stream_alignment.
struct target {
  const char* name;  // as on the command line: lower case, digits and hyphens
  row_function row;
  real_row_function real_row;
  phase_function rows_by_phase;
  near_tie_function near_ties;
  seed_function seed;
  real_seed_function real_seed;
  reach_function reach;
  sum_functions<float> sums;
  angle_function angles;
  narrow_functions binary16_rows;
  narrow_functions bfloat16_rows;
  wide_functions wide;
  turn_function turn[dtypes][2][2];
  turn_function stream[dtypes][2][2];
  narrow_function narrow[dtypes];
  not_rounded_function not_rounded[dtypes];
  choose_function choose[dtypes];  // by the rotation's format
  add_function add[dtypes];
  add_function stream_add[dtypes];  // bypasses the caches; `to` at multiples of stream_alignment
  bias_function bias;
  void (*finish_streaming)();
};

/// Declines a call with a dtype for which the target has no functions.
///
/// throws  refused_call with ROPEWALK_UNSUPPORTED naming the tensor's dtype
inline void require_served(bool has_functions, std::string_view tensor, ropewalk_dtype dtype) {
  if (!has_functions)
    decline_field({tensor, "dtype"}, std::string("is ") + name_of(dtype) +
                                         ", which this kernel does not support on this target");
}

/// The targets that this processor supports, best first.
std::span<const target* const> targets();

}  // namespace ropewalk::simd
