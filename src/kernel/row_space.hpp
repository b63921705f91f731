#pragma once
// Memory for the rows of the tokens that are rotated at once; on the stack for usual head sizes.

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

/// Space for rows: all cosines, row by row, then all sines.
template <class Lane>
class row_space {
 public:
  explicit row_space(int pairs, int rows = 1)
      : width_(static_cast<std::size_t>(simd::padded(pairs))),
        to_sin_(static_cast<std::size_t>(rows) * width_) {
    const std::size_t lanes = 2 * to_sin_;
    if (width_ <= usual_pairs && lanes <= usual_.size()) {
      rows_ = usual_.data();
      undecided_ = usual_undecided_.data();
      return;
    }
    rows_storage_ = std::make_unique<aligned_lanes<Lane>[]>(lanes / simd::row_multiple);
    undecided_storage_ = std::make_unique<std::uint16_t[]>(width_);
    rows_ = rows_storage_[0].lane;
    undecided_ = undecided_storage_.get();
  }
  row_space(const row_space&) = delete;
  row_space& operator=(const row_space&) = delete;

  Lane* cos(int row = 0) { return rows_ + static_cast<std::size_t>(row) * width_; }
  Lane* sin(int row = 0) { return cos(row) + to_sin_; }
  std::uint16_t* undecided() { return undecided_; }

 private:
  static constexpr std::size_t usual_rows = 11;  // eight tokens and three axes
  static constexpr std::size_t usual_pairs = 128;

  std::size_t width_;
  std::size_t to_sin_;  // lanes from a row's cosines to its sines
  Lane* rows_;
  std::uint16_t* undecided_;
  alignas(simd::stream_alignment) std::array<Lane, 2 * usual_rows * usual_pairs> usual_;  // uninitialised
  std::array<std::uint16_t, usual_pairs> usual_undecided_;
  std::unique_ptr<aligned_lanes<Lane>[]> rows_storage_;
  std::unique_ptr<std::uint16_t[]> undecided_storage_;
};

}  // namespace ropewalk
