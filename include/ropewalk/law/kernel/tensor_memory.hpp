#pragma once
// A kernel's memory for one tensor and for its positions, with the case's strides. A pattern surrounds the
// elements, so that a write outside them is noticed and a read there gives wrong numbers.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <vector>

#include "ropewalk/kernel/dtype.hpp"
#include "ropewalk/kernel/kernel.h"
#include "ropewalk/law/kernel/call_memory.hpp"
#include "ropewalk/law/kernel/law_case.hpp"

namespace ropewalk {

/// Tokens first .. last - 1, counted across batch rows.
struct token_range {
  std::int64_t first = 0;
  std::int64_t last = 0;
  friend bool operator==(const token_range&, const token_range&) = default;
};

/// Value of every byte that was not written.
inline constexpr std::uint8_t untouched_byte = 0xa5;
/// The same around the elements of an input, so that bytes copied from there are noticed.
inline constexpr std::uint8_t byte_beside_input = 0x5a;

/// Placement of a tensor in memory, in units of elements.
struct placed_tensor {
  ropewalk_tensor view{};   // rank 4, without data
  std::int64_t origin = 0;  // from the lowest element to the one at index 0
  std::int64_t extent = 0;  // of the whole tensor, with the gap after its last element
};

/// A tensor of some heads as a layout places it; `shares_heads`: all heads of a token lie at one place, with
/// stride 0.
inline placed_tensor placed(const law_case& test_case, std::int64_t heads, const tensor_layout& layout,
                            bool shares_heads = false) {
  placed_tensor tensor;
  tensor.view.dtype = test_case.dtype;
  tensor.view.rank = 4;
  const std::int64_t shape[4] = {test_case.batch, test_case.tokens, heads, test_case.head_dim};
  const int from_the_inside[4] = {3, layout.heads_first ? 1 : 2, layout.heads_first ? 2 : 1, 0};
  tensor.extent = layout.channel_step;
  std::int64_t step = layout.channel_step;  // an extent of 0 counts as 1 in strides, which stay above 0
  for (const int axis : from_the_inside) {
    const std::int64_t many = shares_heads && axis == 2 ? 1 : shape[axis];
    tensor.view.shape[axis] = shape[axis];
    tensor.view.stride[axis] = shares_heads && axis == 2 ? 0 : step;
    const std::int64_t gap = layout.gap + (axis == 2 && !layout.heads_first ? layout.row_gap : 0);
    tensor.extent = tensor.extent * many + gap;
    step = step * std::max<std::int64_t>(many, 1) + gap;
  }
  for (int axis = 0; axis < 4; ++axis)
    if ((layout.reversed >> axis & 1) != 0 && shape[axis] > 0) {
      tensor.origin += (shape[axis] - 1) * tensor.view.stride[axis];
      tensor.view.stride[axis] = -tensor.view.stride[axis];
    }
  if (shape[2] == 0) tensor.origin = 0;
  return tensor;
}

namespace detail {

/// Distance from the lowest to the highest element of a tensor, in elements.
inline std::int64_t reach_of(const placed_tensor& tensor) {
  std::int64_t reach = 0;
  for (int axis = 0; axis < 4; ++axis) {
    if (tensor.view.shape[axis] == 0) return 0;
    reach += (tensor.view.shape[axis] - 1) * std::abs(tensor.view.stride[axis]);
  }
  return reach;
}

/// Bytes of pattern before the lowest byte of a tensor, and after its highest.
struct margins {
  std::int64_t before = 0;
  std::int64_t after = 0;
};

/// In shared memory, nothing lies beyond the edge except bytes that unalign the tensor: all of them at the
/// beginning; at the end as few as keep it unaligned. In this program's memory the edges are one element
/// apart.
inline margins margins_in(call_memory* shared, block_edge edge, std::int64_t guard, std::int64_t unaligned,
                          std::int64_t size) {
  if (shared == nullptr) return {guard + unaligned + (edge == block_edge::end ? size : 0), guard};
  if (edge == block_edge::begin) return {unaligned, guard};
  return {guard, (size - unaligned % size) % size};
}

/// The edge for a part of a case, so that over the cases each part meets both edges: part 0 is the query's
/// input, 1 its output, 2 and 3 the key's, 4 the positions. `is_other`: the opposite edge.
inline block_edge edge_of(const law_case& test_case, int part, bool is_other) {
  const std::int64_t first =
      test_case.batch * test_case.tokens > 0 ? static_cast<std::int64_t>(position_of(test_case, 0, 0)) : 0;
  const std::int64_t drawn =
      first + test_case.tokens + test_case.query_heads + test_case.key_heads + test_case.flags;
  return (drawn + part + (is_other ? 1 : 0)) % 2 == 0 ? block_edge::begin : block_edge::end;
}

}  // namespace detail

/// Some of a tensor's heads.
struct head_range {
  std::int64_t first = 0;
  std::int64_t count = 0;
};

class tensor_memory {
 public:
  /// `shared`: the memory of a kernel in another process, or NULL.
  ///
  /// throws  case_set_aside
  tensor_memory(const law_case& test_case, std::int64_t heads, const tensor_layout& layout, bool shares_heads,
                call_memory* shared, block_edge edge, std::uint8_t pattern = untouched_byte)
      : size_(size_of(test_case.dtype)),
        heads_(heads),
        tokens_(test_case.tokens),
        placed_(placed(test_case, heads, layout, shares_heads)),
        around_(detail::margins_in(shared, edge, guard_of(placed_.extent * size_), layout.unaligned, size_)),
        bytes_(shared, static_cast<std::size_t>(around_.before + (reach() + 1) * size_ + around_.after), edge,
               pattern) {}
  tensor_memory(const tensor_memory&) = delete;
  tensor_memory& operator=(const tensor_memory&) = delete;

  /// Some heads as a tensor of rank 4; absent (data == NULL) where there are none.
  ropewalk_tensor view(head_range heads) {
    ropewalk_tensor view = placed_.view;
    view.shape[2] = heads.count;
    if (heads.count > 0) view.data = at(heads.first * view.stride[2]);
    return view;
  }

  /// Stores the elements of some heads at their places; the bytes around them keep their pattern.
  ///
  /// shape   [batch, tokens, heads, head_dim], dense
  void write(head_range heads, const std::vector<std::uint64_t>& elements) {
    std::size_t index = 0;
    for_each_element(heads, [&](std::int64_t, std::int64_t element) {
      std::memcpy(at(element), &elements[index++], static_cast<std::size_t>(size_));
    });
  }

  /// The elements of some heads.
  ///
  /// shape   [batch, tokens, heads, head_dim], dense
  std::vector<std::uint64_t> read(head_range heads) {
    std::vector<std::uint64_t> elements;
    for_each_element(heads, [&](std::int64_t, std::int64_t element) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, at(element), static_cast<std::size_t>(size_));
      elements.push_back(bits);
    });
    return elements;
  }

  /// Every byte, to compare with later.
  std::vector<std::uint8_t> bytes() const { return bytes_.copy(); }

  /// Restores every byte.
  void restore(const std::vector<std::uint8_t>& bytes) {
    std::copy(bytes.begin(), bytes.end(), bytes_.data());
  }

  /// Whether every byte outside the elements is as it was before a call.
  bool is_same_beside_elements(const std::vector<std::uint8_t>& before) {
    return is_same_outside(before, {0, std::numeric_limits<std::int64_t>::max()});
  }

  /// Whether every byte but the elements of some tokens is as it was before a call.
  bool is_same_outside(const std::vector<std::uint8_t>& before, token_range done) {
    std::vector<std::uint8_t> rest = bytes();
    for_each_element({0, heads_}, [&](std::int64_t token, std::int64_t element) {
      if (token < done.first || token >= done.last) return;
      const auto offset = static_cast<std::size_t>(at(element) - bytes_.data());
      std::memcpy(rest.data() + offset, before.data() + offset, static_cast<std::size_t>(size_));
    });
    return rest == before;
  }

 private:
  // Guard bytes on either side: at least the size of a small tensor, to contain a kernel that executes an
  // invalid call.
  static constexpr std::int64_t least_guard = 512;
  static constexpr std::int64_t most_guard = 8192;

  static std::int64_t guard_of(std::int64_t bytes) { return least_guard + std::min(bytes, most_guard); }
  std::int64_t reach() const { return detail::reach_of(placed_); }

  std::uint8_t* at(std::int64_t element) {
    return bytes_.data() + around_.before + (placed_.origin + element) * size_;
  }

  // visit(token counted across batch rows, element). read and write assume little endian, as on every
  // platform of this library.
  template <class Visit>
  void for_each_element(head_range heads, Visit visit) {
    if (heads_ == 0) return;
    const ropewalk_tensor& view = placed_.view;
    for (std::int64_t row = 0; row < view.shape[0]; ++row)
      for (std::int64_t token = 0; token < tokens_; ++token)
        for (std::int64_t head = heads.first; head < heads.first + heads.count; ++head)
          for (std::int64_t channel = 0; channel < view.shape[3]; ++channel)
            visit(row * tokens_ + token, row * view.stride[0] + token * view.stride[1] +
                                             head * view.stride[2] + channel * view.stride[3]);
  }

  int size_;
  std::int64_t heads_;
  std::int64_t tokens_;
  placed_tensor placed_;
  detail::margins around_;
  call_bytes bytes_;
};

/// The positions of a case at its position_step; the numbers between them belong to no token.
class position_memory {
 public:
  /// `shares_rows`: one row of positions for all batch rows, with stride 0; `shared`: the memory of a kernel
  /// in another process, or NULL.
  ///
  /// throws  case_set_aside
  position_memory(const law_case& test_case, bool shares_rows, call_memory* shared, block_edge edge)
      : rows_(shares_rows ? std::min<std::int64_t>(test_case.batch, 1) : test_case.batch),
        step_(std::abs(test_case.position_step)),
        row_size_(test_case.tokens * step_),
        axis_size_(rows_ * row_size_ + step_),
        around_(detail::margins_in(shared, edge, test_case.batch * row_size_ + step_, 0, 1)),
        bytes_(shared, size_of_number(test_case) * count(test_case), edge, 0),
        view_{.kind = ROPEWALK_POSITIONS_I32,
              .axes = test_case.axes,
              .data = nullptr,
              .stride = {axis_size_, shares_rows ? 0 : row_size_, test_case.position_step}} {
    if (test_case.has_real_positions) {
      view_.kind = ROPEWALK_POSITIONS_F64;
      write<double>(test_case);
    } else {
      write<std::int32_t>(test_case);
    }
  }
  position_memory(const position_memory&) = delete;
  position_memory& operator=(const position_memory&) = delete;

  /// The positions as a call gives them.
  const ropewalk_positions& view() const { return view_; }
  /// Every byte, to compare with later.
  std::vector<std::uint8_t> bytes() const { return bytes_.copy(); }

 private:
  static constexpr std::int32_t nowhere = 0x2ba5'a5a5;  // far from the positions that are drawn often

  static std::size_t size_of_number(const law_case& test_case) {
    return test_case.has_real_positions ? sizeof(double) : sizeof(std::int32_t);
  }

  /// Numbers in memory, margins included.
  std::size_t count(const law_case& test_case) const {
    return static_cast<std::size_t>(around_.before + hull(test_case) + around_.after);
  }

  template <class Number>
  void write(const law_case& test_case) {
    auto* const numbers = reinterpret_cast<Number*>(bytes_.data());
    std::fill_n(numbers, count(test_case), static_cast<Number>(nowhere));
    Number* const origin =
        numbers + around_.before + (test_case.position_step < 0 && row_size_ > 0 ? row_size_ - step_ : 0);
    for (int axis = 0; axis < test_case.axes; ++axis)
      for (std::int64_t row = 0; row < rows_; ++row)
        for (std::int64_t token = 0; token < test_case.tokens; ++token)
          origin[axis * axis_size_ + row * row_size_ + token * test_case.position_step] =
              static_cast<Number>(position_of(test_case, row, token, axis));
    view_.data = origin;
  }

  /// Numbers from the lowest to the highest position.
  std::int64_t hull(const law_case& test_case) const {
    return (test_case.axes - 1) * axis_size_ + std::max<std::int64_t>(rows_ * row_size_ - step_ + 1, 0);
  }

  std::int64_t rows_;
  std::int64_t step_;  // of tokens; all sizes count numbers
  std::int64_t row_size_;
  std::int64_t axis_size_;
  detail::margins around_;  // contain kernels that misread a stride
  call_bytes bytes_;
  ropewalk_positions view_;
};

}  // namespace ropewalk
