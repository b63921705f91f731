#pragma once
// A checked call, and a loop over its tokens.

#include <array>
#include <cstdint>

#include "ropewalk/kernel/tensor.hpp"

namespace ropewalk {

/// Input and output views of the query or the key, if it is present.
struct rotated_tensor {
  tensor_view in;
  tensor_view out;
  bool is_present = false;

  /// Whether input and output are the same view.
  bool is_in_place() const { return same_view(in, out); }
};

/// A call whose fields have all been checked. The tensor of an addition is `query`.
struct checked_call {
  ropewalk_dtype dtype = ROPEWALK_F32;
  bool backward = false;
  bool unit = false;
  std::int64_t tokens = 0;  // of one batch row
  std::int64_t begin = 0;   // token range, counted across batch rows
  std::int64_t end = 0;
  const std::int32_t* positions = nullptr;  // NULL: counted, or real
  const double* real_positions = nullptr;   // NULL: whole
  std::array<std::int64_t, 3> position_stride{};
  const std::int64_t* sequence_offset = nullptr;  // NULL: no sequences
  rotated_tensor query;
  rotated_tensor key;
};

/// One token: its place in the tensors and its position on each axis.
struct token_place {
  std::int64_t row = 0;
  std::int64_t token = 0;    // within its batch row
  std::int64_t counted = 0;  // index in its batch row or sequence: the position if none are given
  const std::int32_t* first_position = nullptr;  // on axis 0; NULL if none are given, or they are real
  const double* first_real = nullptr;            // on axis 0; NULL where positions are whole
  std::int64_t axis_stride = 0;

  /// Whether the call gives positions in binary64.
  bool is_real() const { return first_real != nullptr; }
  /// The whole position on an axis; if no positions are given, the counted position on every axis.
  ///
  /// domain  !is_real(), 0 <= axis < axes of the positions
  std::int64_t position(int axis = 0) const {
    return first_position == nullptr ? counted : first_position[axis * axis_stride];
  }
  /// The real position on an axis.
  ///
  /// domain  is_real(), 0 <= axis < axes of the positions
  double real_position(int axis = 0) const { return first_real[axis * axis_stride]; }
};

/// Visits the call's range of tokens in order: visit(token_place).
template <class Visit>
void for_each_token(const checked_call& call, Visit visit) {
  if (call.begin == call.end) return;
  token_place place{.token = call.begin, .axis_stride = call.position_stride[0]};
  if (call.begin >= call.tokens) {  // a division costs as much as rotating a head
    place.row = call.begin / call.tokens;
    place.token = call.begin % call.tokens;
  }
  std::int64_t sequence = 0;
  for (std::int64_t left = call.end - call.begin; left > 0; --left) {
    place.counted = place.token;
    const auto offset = [&] {
      return place.row * call.position_stride[1] + place.token * call.position_stride[2];
    };
    if (call.positions != nullptr) {
      place.first_position = call.positions + offset();
    } else if (call.real_positions != nullptr) {
      place.first_real = call.real_positions + offset();
    } else if (call.sequence_offset != nullptr) {
      while (call.sequence_offset[sequence + 1] <= place.token) ++sequence;
      place.counted -= call.sequence_offset[sequence];
    }
    visit(static_cast<const token_place&>(place));
    if (++place.token == call.tokens) place.token = 0, ++place.row;
  }
}

}  // namespace ropewalk
