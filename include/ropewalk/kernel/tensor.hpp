#pragma once
// Checked views of the tensors of kernel.h: their shapes, strides and byte ranges cannot overflow.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "ropewalk/kernel/dtype.hpp"
#include "ropewalk/kernel/error.hpp"
#include "ropewalk/kernel/kernel.h"
#include "ropewalk/numeric/format.hpp"

namespace ropewalk {

/// A checked view of [batch, tokens, heads, channels]; strides in bytes. A rank-3 tensor has a batch of 1.
/// Fields start uninitialised: in a short call, zeroing would cost more than the checks.
struct tensor_view {
  std::string_view name;  // name of the call's field
  std::byte* data;
  ropewalk_dtype dtype;
  std::int32_t rank;
  std::array<std::int64_t, 4> shape;
  std::array<std::int64_t, 4> stride;  // 0 where the extent is 1, so that equal views compare equal
  std::int64_t lowest;                 // the view's hull: bytes lowest <= offset < highest from data
  std::int64_t highest;

  /// Batch rows; 1 at rank 3.
  std::int64_t batch() const { return shape[0]; }
  /// Tokens of one batch row; for scores, queries.
  std::int64_t tokens() const { return shape[1]; }
  /// Heads of one token.
  std::int64_t heads() const { return shape[2]; }
  /// Channels of one head; for scores, keys.
  std::int64_t channels() const { return shape[3]; }

  /// The first channel of one head.
  std::byte* head(std::int64_t row, std::int64_t token, std::int64_t of_head) const {
    return data + row * stride[0] + token * stride[1] + of_head * stride[2];
  }
};

/// Whether the view has no elements: an extent of its shape is 0.
inline bool is_empty(const tensor_view& view) {
  return std::any_of(view.shape.begin(), view.shape.end(), [](std::int64_t extent) { return extent == 0; });
}

namespace detail {

[[noreturn]] inline void refuse_dtype(std::int32_t dtype, const field_name& field) {
  std::string allowed;
  for (const ropewalk_dtype first : all_dtypes)
    allowed += (allowed.empty() ? "" : ", ") + std::to_string(first) + " (" + name_of(first) + ")";
  refuse_field(field, "is " + std::to_string(dtype) + "; allowed: " + allowed);
}

/// Sets the view's hull; refuses ranges that overflow an address. Strides of a tensor without elements are
/// ignored.
inline void measure(tensor_view& view, const field_name& field) {
  if (is_empty(view)) {
    view.stride = {};
    return;
  }
  view.highest = size_of(view.dtype);
  for (std::size_t axis = 0; axis < 4; ++axis) {
    const std::int64_t reach = checked_multiply(view.shape[axis] - 1, view.stride[axis], field);
    std::int64_t& end = reach < 0 ? view.lowest : view.highest;
    end = checked_add(end, reach, field);
  }
  require_addresses(view.data, view.lowest, view.highest, field);
}

}  // namespace detail

/// Checks a tensor's data, dtype, rank, shape and strides, and returns its view.
///
/// throws  refused_call naming the field of the tensor called `name`
inline tensor_view view_of(const ropewalk_tensor& tensor, std::string_view name) {
  require_pointer(tensor.data, {name, "data"}, "a pointer to the elements");
  if (!is_dtype(tensor.dtype)) detail::refuse_dtype(tensor.dtype, {name, "dtype"});
  require_field(tensor.rank == 3 || tensor.rank == 4, {name, "rank"}, tensor.rank, "3 or 4");
  tensor_view view{};
  view.name = name;
  view.data = static_cast<std::byte*>(tensor.data);
  view.dtype = static_cast<ropewalk_dtype>(tensor.dtype);
  view.rank = tensor.rank;
  view.shape = {1, 1, 1, 1};
  const int unused = 4 - tensor.rank;
  std::int64_t elements = 1;
  for (int i = 0; i < tensor.rank; ++i) {
    const auto axis = static_cast<std::size_t>(unused + i);
    require_field(tensor.shape[i] >= 0, {name, "shape", i}, tensor.shape[i], "0 or above");
    elements = checked_multiply(elements, std::max<std::int64_t>(tensor.shape[i], 1), {name, "shape", i});
    view.shape[axis] = tensor.shape[i];
    if (tensor.shape[i] > 1)
      view.stride[axis] = checked_multiply(tensor.stride[i], size_of(view.dtype), {name, "stride", i});
  }
  detail::measure(view, {name, "stride"});
  return view;
}

namespace detail {

/// Fast path for common tensors: heads dense in each token, tokens and batch rows in ascending order, no
/// extent 0, and byte offsets far from overflow. Uses one branch, because checks dominate a call of one
/// token. Returns false for any other tensor: view_of then reads or refuses it.
inline bool read_plain(const ropewalk_tensor& tensor, std::string_view name, tensor_view& view) {
  using number = std::uint64_t;  // negative numbers become large, and products wrap
  constexpr number most = number{1} << 20, farthest = number{1} << 32, last_address = number{1} << 62;
  if (tensor.rank != 3 && tensor.rank != 4) return false;
  const auto number_of = [](std::int64_t n) { return static_cast<number>(n); };
  const int first = tensor.rank - 3;
  const number batch = first == 1 ? number_of(tensor.shape[0]) : 1, tokens = number_of(tensor.shape[first]),
               heads = number_of(tensor.shape[first + 1]), channels = number_of(tensor.shape[first + 2]);
  const number batch_stride = number_of(tensor.stride[0]), token_stride = number_of(tensor.stride[first]),
               head_stride = number_of(tensor.stride[first + 1]),
               channel_stride = number_of(tensor.stride[first + 2]);
  const number token = heads * channels,
               row = (tokens - 1) * token_stride * (tokens != 1) + token;  // elements
  const number address = reinterpret_cast<std::uintptr_t>(tensor.data);
  const bool is_known = is_dtype(tensor.dtype);
  const bool has_extents =
      (batch - 1 < most) & (tokens - 1 < most) & (heads - 1 < most) & (channels - 1 < most);
  const bool has_dense_tokens =
      ((channels == 1) | (channel_stride == 1)) & ((heads == 1) | (head_stride == channels));
  const bool has_tokens_in_order = (tokens == 1) | ((token_stride >= token) & (token_stride < farthest));
  const bool has_rows_in_order = (batch == 1) | ((batch_stride >= row) & (batch_stride < farthest));
  const bool is_somewhere = (address != 0) & (address < last_address);
  if (!(is_known & has_extents & has_dense_tokens & has_tokens_in_order & has_rows_in_order & is_somewhere))
    return false;
  const auto size = static_cast<std::int64_t>(size_of(static_cast<ropewalk_dtype>(tensor.dtype)));
  const auto bytes = [&](number elements) { return static_cast<std::int64_t>(elements) * size; };
  view.name = name;
  view.data = static_cast<std::byte*>(tensor.data);
  view.dtype = static_cast<ropewalk_dtype>(tensor.dtype);
  view.rank = tensor.rank;
  view.shape = {static_cast<std::int64_t>(batch), tensor.shape[first], tensor.shape[first + 1],
                tensor.shape[first + 2]};
  view.stride = {bytes(batch == 1 ? 0 : batch_stride), bytes(tokens == 1 ? 0 : token_stride),
                 bytes(heads == 1 ? 0 : channels), bytes(channels != 1)};
  view.lowest = 0;
  view.highest = (view.shape[0] - 1) * view.stride[0] + bytes(row);
  return true;
}

}  // namespace detail

/// Whether two views have the same elements in the same order.
inline bool same_view(const tensor_view& a, const tensor_view& b) {
  return a.data == b.data && a.dtype == b.dtype && a.shape == b.shape && a.stride == b.stride;
}

/// Whether elements certainly do not overlap: in ascending order of strides, each stride is at least the span
/// of the axes before it. This is sufficient, and true for every slice, transpose and reversal of a dense
/// array.
inline bool has_separate_elements(const tensor_view& view) {
  if (is_empty(view)) return true;
  const auto step = [&](std::size_t axis) {
    return view.stride[axis] < 0 ? -view.stride[axis] : view.stride[axis];
  };
  const auto clears = [&](const std::array<std::size_t, 4>& order) {
    std::int64_t span = size_of(view.dtype);  // cannot overflow: at most highest - lowest
    for (const std::size_t axis : order) {
      if (view.shape[axis] == 1) continue;
      if (step(axis) < span) return false;
      span += (view.shape[axis] - 1) * step(axis);
    }
    return true;
  };
  std::array<std::size_t, 4> order{3, 2, 1, 0};
  if (clears(order)) return true;  // the usual order; for one token, sorting would dominate the cost
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return step(a) < step(b); });
  return clears(order);
}

/// Reads one element's bits, at any alignment.
template <floating_format Float>
bits_of<Float> load(const std::byte* from) {
  bits_of<Float> bits;
  std::memcpy(&bits, from, sizeof bits);
  return bits;
}

/// Writes one element's bits, at any alignment.
template <floating_format Float>
void store(std::byte* to, bits_of<Float> bits) {
  std::memcpy(to, &bits, sizeof bits);
}

}  // namespace ropewalk
