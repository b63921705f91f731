#pragma once
// The memory that a kernel is given for one tensor and for its positions, strided as the case asks. A pattern
// surrounds the elements, so that a write outside them is noticed and a read there gives wrong numbers.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "ropewalk/kernel/dtype.hpp"
#include "ropewalk/kernel/kernel.h"
#include "ropewalk/law/kernel/law_case.hpp"

namespace ropewalk {

/// Tokens first .. last - 1, counted through batch rows.
struct token_range {
  std::int64_t first = 0;
  std::int64_t last = 0;
  friend bool operator==(const token_range&, const token_range&) = default;
};

/// Value of every byte that nothing was written to.
inline constexpr std::uint8_t untouched_byte = 0xa5;

/// Placement of a tensor in memory, in units of elements.
struct placed_tensor {
  ropewalk_tensor view{};   // rank 4, without data
  std::int64_t origin = 0;  // from the lowest element to the one at index 0
  std::int64_t extent = 0;  // of the whole tensor, with the gap after its last element
};

/// A tensor as a layout places it; `shares_heads`: all heads of a token lie at one place, with stride 0.
inline placed_tensor placed(const law_case& given, operand which, const tensor_layout& layout,
                            bool shares_heads = false) {
  placed_tensor r;
  r.view.dtype = given.dtype;
  r.view.rank = 4;
  const std::int64_t shape[4] = {given.batch, given.tokens, heads_of(given, which), given.head_dim};
  const int from_the_inside[4] = {3, layout.heads_first ? 1 : 2, layout.heads_first ? 2 : 1, 0};
  r.extent = layout.channel_step;
  std::int64_t step = layout.channel_step;  // an extent of 0 counts as 1 in strides, which stay above 0
  for (const int axis : from_the_inside) {
    const std::int64_t many = shares_heads && axis == 2 ? 1 : shape[axis];
    r.view.shape[axis] = shape[axis];
    r.view.stride[axis] = shares_heads && axis == 2 ? 0 : step;
    r.extent = r.extent * many + layout.gap;
    step = step * std::max<std::int64_t>(many, 1) + layout.gap;
  }
  for (int axis = 0; axis < 4; ++axis)
    if ((layout.reversed >> axis & 1) != 0 && shape[axis] > 0) {
      r.origin += (shape[axis] - 1) * r.view.stride[axis];
      r.view.stride[axis] = -r.view.stride[axis];
    }
  if (shape[2] == 0) r.origin = 0;
  return r;
}

class tensor_memory {
 public:
  tensor_memory(const law_case& given, operand which, const tensor_layout& layout, bool shares_heads = false)
      : size_(size_of(given.dtype)), heads_(heads_of(given, which)), tokens_(given.tokens) {
    const placed_tensor at_zero = placed(given, which, layout, shares_heads);
    view_ = at_zero.view;
    origin_ = at_zero.origin;
    const std::int64_t all = at_zero.extent * size_, guard = least_guard + std::min(all, most_guard);
    first_byte_ = guard + layout.unaligned;
    bytes_.assign(static_cast<std::size_t>(all + 2 * guard + layout.unaligned), untouched_byte);
    if (heads_ > 0) view_.data = at(0);
  }
  tensor_memory(const tensor_memory&) = delete;
  tensor_memory& operator=(const tensor_memory&) = delete;

  /// The whole tensor, rank 4; absent (data == NULL) when it has no heads.
  const ropewalk_tensor& view() const { return view_; }

  /// Stores the elements at their places; the bytes around them keep their pattern.
  ///
  /// shape   [batch, tokens, heads, head_dim], dense
  void write(const std::vector<std::uint64_t>& elements) {
    std::size_t index = 0;
    for_each_element([&](std::int64_t, std::int64_t element) {
      std::memcpy(at(element), &elements[index++], static_cast<std::size_t>(size_));
    });
  }

  /// The elements at their places.
  ///
  /// shape   [batch, tokens, heads, head_dim], dense
  std::vector<std::uint64_t> read() {
    std::vector<std::uint64_t> elements;
    for_each_element([&](std::int64_t, std::int64_t element) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, at(element), static_cast<std::size_t>(size_));
      elements.push_back(bits);
    });
    return elements;
  }

  /// Every byte, to compare with later.
  std::vector<std::uint8_t> bytes() const { return bytes_; }

  /// Whether every byte outside the elements is as it was before a call.
  bool is_same_beside_elements(const std::vector<std::uint8_t>& before) {
    return is_same_outside(before, {0, std::numeric_limits<std::int64_t>::max()});
  }

  /// Whether every byte but the elements of some tokens is as it was before a call.
  bool is_same_outside(const std::vector<std::uint8_t>& before, token_range done) {
    std::vector<std::uint8_t> rest = bytes_;
    for_each_element([&](std::int64_t token, std::int64_t element) {
      if (token < done.first || token >= done.last) return;
      const auto offset = static_cast<std::size_t>(at(element) - bytes_.data());
      std::memcpy(rest.data() + offset, before.data() + offset, static_cast<std::size_t>(size_));
    });
    return rest == before;
  }

 private:
  // Guard bytes on either side: at least as many as a small tensor has, so that a kernel that carries out an
  // invalid call stays within them.
  static constexpr std::int64_t least_guard = 512;
  static constexpr std::int64_t most_guard = 8192;

  std::uint8_t* at(std::int64_t element) { return bytes_.data() + first_byte_ + (origin_ + element) * size_; }

  // visit(token counted through batch rows, element). read and write are for little endian, as every platform
  // of this library is.
  template <class Visit>
  void for_each_element(Visit visit) {
    if (heads_ == 0) return;
    for (std::int64_t row = 0; row < view_.shape[0]; ++row)
      for (std::int64_t token = 0; token < tokens_; ++token)
        for (std::int64_t head = 0; head < heads_; ++head)
          for (std::int64_t channel = 0; channel < view_.shape[3]; ++channel)
            visit(row * tokens_ + token, row * view_.stride[0] + token * view_.stride[1] +
                                             head * view_.stride[2] + channel * view_.stride[3]);
  }

  int size_;
  std::int64_t heads_;
  std::int64_t tokens_;
  std::int64_t origin_ = 0;      // of the element at index 0, in elements
  std::int64_t first_byte_ = 0;  // of the lowest element
  std::vector<std::uint8_t> bytes_;
  ropewalk_tensor view_{};
};

/// The positions of a case at its position_step; the numbers between them are no token's positions.
class position_memory {
 public:
  /// `shares_rows`: one row of positions for all batch rows, with stride 0.
  position_memory(const law_case& given, bool shares_rows) {
    const std::int64_t rows = shares_rows ? std::min<std::int64_t>(given.batch, 1) : given.batch;
    const std::int64_t step = std::abs(given.position_step), row_size = given.tokens * step;
    const std::int64_t axis_size = rows * row_size + step;
    const std::int64_t guard = given.batch * row_size + step;  // for kernels that misread a stride
    numbers_.assign(static_cast<std::size_t>(given.axes * axis_size + 2 * guard), nowhere);
    const std::int64_t origin = guard + (given.position_step < 0 && row_size > 0 ? row_size - step : 0);
    for (int axis = 0; axis < given.axes; ++axis)
      for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t token = 0; token < given.tokens; ++token)
          numbers_[static_cast<std::size_t>(origin + axis * axis_size + row * row_size +
                                            token * given.position_step)] =
              position_of(given, row, token, axis);
    view_ = {.kind = ROPEWALK_POSITIONS_I32,
             .axes = given.axes,
             .data = numbers_.data() + origin,
             .stride = {axis_size, shares_rows ? 0 : row_size, given.position_step}};
  }
  position_memory(const position_memory&) = delete;
  position_memory& operator=(const position_memory&) = delete;

  /// The positions as a call gives them.
  const ropewalk_positions& view() const { return view_; }

 private:
  static constexpr std::int32_t nowhere = 0x2ba5'a5a5;  // far from the positions that are drawn often

  std::vector<std::int32_t> numbers_;
  ropewalk_positions view_{};
};

}  // namespace ropewalk
