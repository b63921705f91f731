#pragma once
// The operations of kernel.h, each with its encoding struct and its call struct, and functions that read such
// structs.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "ropewalk/config/closed_set.hpp"
#include "ropewalk/kernel/error.hpp"
#include "ropewalk/kernel/kernel.h"

namespace ropewalk {

/// Rotary embedding: rotates each channel pair of query and key.
struct rotate {
  static constexpr ropewalk_operation number = ROPEWALK_ROTATE;
  static constexpr std::string_view name = "rotate";
  using encoding = ropewalk_rotation;
  using call = ropewalk_rotation_call;
};

/// Sinusoidal encoding: adds a position's row to each head of its token.
struct add_row {
  static constexpr ropewalk_operation number = ROPEWALK_ADD_ROW;
  static constexpr std::string_view name = "add a row";
  using encoding = ropewalk_row_addition;
  using call = ropewalk_row_call;
};

/// ALiBi: adds -slope x distance to attention scores.
struct add_bias {
  static constexpr ropewalk_operation number = ROPEWALK_ADD_BIAS;
  static constexpr std::string_view name = "add a bias";
  using encoding = ropewalk_bias_addition;
  using call = ropewalk_bias_call;
};

/// Every operation that kernels of this version have, in the order of their numbers.
using operations = type_list<rotate, add_row, add_bias>;

/// Whether a number is an operation of this version; reserved operations are not.
constexpr bool is_operation(std::int32_t number) { return number >= 0 && number < operations::size; }

/// Calls visit.operator()<Operation>() with the operation of that number.
///
/// domain  is_operation(number)
template <class Visit>
constexpr decltype(auto) visit_operation(std::int32_t number, Visit&& visit) {
  return visit_type(operations{}, number, visit);
}

inline constexpr std::uint32_t largest_struct = 1u << 16;  // bytes; more is an error, not a later version

/// Reads a struct of the interface from the `size` bytes at `from`. Fields beyond `size` are zero; bytes
/// beyond this version's struct must be zero. Refuses a struct that is shorter than this version's if its
/// size is not a multiple of the alignment: it would end inside a field. `field` names the size in messages.
///
/// throws  refused_call naming the field
template <class Struct>
Struct read_sized(const void* from, std::uint32_t size, const field_name& field) {
  const auto* bytes = static_cast<const unsigned char*>(from);
  const bool ends_inside_a_field = size < sizeof(Struct) && size % alignof(Struct) != 0;
  if (size > largest_struct || ends_inside_a_field ||
      (size > sizeof(Struct) &&
       std::any_of(bytes + sizeof(Struct), bytes + size, [](unsigned char byte) { return byte != 0; })))
    refuse_field(field, "is " + std::to_string(size) + "; allowed: " + std::to_string(sizeof(Struct)) +
                            ", a smaller multiple of " + std::to_string(alignof(Struct)) +
                            ", or larger if the additional bytes are zero");
  Struct result{};
  std::memcpy(&result, from, std::min<std::size_t>(size, sizeof result));
  return result;
}

/// Reads the encoding or call of an operation that begins with `head`. `name` is the argument's name in
/// messages.
///
/// throws  refused_call naming the argument, struct_size or operation
template <class Struct>
Struct read_struct(const ropewalk_head* head, ropewalk_operation operation, std::string_view name) {
  require_pointer(head, {"", name}, "a pointer to a struct that begins with a ropewalk_head");
  require_aligned(reinterpret_cast<const Struct*>(head), {"", name});
  require_field(head->struct_size >= sizeof(ropewalk_head), {"", "struct_size"}, head->struct_size,
                "the size of the struct");
  require_field(head->operation == operation, {"", "operation"}, head->operation,
                std::to_string(operation).c_str());
  return read_sized<Struct>(head, head->struct_size, {"", "struct_size"});
}

/// The encoding or call that begins with `head`, without a copy, if it is well formed and has this version's
/// size. NULL otherwise: read_struct then reads it, or refuses it with a reason.
template <class Struct>
const Struct* struct_in_place(const ropewalk_head* head, ropewalk_operation operation) {
  const bool is_here = head != nullptr && reinterpret_cast<std::uintptr_t>(head) % alignof(Struct) == 0 &&
                       head->struct_size == sizeof(Struct) && head->operation == operation;
  return is_here ? reinterpret_cast<const Struct*>(head) : nullptr;
}

/// int32 positions: token t of batch row b on axis x has data[x stride[0] + b stride[1] + t stride[2]].
constexpr ropewalk_positions given_positions(const std::int32_t* data,
                                             std::array<std::int64_t, 3> stride = {0, 0, 1},
                                             std::int32_t axes = 1) {
  return {ROPEWALK_POSITIONS_I32, axes, data, {stride[0], stride[1], stride[2]}};
}

/// The head of an operation's encoding or call struct.
template <class Operation, class Struct>
constexpr ropewalk_head head_of() {
  return {.struct_size = sizeof(Struct), .operation = Operation::number};
}

/// An encoding of an operation in which every field except the head is zero.
template <class Operation>
constexpr typename Operation::encoding empty_encoding() {
  typename Operation::encoding result{};
  result.head = head_of<Operation, typename Operation::encoding>();
  return result;
}

/// A call of an operation in which every field except the head is zero: no tensor, no token.
template <class Operation>
constexpr typename Operation::call empty_call() {
  typename Operation::call result{};
  result.head = head_of<Operation, typename Operation::call>();
  return result;
}

}  // namespace ropewalk
