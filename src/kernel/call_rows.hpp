#pragma once
// The binary32 rows that a call computes, token after token.

#include <algorithm>
#include <cstdint>

#include "kernel/fast_rows.hpp"
#include "kernel/row_space.hpp"
#include "ropewalk/config/position_range.hpp"

namespace ropewalk {

/// Memory for the row of a token and for those of the later tokens in the same batch.
///
/// shape   cos, sin [rows, simd::padded(pairs)]; undecided [pairs], scratch
template <class Lane>
struct row_room {
  Lane* cos = nullptr;
  Lane* sin = nullptr;
  std::int64_t rows = 1;
  std::uint16_t* undecided = nullptr;
};

/// Computes the rows of one call. If positions are consecutive, the first row of a batch also fills the rows
/// of the batch's other tokens: one run of sums is cheaper than separate rows.
class call_rows {
 public:
  call_rows(const fast_rows& rows, bool unit)
      : walk_(rows), unit_(unit), width_(rows.pairs()), is_dense_(width_ == simd::padded(rows.pairs())) {}

  row_view<float> at(std::int64_t position, const row_room<float>& room) {
    const bool follows = position == next_;
    next_ = position + 1;
    if (follows && position < filled_ && room.cos == next_cos_) {
      next_cos_ += width_;
      return {room.cos, room.sin};
    }
    filled_ = position;
    if (follows && is_dense_ && room.rows > 1)
      fill(position, room);
    else
      walk_.row(position, unit_, room.cos, room.sin, room.undecided);
    return {room.cos, room.sin};
  }

 private:
  void fill(std::int64_t position, const row_room<float>& room) {
    filled_ = std::min(position + room.rows, largest_position + 1);
    next_cos_ = room.cos + width_;
    walk_.rows({position, filled_}, unit_, room.cos, room.sin);
  }

  row_walk walk_;
  bool unit_;
  std::int64_t width_;
  bool is_dense_;                             // rows lie one after another in a room
  std::int64_t next_ = largest_position + 1;  // the next consecutive position
  std::int64_t filled_ = 0;                   // rows of positions below it are in the room, from next_cos_ on
  float* next_cos_ = nullptr;
};

}  // namespace ropewalk
