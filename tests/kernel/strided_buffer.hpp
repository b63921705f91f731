#pragma once
// Memory for a tensor of a test: laid out in one of several ways, guarded, read and written by logical index.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "ropewalk/kernel/kernel.h"

namespace ropewalk::test {

/// How the elements of [batch, tokens, heads, channels] lie in memory.
enum class arrangement { dense, gapped, heads_outermost, reversed_tokens, strided_channels };

inline constexpr arrangement all_arrangements[] = {arrangement::dense, arrangement::gapped,
                                                   arrangement::heads_outermost, arrangement::reversed_tokens,
                                                   arrangement::strided_channels};

class strided_buffer {
 public:
  strided_buffer(ropewalk_dtype dtype, std::vector<std::int64_t> shape, arrangement how)
      : size_(dtype == ROPEWALK_F64   ? 8
              : dtype == ROPEWALK_F32 ? 4
                                      : 2),
        shape_(std::move(shape)) {
    const bool outermost = how == arrangement::heads_outermost;
    // From the slowest axis to the fastest.
    const int order[4] = {outermost ? 2 : 0, outermost ? 0 : 1, outermost ? 1 : 2, 3};
    std::int64_t step = how == arrangement::strided_channels ? 3 : 1;
    const std::int64_t gap = how == arrangement::gapped ? 5 : 0;
    for (int i = 3; i >= 0; --i) {
      stride_[order[i]] = step;
      step = step * shape_[static_cast<std::size_t>(order[i])] + gap;
    }
    if (how == arrangement::reversed_tokens) {
      origin_ = stride_[1] * (shape_[1] - 1);
      stride_[1] = -stride_[1];
    }
    bytes_.assign(static_cast<std::size_t>((step + 2 * guard) * size_), guard_byte);
  }

  /// The tensor; rank 3 leaves the batch out.
  ropewalk_tensor tensor(int rank = 4) {
    ropewalk_tensor tensor{};
    tensor.data = at(0);
    tensor.dtype = size_ == 8 ? ROPEWALK_F64 : size_ == 4 ? ROPEWALK_F32 : ROPEWALK_F16;
    tensor.rank = rank;
    for (int axis = 4 - rank; axis < 4; ++axis) {
      tensor.shape[axis - 4 + rank] = shape_[static_cast<std::size_t>(axis)];
      tensor.stride[axis - 4 + rank] = stride_[axis];
    }
    return tensor;
  }

  void write(const std::vector<std::uint64_t>& elements) {
    for_each([&](std::size_t i, std::byte* place) {
      std::memcpy(place, &elements[i], static_cast<std::size_t>(size_));
    });
  }

  std::vector<std::uint64_t> read() {
    std::vector<std::uint64_t> elements;
    for_each([&](std::size_t, std::byte* place) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, place, static_cast<std::size_t>(size_));
      elements.push_back(bits);
    });
    return elements;
  }

  /// Whether every byte outside the elements is unchanged.
  bool guard_is_intact() {
    std::vector<std::byte> rest = bytes_;
    for_each([&](std::size_t, std::byte* place) {
      std::memset(rest.data() + (place - bytes_.data()), static_cast<int>(guard_byte),
                  static_cast<std::size_t>(size_));
    });
    for (const std::byte byte : rest)
      if (byte != guard_byte) return false;
    return true;
  }

  const std::vector<std::byte>& bytes() const { return bytes_; }

 private:
  static constexpr std::int64_t guard = 16;
  static constexpr std::byte guard_byte{0xa5};

  std::byte* at(std::int64_t index) { return bytes_.data() + (guard + origin_ + index) * size_; }

  template <class Visit>
  void for_each(Visit visit) {
    std::size_t i = 0;
    for (std::int64_t b = 0; b < shape_[0]; ++b)
      for (std::int64_t t = 0; t < shape_[1]; ++t)
        for (std::int64_t h = 0; h < shape_[2]; ++h)
          for (std::int64_t c = 0; c < shape_[3]; ++c)
            visit(i++, at(b * stride_[0] + t * stride_[1] + h * stride_[2] + c * stride_[3]));
  }

  std::int64_t size_;
  std::vector<std::int64_t> shape_;
  std::int64_t stride_[4] = {};
  std::int64_t origin_ = 0;
  std::vector<std::byte> bytes_;
};

}  // namespace ropewalk::test
