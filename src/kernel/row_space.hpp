#pragma once
// Memory for the row of one token, on the stack for heads of the usual size.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "kernel/simd/simd.hpp"

namespace ropewalk {

/// A view of the row of one token.
template <class Lane>
struct row_view {
  const Lane* cos = nullptr;
  const Lane* sin = nullptr;
};

/// Lanes that begin at a multiple of the stream alignment.
template <class Lane>
struct alignas(simd::stream_alignment) aligned_lanes {
  Lane lane[simd::row_multiple];
};

/// Space for a row, for a row of another axis, and for a row spread over interleaved channels.
template <class Lane>
class row_space {
 public:
  explicit row_space(int pairs) : width_(static_cast<std::size_t>(simd::padded(pairs))) {
    if (width_ <= usual_pairs) {
      rows_ = usual_.data();
      undecided_ = usual_undecided_.data();
      return;
    }
    rows_storage_ = std::make_unique<aligned_lanes<Lane>[]>(rows * width_ / simd::row_multiple);
    undecided_storage_ = std::make_unique<std::uint16_t[]>(width_);
    rows_ = rows_storage_[0].lane;
    undecided_ = undecided_storage_.get();
  }
  row_space(const row_space&) = delete;
  row_space& operator=(const row_space&) = delete;

  Lane* cos() { return rows_; }
  Lane* sin() { return rows_ + width_; }
  Lane* other_cos() { return rows_ + 2 * width_; }
  Lane* other_sin() { return rows_ + 3 * width_; }
  Lane* wide_cos() { return rows_ + 4 * width_; }
  Lane* wide_sin() { return rows_ + 6 * width_; }
  std::uint16_t* undecided() { return undecided_; }

 private:
  static constexpr std::size_t rows = 8;
  static constexpr std::size_t usual_pairs = 128;

  std::size_t width_;
  Lane* rows_;
  std::uint16_t* undecided_;
  alignas(simd::stream_alignment) std::array<Lane, rows * usual_pairs> usual_;  // uninitialised
  std::array<std::uint16_t, usual_pairs> usual_undecided_;
  std::unique_ptr<aligned_lanes<Lane>[]> rows_storage_;
  std::unique_ptr<std::uint16_t[]> undecided_storage_;
};

}  // namespace ropewalk
