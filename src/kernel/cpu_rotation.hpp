#pragma once
// The canonical rotation on one target: one row of cosines and sines per token, shared by all of its heads.
// Kernels differ in where their rows come from.

#include <algorithm>
#include <cstdint>

#include "kernel/head_transfer.hpp"
#include "kernel/row_space.hpp"
#include "kernel/simd/simd.hpp"
#include "ropewalk/kernel/rotation_plan.hpp"

namespace ropewalk {

/// Applies a plan to one call, with rows from
/// `row_view<Lane> rows.at(position, unit, Lane* cos, Lane* sin, std::uint16_t* undecided)`.
///
/// The row that `at` returns lies in the caller's cos and sin, or in memory that `rows` owns; `undecided` is
/// scratch.
template <class Lane, class Rows>
class cpu_rotation {
 public:
  cpu_rotation(const rotation_plan& plan, const simd::target& target, Rows& rows, const checked_call& call)
      : plan_(plan),
        target_(target),
        rows_(rows),
        call_(call),
        space_(plan.layout.pairs()),
        spread_(is_interleaved(plan.layout) ? target.spread[call.dtype] : nullptr),
        query_(call.query, plan.layout, target, writes_much()),
        key_(call.key, plan.layout, target, writes_much()) {}

  void run() {
    for_each_token(call_, [&](const token_place& place) {
      row_view<Lane> row = row_of(place);
      if (spread_ != nullptr) {
        spread_(row.cos, row.sin, plan_.layout.pairs(), space_.wide_cos(), space_.wide_sin());
        row = {space_.wide_cos(), space_.wide_sin()};
      }
      query_.turn(place, row.cos, row.sin);
      key_.turn(place, row.cos, row.sin);
    });
    if (query_.streams() || key_.streams()) target_.finish_streaming();
  }

 private:
  static bool is_interleaved(const rotated_layout& layout) {
    return layout.head.pairing_in == pairing::interleaved && layout.head.pairing_out == pairing::interleaved;
  }

  bool writes_much() const {
    const auto heads_of = [](const rotated_tensor& tensor) {
      return tensor.is_present ? static_cast<double>(tensor.in.heads()) : 0;
    };
    const double token_bytes = static_cast<double>(plan_.layout.head.head_dim * size_of(call_.dtype)) *
                               (heads_of(call_.query) + heads_of(call_.key));
    return static_cast<double>(call_.end - call_.begin) * token_bytes >
           static_cast<double>(simd::streamed_bytes);
  }

  row_view<Lane> row_of(const token_place& place) {
    row_view<Lane> row =
        rows_.at(place.position(0), call_.unit, space_.cos(), space_.sin(), space_.undecided());
    for (int axis = 1; axis < plan_.axes; ++axis) row = with_axis(row, axis, place);
    if (call_.backward) {
      std::transform(row.sin, row.sin + plan_.layout.pairs(), space_.sin(), [](Lane sine) { return -sine; });
      row.sin = space_.sin();
    }
    return row;
  }

  /// The row with the pairs of `axis` taken at that axis's position.
  row_view<Lane> with_axis(row_view<Lane> row, int axis, const token_place& place) {
    const std::size_t pairs = plan_.axis.size();
    const row_view<Lane> other = rows_.at(place.position(axis), call_.unit, space_.other_cos(),
                                          space_.other_sin(), space_.undecided());
    for (std::size_t pair = 0; pair < pairs; ++pair) {
      const row_view<Lane>& from = plan_.axis[pair] == axis ? other : row;
      space_.cos()[pair] = from.cos[pair];
      space_.sin()[pair] = from.sin[pair];
    }
    return {space_.cos(), space_.sin()};
  }

  const rotation_plan& plan_;
  const simd::target& target_;
  Rows& rows_;
  const checked_call& call_;
  row_space<Lane> space_;
  simd::spread_function spread_;
  head_transfer query_;
  head_transfer key_;
};

}  // namespace ropewalk
