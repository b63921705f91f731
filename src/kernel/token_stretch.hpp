#pragma once
// Stretches of tokens whose indices in the tensors and positions both advance by one.

#include <cstdint>

#include "ropewalk/kernel/checked_call.hpp"

namespace ropewalk {

/// Consecutive tokens of one batch row at consecutive positions.
struct token_stretch {
  std::int64_t row = 0;
  std::int64_t token = 0;     // the first, within its batch row
  std::int64_t position = 0;  // of the first
  std::int64_t tokens = 0;

  std::int64_t last_position() const { return position + tokens - 1; }
  /// Tokens begin <= i < end of this stretch.
  token_stretch part(std::int64_t begin, std::int64_t end) const {
    return {row, token + begin, position + begin, end - begin};
  }
};

/// Visits the call's tokens in order: visit(token_stretch), each as long as possible and at most `most`
/// tokens long.
template <class Visit>
void for_each_stretch(const checked_call& call, std::int64_t most, Visit visit) {
  token_stretch stretch;
  for_each_token(call, [&](const token_place& place) {
    const std::int64_t position = place.position();
    if (stretch.tokens > 0 && stretch.tokens < most && place.row == stretch.row &&
        position == stretch.position + stretch.tokens) {
      ++stretch.tokens;
      return;
    }
    if (stretch.tokens > 0) visit(stretch);
    stretch = {place.row, place.token, position, 1};
  });
  if (stretch.tokens > 0) visit(stretch);
}

}  // namespace ropewalk
