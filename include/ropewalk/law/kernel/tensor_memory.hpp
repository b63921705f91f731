#pragma once
// The memory a kernel is given for one tensor: strided as the case asks, and guarded, so that a write outside
// the elements is detected.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "ropewalk/kernel/dtype.hpp"
#include "ropewalk/kernel/kernel.h"
#include "ropewalk/law/kernel/law_case.hpp"

namespace ropewalk {

class tensor_memory {
 public:
  /// `gap` stands in for the case's.
  tensor_memory(const law_case& given, operand which, std::int64_t gap)
      : size_(size_of(given.dtype)), heads_(heads_of(given, which)), row_count_(given.batch) {
    view_.dtype = given.dtype;
    view_.rank = 4;
    const std::int64_t shape[4] = {given.batch, given.tokens, heads_, given.head_dim};
    const int from_the_inside[4] = {3, given.heads_first ? 1 : 2, given.heads_first ? 2 : 1, 0};
    std::int64_t stride = given.channel_step;
    for (const int axis : from_the_inside) {
      view_.shape[axis] = shape[axis];
      view_.stride[axis] = stride;
      stride = stride * shape[axis] + gap;
    }
    for (int axis = 0; axis < 4; ++axis)
      if ((given.reversed >> axis & 1) != 0) {
        origin_ += (shape[axis] - 1) * view_.stride[axis];
        view_.stride[axis] = -view_.stride[axis];
      }
    if (heads_ == 0) origin_ = guard;
    bytes_.assign(static_cast<std::size_t>(stride + 2 * guard) * static_cast<std::size_t>(size_), untouched);
    if (heads_ > 0) view_.data = bytes_.data() + origin_ * size_;
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
    for_each_element(
        [&](std::uint8_t* at) { std::memcpy(at, &elements[index++], static_cast<std::size_t>(size_)); });
  }

  /// The elements at their places.
  ///
  /// shape   [batch, tokens, heads, head_dim], dense
  std::vector<std::uint64_t> read() {
    std::vector<std::uint64_t> elements;
    for_each_element([&](std::uint8_t* at) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, at, static_cast<std::size_t>(size_));
      elements.push_back(bits);
    });
    return elements;
  }

  /// Whether every byte outside the elements is unchanged.
  bool is_guard_intact() {
    std::vector<std::uint8_t> rest = bytes_;
    for_each_element([&](std::uint8_t* at) {
      std::memset(rest.data() + (at - bytes_.data()), untouched, static_cast<std::size_t>(size_));
    });
    return std::all_of(rest.begin(), rest.end(), [](std::uint8_t byte) { return byte == untouched; });
  }

 private:
  static constexpr std::int64_t guard = 64;
  static constexpr std::uint8_t untouched = 0xa5;

  // Little endian, as every platform of this library.
  template <class Visit>
  void for_each_element(Visit visit) {
    if (heads_ == 0) return;
    for (std::int64_t row = 0; row < row_count_; ++row)
      for (std::int64_t token = 0; token < view_.shape[1]; ++token)
        for (std::int64_t head = 0; head < heads_; ++head)
          for (std::int64_t channel = 0; channel < view_.shape[3]; ++channel) {
            const std::int64_t index = row * view_.stride[0] + token * view_.stride[1] +
                                       head * view_.stride[2] + channel * view_.stride[3];
            visit(bytes_.data() + (origin_ + index) * size_);
          }
  }

  int size_;
  std::int64_t heads_;
  std::int64_t row_count_;
  std::int64_t origin_ = guard;  // of the element at index 0
  std::vector<std::uint8_t> bytes_;
  ropewalk_tensor view_{};
};

}  // namespace ropewalk
