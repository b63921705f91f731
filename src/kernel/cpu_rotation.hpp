#pragma once
// The canonical rotation on one target: one row of cosines and sines per token, shared by all heads. Kernels
// differ in the source of their rows.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "kernel/call_rows.hpp"
#include "kernel/head_transfer.hpp"
#include "kernel/real_call_rows.hpp"
#include "kernel/row_space.hpp"
#include "kernel/simd/simd.hpp"
#include "ropewalk/kernel/rotation_plan.hpp"

namespace ropewalk {

/// Applies a plan to one call, with rows from `row_view<Lane> rows.at(position, const row_room<Lane>&)`. Rows
/// of positions in binary64 come from `reals`, which is null if a kernel declines them.
///
/// The row that `at` returns lies in the room, or in memory that `rows` owns.
template <class Lane, class Rows>
class cpu_rotation {
 public:
  cpu_rotation(const rotation_plan& plan, const simd::target& target, Rows& rows, const checked_call& call,
               const real_rows* reals = nullptr)
      : plan_(plan),
        target_(target),
        rows_(rows),
        call_(call),
        left_(call.end - call.begin),
        rows_at_once_(static_cast<int>(std::clamp<std::int64_t>(left_, 1, batch))),
        space_(plan.layout.pairs(),
               rows_at_once_ + (plan.axes == 1 || call.real_positions != nullptr ? 0 : plan.axes)),
        query_(call.query, plan.layout, target, streams(), call.backward),
        key_(call.key, plan.layout, target, streams(), call.backward) {
    if (call.real_positions != nullptr)
      real_rows_.emplace(*reals, left_, call.unit);
    else if (plan.axes > 1)
      of_axis_.resize(static_cast<std::size_t>(plan.axes));
  }

  void run() {
    for_each_token(call_, [&](const token_place& place) {
      const row_view<Lane> row = place.is_real() ? real_row_of(place) : row_of(place);
      --left_;
      query_.add(place, row.cos, row.sin);
      key_.add(place, row.cos, row.sin);
      if (++waiting_ == batch) turn_waiting();
    });
    turn_waiting();
    if (query_.streams() || key_.streams()) target_.finish_streaming();
  }

 private:
  static constexpr std::size_t batch = head_transfer::batch;

  /// The row of one axis, cached for later tokens: rows and columns of images change rarely.
  struct axis_row {
    bool is_known = false;
    std::int64_t position = 0;
    row_view<Lane> row;
  };

  bool streams() const {
    return writes_past_caches(written_bytes(call_, call_.query) + written_bytes(call_, call_.key));
  }

  row_room<Lane> room_at(int slot, std::int64_t rows) {
    return {space_.cos(slot), space_.sin(slot), rows, space_.undecided()};
  }

  void turn_waiting() {
    query_.turn();
    key_.turn();
    waiting_ = 0;
  }

  /// The row of the next token. It is valid until the token is rotated: in the token's own room, unless
  /// `rows` owns it.
  row_view<Lane> row_of(const token_place& place) {
    const int slot = static_cast<int>(waiting_);
    // On several axes, the rooms of later tokens are not free: rows of axes may be combined there.
    const std::int64_t free =
        plan_.axes == 1 ? std::min(static_cast<std::int64_t>(batch - waiting_), left_) : 1;
    if (has_one_position(place)) return rows_.at(place.position(), room_at(slot, free));
    row_view<Lane> row = row_of_axis(0, place.position(0));
    for (int axis = 1; axis < plan_.axes; ++axis) row = with_axis(row, axis, place.position(axis));
    return row;
  }

  /// Whether the position is the same on every axis, as in text.
  bool has_one_position(const token_place& place) const {
    for (int axis = 1; axis < plan_.axes; ++axis)
      if (place.position(axis) != place.position(0)) return false;
    return true;
  }

  const row_view<Lane>& row_of_axis(int axis, std::int64_t position) {
    axis_row& kept = of_axis_[static_cast<std::size_t>(axis)];
    if (kept.is_known && kept.position == position) return kept.row;
    const int slot = rows_at_once_ + axis;
    kept = {true, position, rows_.at(position, room_at(slot, 1))};
    return kept.row;
  }

  /// The row, with the pairs of `axis` replaced by those at that axis's position.
  row_view<Lane> with_axis(const row_view<Lane>& row, int axis, std::int64_t position) {
    const row_view<Lane>& other = row_of_axis(axis, position);
    Lane* const cos = space_.cos(static_cast<int>(waiting_));
    Lane* const sin = space_.sin(static_cast<int>(waiting_));
    const simd::axis_choice choice{plan_.axis.data(), axis, plan_.layout.pairs()};
    const auto choose = target_.choose[dtype_of<Lane>];
    choose(choice, row.cos, other.cos, cos);
    choose(choice, row.sin, other.sin, sin);
    return {cos, sin};
  }

  /// The row of a token whose positions are in binary64, in the token's own room.
  row_view<Lane> real_row_of(const token_place& place) {
    const int slot = static_cast<int>(waiting_);
    Lane* const cos = space_.cos(slot);
    Lane* const sin = space_.sin(slot);
    real_rows_->at(place, cos, sin, space_.undecided());
    return {cos, sin};
  }

  const rotation_plan& plan_;
  const simd::target& target_;
  Rows& rows_;
  const checked_call& call_;
  std::int64_t left_;  // later tokens
  int rows_at_once_;
  row_space<Lane> space_;  // rows of waiting tokens, then of the axes if there are several
  std::size_t waiting_ = 0;
  std::vector<axis_row> of_axis_;
  std::optional<real_call_rows<Lane>> real_rows_;  // of positions in binary64
  head_transfer query_;
  head_transfer key_;
};

}  // namespace ropewalk
