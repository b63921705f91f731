#pragma once
// Where a number that was judged stands.

#include <cstdint>

namespace ropewalk {

/// Which of a kernel's two tensors.
enum class operand { query, key };

/// The first channel of one head of one token, counted through a dense tensor; or an entry of a table, which uses
/// the members that it needs.
struct place {
  operand tensor = operand::query;
  std::int64_t row = 0;
  std::int64_t token = 0;
  std::int64_t head = 0;
  int pair = -1;     // -1: no pair, a channel or a whole head
  int channel = -1;  // -1: the whole pair or head
  std::int32_t position = 0;
};

}  // namespace ropewalk
