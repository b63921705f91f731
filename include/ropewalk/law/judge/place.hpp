#pragma once
// Place of a judged number in a tensor or table.

#include <cstdint>

namespace ropewalk {

/// One of the two tensors that a kernel may be given.
enum class operand { query, key };

/// A head of one token, or a pair or channel of it, in a dense tensor. An entry of a table uses the members
/// that it needs.
struct place {
  operand tensor = operand::query;
  std::int64_t row = 0;
  std::int64_t token = 0;
  std::int64_t head = 0;
  int pair = -1;        // -1: a channel or a whole head
  int channel = -1;     // -1: a whole pair or head
  double position = 0;  // a whole number, or one of binary64
};

}  // namespace ropewalk
