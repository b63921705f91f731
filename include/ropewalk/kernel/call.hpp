#pragma once
// Checks of a call: every field is checked before anything is written.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "ropewalk/config/position_range.hpp"
#include "ropewalk/kernel/checked_call.hpp"
#include "ropewalk/kernel/overlap.hpp"
#include "ropewalk/kernel/tensor.hpp"

namespace ropewalk {

/// The positions that a plan serves: how many rows of them, and whether they may be binary64 numbers.
struct position_rows {
  int axes = 1;
  bool may_be_real = false;
};

namespace detail {

/// Whether two plain tensors have the same dtype, rank and shape.
inline bool is_like(const tensor_view& a, const tensor_view& b) {
  return a.dtype == b.dtype && a.rank == b.rank && a.batch() == b.batch() && a.tokens() == b.tokens() &&
         a.heads() == b.heads() && a.channels() == b.channels();
}

/// Fills `tensor` in place: a copy of fields just written would stall on the store buffer.
inline void check_tensors(const ropewalk_tensor& in, const ropewalk_tensor& out, std::string_view in_name,
                          std::string_view out_name, std::int64_t head_dim, rotated_tensor& tensor) {
  tensor.is_present = true;
  if (read_plain(in, in_name, tensor.in) && read_plain(out, out_name, tensor.out) &&
      is_like(tensor.in, tensor.out) && tensor.in.channels() == head_dim)
    return;
  tensor.in = view_of(in, in_name);
  tensor.out = view_of(out, out_name);
  const int last = tensor.in.rank - 1;
  require_field(tensor.in.channels() == head_dim, {in_name, "shape", last}, tensor.in.channels(),
                "the plan's head_dim");
  require_field(tensor.out.dtype == tensor.in.dtype, {out_name, "dtype"}, tensor.out.dtype,
                "the dtype of the input");
  require_field(tensor.out.rank == tensor.in.rank, {out_name, "rank"}, tensor.out.rank,
                "the rank of the input");
  for (int i = 0; i <= last; ++i)
    require_field(out.shape[i] == in.shape[i], {out_name, "shape", i}, out.shape[i],
                  "the shape of the input");
  if (!has_separate_elements(tensor.out))
    refuse_field({out_name, "stride"}, "makes elements of the output overlap");
}

inline void require_apart(const tensor_view& written, std::string_view name, const tensor_view& other,
                          std::string_view other_name, bool in_place_allowed) {
  if (have_separate_hulls(written, other) || (in_place_allowed && same_view(written, other))) return;
  if (may_overlap(written, other))
    refuse_field({name, "data"}, "overlaps " + std::string(other_name) + "; allowed: " +
                                     (in_place_allowed ? "the same view (in place), or " : "") +
                                     "memory that does not overlap");
}

inline void check_key(checked_call& result, const ropewalk_rotation_call& call) {
  if (call.key_in.data == nullptr && call.key_out.data == nullptr) return;
  check_tensors(call.key_in, call.key_out, "key_in", "key_out", result.query.in.channels(), result.key);
  require_field(result.key.in.dtype == result.dtype, {"key_in", "dtype"}, result.key.in.dtype,
                "the dtype of the query");
  require_field(result.key.in.rank == result.query.in.rank, {"key_in", "rank"}, result.key.in.rank,
                "the rank of the query");
  const int first = 4 - result.key.in.rank;
  for (int axis = first; axis < 2; ++axis) {
    const auto i = static_cast<std::size_t>(axis);
    require_field(result.key.in.shape[i] == result.query.in.shape[i], {"key_in", "shape", axis - first},
                  result.key.in.shape[i], "as many batch rows and tokens as the query");
  }
  require_apart(result.key.out, "key_out", result.key.in, "key_in", true);
  require_apart(result.key.out, "key_out", result.query.in, "query_in", false);
  require_apart(result.query.out, "query_out", result.key.in, "key_in", false);
  require_apart(result.query.out, "query_out", result.key.out, "key_out", false);
}

inline void check_sequences(checked_call& result, const ropewalk_tokens& call) {
  if (call.sequence_offset == nullptr) return;
  result.sequence_offset = call.sequence_offset;
  const field_name offsets{"tokens", "sequence_offset"};
  require_aligned(call.sequence_offset, offsets);
  require_field(result.query.in.rank == 3, offsets, result.query.in.rank, "NULL where the rank is 4");
  require_field(call.sequences >= 0 && call.sequences <= std::numeric_limits<std::int64_t>::max() - 1,
                {"tokens", "sequences"}, call.sequences, "0 or above");
  require_field(call.sequence_offset[0] == 0, offsets, call.sequence_offset[0], "0 as the first entry");
  for (std::int64_t i = 0; i < call.sequences; ++i)
    require_field(call.sequence_offset[i] <= call.sequence_offset[i + 1], offsets,
                  call.sequence_offset[i + 1], "at least the entry before it");
  require_field(call.sequence_offset[call.sequences] == result.tokens, offsets,
                call.sequence_offset[call.sequences], "the number of tokens as the last entry");
}

inline constexpr field_name positions_field{"tokens", "positions"};

/// Refuses positions that overlap an output. They occupy bytes lowest <= offset < highest from `positions`.
inline void require_positions_apart(const void* positions, std::int64_t lowest, std::int64_t highest,
                                    const rotated_tensor& tensor) {
  if (!tensor.is_present || is_empty(tensor.out)) return;
  const auto at = reinterpret_cast<std::uintptr_t>(positions),
             to = reinterpret_cast<std::uintptr_t>(tensor.out.data);
  const auto moved = [](std::uintptr_t address, std::int64_t count) {
    return address + static_cast<std::uintptr_t>(count);
  };
  if (moved(at, lowest) < moved(to, tensor.out.highest) && moved(to, tensor.out.lowest) < moved(at, highest))
    refuse_field(positions_field, "overlap an output; allowed: memory that does not overlap");
}

/// Refuses a position that is not finite; reports magnitudes of 2^31 or more as undecided. Compares bits,
/// because the caller may treat subnormals as zeros.
inline void check_real_position(double position) {
  constexpr std::uint64_t end_bits = 0x41e0000000000000;  // the bits of 2^31
  const std::uint64_t size = to_bits(position) & ~format<double>::sign_bit;
  if (size < end_bits) [[likely]]
    return;
  if (size >= format<double>::infinity)
    refuse_field(positions_field, "are not all finite; allowed: numbers between -2147483648 and 2147483648");
  throw refused_call(positions_field.text(),
                     positions_field.text() + " reach " + std::to_string(position) +
                         ", where no rounding is promised; allowed: between -2147483648 and 2147483648",
                     ROPEWALK_UNDECIDED);
}

/// Checks the binary64 positions of the tokens that the call processes.
inline void check_real_positions(const checked_call& call, int axes) {
  if (call.real_positions == nullptr) return;
  for_each_token(call, [&](const token_place& place) {
    for (int axis = 0; axis < axes; ++axis) check_real_position(place.real_position(axis));
  });
}

/// Checks that the positions fit the plan's axes and that every byte offset into them fits in an int64.
inline void check_positions(checked_call& result, const ropewalk_positions& call, const position_rows& rows) {
  const int axes = rows.axes;
  const std::int64_t extent[3] = {axes, result.query.in.batch(), result.tokens};
  if (call.kind == ROPEWALK_COUNTED) {
    require_field(result.tokens <= largest_position + 1, positions_field, result.tokens,
                  "at most 2147483648 tokens where they are counted");
    return;
  }
  const bool is_real = call.kind == ROPEWALK_POSITIONS_F64;
  require_field(call.kind == ROPEWALK_POSITIONS_I32 || is_real, {"tokens", "positions.kind"}, call.kind,
                "0 (counted), 1 (int32) or 2 (binary64)");
  if (is_real && !rows.may_be_real)
    decline_field({"tokens", "positions.kind"},
                  "is 2 (binary64), which this kernel does not serve, or not without turns_real");
  require_field(call.axes == axes, {"tokens", "positions.axes"}, call.axes, "the encoding's axes");
  require_pointer(call.data, {"tokens", "positions.data"}, "one position per token on each axis");
  if (is_real) {
    result.real_positions = static_cast<const double*>(call.data);
    require_aligned(result.real_positions, {"tokens", "positions.data"});
  } else {
    result.positions = static_cast<const std::int32_t*>(call.data);
    require_aligned(result.positions, {"tokens", "positions.data"});
  }
  const auto number_bytes = static_cast<std::int64_t>(is_real ? sizeof(double) : sizeof(std::int32_t));
  std::copy_n(call.stride, 3, result.position_stride.begin());
  if (extent[1] == 0 || extent[2] == 0) return;
  std::int64_t lowest = 0, highest = 0;
  for (int i = 0; i < 3; ++i) {
    const field_name field{"tokens", "positions.stride", i};
    if (extent[i] == 1) continue;
    const std::int64_t reach =
        checked_multiply(checked_multiply(extent[i] - 1, call.stride[i], field), number_bytes, field);
    std::int64_t& end = reach < 0 ? lowest : highest;
    end = checked_add(end, reach, field);
  }
  highest += number_bytes;
  require_addresses(call.data, lowest, highest, positions_field);
  require_positions_apart(call.data, lowest, highest, result.query);
  require_positions_apart(call.data, lowest, highest, result.key);
}

/// Checks sequences, positions and the token range, once the tensors have been checked.
inline void check_tokens(checked_call& call, const ropewalk_tokens& tokens, const position_rows& rows) {
  check_sequences(call, tokens);
  check_positions(call, tokens.positions, rows);
  const std::int64_t total = checked_multiply(call.query.in.batch(), call.tokens, {"tokens", "end"});
  require_field(tokens.begin >= 0 && tokens.begin <= total, {"tokens", "begin"}, tokens.begin,
                "0 to batch x tokens");
  require_field(tokens.end >= tokens.begin && tokens.end <= total, {"tokens", "end"}, tokens.end,
                "begin to batch x tokens");
  call.begin = tokens.begin;
  call.end = tokens.end;
  check_real_positions(call, rows.axes);
}

/// Checks the tensor that every call requires.
inline checked_call check_main_tensor(const ropewalk_tensor& in, const ropewalk_tensor& out,
                                      std::string_view in_name, std::string_view out_name,
                                      std::int64_t channels) {
  checked_call tensor;
  check_tensors(in, out, in_name, out_name, channels, tensor.query);
  tensor.dtype = tensor.query.in.dtype;
  tensor.tokens = tensor.query.in.tokens();
  require_apart(tensor.query.out, out_name, tensor.query.in, in_name, true);
  return tensor;
}

}  // namespace detail

/// Checks everything about a call except the values of elements.
///
/// domain  head_dim and position rows of the plan
/// throws  refused_call naming the field, its value and what is allowed
inline checked_call check(const ropewalk_rotation_call& call, std::int64_t head_dim,
                          const position_rows& rows) {
  require_field((call.flags & ~(ROPEWALK_BACKWARD | ROPEWALK_UNIT)) == 0, {"", "flags"}, call.flags,
                "ROPEWALK_BACKWARD and ROPEWALK_UNIT");
  checked_call result =
      detail::check_main_tensor(call.query_in, call.query_out, "query_in", "query_out", head_dim);
  result.backward = (call.flags & ROPEWALK_BACKWARD) != 0;
  result.unit = (call.flags & ROPEWALK_UNIT) != 0;
  detail::check_key(result, call);
  detail::check_tokens(result, call.tokens, rows);
  return result;
}

/// The same for row additions.
///
/// domain  width of the plan
inline checked_call check(const ropewalk_row_call& call, std::int64_t width, bool may_be_real = false) {
  checked_call result = detail::check_main_tensor(call.in, call.out, "in", "out", width);
  detail::check_tokens(result, call.tokens, {.axes = 1, .may_be_real = may_be_real});
  return result;
}

/// The same for bias additions, with any number of keys.
///
/// domain  heads of the plan
inline checked_call check(const ropewalk_bias_call& call, int heads) {
  const std::int32_t rank = call.scores_in.rank;
  const std::int64_t keys = rank == 3 || rank == 4 ? call.scores_in.shape[rank - 1] : 0;
  checked_call result =
      detail::check_main_tensor(call.scores_in, call.scores_out, "scores_in", "scores_out", keys);
  require_field(result.query.in.heads() == heads, {"scores_in", "shape", result.query.in.rank - 2},
                result.query.in.heads(), "the plan's heads");
  detail::check_tokens(result, call.tokens, {});
  return result;
}

}  // namespace ropewalk
