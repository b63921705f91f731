#pragma once
// One application of a kernel, checked as a whole before anything is written.

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "ropewalk/config/position_range.hpp"
#include "ropewalk/kernel/checked_call.hpp"
#include "ropewalk/kernel/overlap.hpp"
#include "ropewalk/kernel/tensor.hpp"

namespace ropewalk {

namespace detail {

inline rotated_tensor check_tensors(const ropewalk_tensor& in, const ropewalk_tensor& out,
                                    std::string_view in_name, std::string_view out_name,
                                    std::int64_t head_dim) {
  const rotated_tensor r{view_of(in, in_name), view_of(out, out_name), true};
  const int last = r.in.rank - 1;
  require_field(r.in.channels() == head_dim, {in_name, "shape", last}, r.in.channels(),
                "the plan's head_dim");
  require_field(r.out.dtype == r.in.dtype, {out_name, "dtype"}, r.out.dtype, "the dtype of the input");
  require_field(r.out.rank == r.in.rank, {out_name, "rank"}, r.out.rank, "the rank of the input");
  for (int i = 0; i <= last; ++i)
    require_field(out.shape[i] == in.shape[i], {out_name, "shape", i}, out.shape[i],
                  "the shape of the input");
  if (!has_separate_elements(r.out))
    refuse_field({out_name, "stride"}, "does not give each element a place of its own");
  return r;
}

inline void require_apart(const tensor_view& written, std::string_view name, const tensor_view& other,
                          std::string_view other_name, bool in_place_allowed) {
  if (in_place_allowed && same_view(written, other)) return;
  if (may_overlap(written, other))
    refuse_field({name, "data"}, "overlaps " + std::string(other_name) + "; allowed: " +
                                     (in_place_allowed ? "the same view (in place), or none of its memory"
                                                       : "none of its memory"));
}

inline void check_key(checked_call& r) {
  const ropewalk_call& call = *r.call;
  if (call.key_in.data == nullptr && call.key_out.data == nullptr) return;
  r.key = check_tensors(call.key_in, call.key_out, "key_in", "key_out", r.query.in.channels());
  require_field(r.key.in.dtype == r.dtype, {"key_in", "dtype"}, r.key.in.dtype, "the dtype of the query");
  require_field(r.key.in.rank == r.query.in.rank, {"key_in", "rank"}, r.key.in.rank, "the rank of the query");
  const int first = 4 - r.key.in.rank;
  for (int axis = first; axis < 2; ++axis) {
    const auto i = static_cast<std::size_t>(axis);
    require_field(r.key.in.shape[i] == r.query.in.shape[i], {"key_in", "shape", axis - first},
                  r.key.in.shape[i], "as many batch rows and tokens as the query");
  }
  require_apart(r.key.out, "key_out", r.key.in, "key_in", true);
  require_apart(r.key.out, "key_out", r.query.in, "query_in", false);
  require_apart(r.query.out, "query_out", r.key.in, "key_in", false);
  require_apart(r.query.out, "query_out", r.key.out, "key_out", false);
}

inline void check_sequences(const ropewalk_call& call, const checked_call& r) {
  if (call.sequence_offset == nullptr) return;
  const field_name offsets{"", "sequence_offset"};
  require_aligned(call.sequence_offset, offsets);
  require_field(r.query.in.rank == 3, offsets, r.query.in.rank, "NULL where the rank is 4");
  require_field(call.sequences >= 0 && call.sequences <= std::numeric_limits<std::int64_t>::max() - 1,
                {"", "sequences"}, call.sequences, "0 or above");
  require_field(call.sequence_offset[0] == 0, offsets, call.sequence_offset[0], "0 first");
  for (std::int64_t i = 0; i < call.sequences; ++i)
    require_field(call.sequence_offset[i] <= call.sequence_offset[i + 1], offsets,
                  call.sequence_offset[i + 1], "no entry below the one before it");
  require_field(call.sequence_offset[call.sequences] == r.tokens, offsets,
                call.sequence_offset[call.sequences], "the number of tokens last");
}

/// Bytes lowest <= offset < highest from the positions are none that the call writes.
inline void require_positions_apart(const ropewalk_call& call, std::int64_t lowest, std::int64_t highest,
                                    const rotated_tensor& tensor) {
  if (!tensor.is_present || is_empty(tensor.out)) return;
  const auto at = reinterpret_cast<std::uintptr_t>(call.positions),
             to = reinterpret_cast<std::uintptr_t>(tensor.out.data);
  const auto moved = [](std::uintptr_t address, std::int64_t by) {
    return address + static_cast<std::uintptr_t>(by);
  };
  if (moved(at, lowest) < moved(to, tensor.out.highest) && moved(to, tensor.out.lowest) < moved(at, highest))
    refuse_field({"", "positions"}, "overlap what is written; allowed: none of its memory");
}

/// Every index into positions that the call forms is an int64 and an address.
inline void check_positions(const ropewalk_call& call, const checked_call& r, int axes) {
  const std::int64_t extent[3] = {axes, r.query.in.batch(), r.tokens};
  if (call.positions == nullptr) {
    require_field(r.tokens <= largest_position + 1, {"", "positions"}, r.tokens,
                  "at most 2147483648 tokens where positions is NULL");
    return;
  }
  require_aligned(call.positions, {"", "positions"});
  if (extent[1] == 0 || extent[2] == 0) return;
  std::int64_t lowest = 0, highest = 0;
  for (int i = 0; i < 3; ++i) {
    const field_name field{"", "position_stride", i};
    if (extent[i] == 1) continue;
    const std::int64_t reach =
        checked_multiply(checked_multiply(extent[i] - 1, call.position_stride[i], field),
                         static_cast<std::int64_t>(sizeof(std::int32_t)), field);
    std::int64_t& end = reach < 0 ? lowest : highest;
    end = checked_add(end, reach, field);
  }
  highest += static_cast<std::int64_t>(sizeof(std::int32_t));
  require_positions_apart(call, lowest, highest, r.query);
  require_positions_apart(call, lowest, highest, r.key);
}

}  // namespace detail

/// Everything about a call that can be wrong without looking at an element.
///
/// domain  head_dim and axes of the plan
/// throws  refused_call naming the field, its value and what is allowed
inline checked_call check(const ropewalk_call* call, std::int64_t head_dim, int axes) {
  require_pointer(call, {"", "call"}, "a pointer to a ropewalk_call");
  require_field(call->struct_size == sizeof(ropewalk_call), {"", "struct_size"}, call->struct_size,
                "sizeof(ropewalk_call)");
  require_field((call->flags & ~(ROPEWALK_BACKWARD | ROPEWALK_UNIT)) == 0, {"", "flags"}, call->flags,
                "ROPEWALK_BACKWARD and ROPEWALK_UNIT");
  checked_call r{.call = call};
  r.backward = (call->flags & ROPEWALK_BACKWARD) != 0;
  r.unit = (call->flags & ROPEWALK_UNIT) != 0;
  r.query = detail::check_tensors(call->query_in, call->query_out, "query_in", "query_out", head_dim);
  r.dtype = r.query.in.dtype;
  r.tokens = r.query.in.tokens();
  detail::require_apart(r.query.out, "query_out", r.query.in, "query_in", true);
  detail::check_key(r);
  detail::check_sequences(*call, r);
  detail::check_positions(*call, r, axes);
  const std::int64_t total = checked_multiply(r.query.in.batch(), r.tokens, {"query_in", "shape"});
  require_field(call->token_begin >= 0 && call->token_begin <= total, {"", "token_begin"}, call->token_begin,
                "0 to batch x tokens");
  require_field(call->token_end >= call->token_begin && call->token_end <= total, {"", "token_end"},
                call->token_end, "token_begin to batch x tokens");
  return r;
}

/// The same for an addition: no key, no flags, one axis.
///
/// domain  channels of the plan, or 0 where the tensor may have any number of them
inline checked_call check_addition(const ropewalk_call* call, std::int64_t channels) {
  require_pointer(call, {"", "call"}, "a pointer to a ropewalk_call");
  require_field(call->struct_size == sizeof(ropewalk_call), {"", "struct_size"}, call->struct_size,
                "sizeof(ropewalk_call)");
  require_field(call->flags == 0, {"", "flags"}, call->flags, "0: an addition has none");
  if (call->key_in.data != nullptr || call->key_out.data != nullptr)
    refuse_field({"key_in", "data"}, "is given; allowed: NULL, an addition has one tensor");
  const std::int32_t rank = call->query_in.rank;
  if (channels == 0 && (rank == 3 || rank == 4)) channels = call->query_in.shape[rank - 1];
  return check(call, channels, 1);
}

}  // namespace ropewalk
