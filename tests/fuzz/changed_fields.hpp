#pragma once
// Changes of one field of an encoding or of a call, to values that kernels must refuse or take alike.

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "fuzz/case_memory.hpp"
#include "fuzz/choices.hpp"

namespace ropewalk::fuzz {

namespace detail {

inline std::int64_t odd_number(choices& from) {
  constexpr std::array numbers{std::int64_t{0},
                               std::int64_t{1},
                               std::int64_t{-1},
                               std::int64_t{2},
                               std::int64_t{3},
                               std::int64_t{5},
                               std::int64_t{8},
                               std::int64_t{64},
                               std::int64_t{128},
                               std::int64_t{65537},
                               std::int64_t{1} << 30,
                               std::int64_t{1} << 31,
                               -(std::int64_t{1} << 31),
                               std::int64_t{1} << 59,
                               std::int64_t{1} << 61,
                               -(std::int64_t{1} << 61),
                               (std::int64_t{1} << 62) + 1,
                               std::numeric_limits<std::int64_t>::max(),
                               std::numeric_limits<std::int64_t>::max() - 1,
                               std::numeric_limits<std::int64_t>::min(),
                               std::numeric_limits<std::int64_t>::min() + 1};
  return from.one_of(numbers);
}

inline std::int32_t odd_int(choices& from) { return static_cast<std::int32_t>(odd_number(from)); }

inline double odd_double(choices& from) {
  using limits = std::numeric_limits<double>;
  constexpr std::array numbers{
      0.0,          -0.0, -1.0, 0.5, 2.0, limits::quiet_NaN(), limits::infinity(), limits::denorm_min(),
      limits::max()};
  return from.one_of(numbers);
}

/// NULL, or the same array a byte further on.
template <class Element>
void change_pointer(const Element*& to, choices& from) {
  const auto further = reinterpret_cast<std::uintptr_t>(to) + 1;
  to = from.flip() ? nullptr : reinterpret_cast<const Element*>(further);
}

inline void change_head(ropewalk_head& head, choices& from) {
  const std::uint32_t size = head.struct_size;
  const std::array sizes{0u, 4u, 7u, 8u, 16u, size - 1, size - 8, size + 1, size + 8, 4096u, 65537u, ~0u};
  if (from.flip())
    head.operation = odd_int(from);
  else
    head.struct_size = from.one_of(sizes);
}

template <class Encoding>
void change_pairs(Encoding& to, choices& from) {
  switch (from.below(5)) {
    case 0: change_pointer(to.inv_freq, from); break;
    case 1: change_pointer(to.turns, from); break;
    case 2: change_pointer(to.turns_256, from); break;
    case 3: to.table_begin = odd_number(from); break;
    default: to.table_end = odd_number(from);
  }
}

inline void change(ropewalk_rotation& to, choices& from) {
  switch (from.below(12)) {
    case 0: to.head_dim = odd_int(from); break;
    case 1: to.rotary_dim = odd_int(from); break;
    case 2: to.pairing_in = odd_int(from); break;
    case 3: to.pairing_out = odd_int(from); break;
    case 4: to.axes = odd_int(from); break;
    case 5: to.attention_factor = odd_double(from); break;
    case 6: to.attention_real.significand[from.below(8)] ^= 1u << from.below(32); break;
    case 7: to.attention_real.exponent = odd_int(from); break;
    case 8: to.seq_len = odd_number(from); break;
    case 9: change_pointer(to.axis, from); break;
    case 10: to.rotary_begin = odd_number(from); break;
    default: change_pairs(to, from);
  }
}

inline void change(ropewalk_row_addition& to, choices& from) {
  switch (from.below(6)) {
    case 0: to.width = odd_int(from); break;
    case 1: to.sinusoidal_channels = odd_int(from); break;
    case 2: to.pairing = odd_int(from); break;
    case 3: to.cosine_first = odd_int(from); break;
    case 4: to.row_offset = odd_int(from); break;
    default: change_pairs(to, from);
  }
}

inline void change(ropewalk_bias_addition& to, choices& from) {
  switch (from.below(4)) {
    case 0: to.heads = odd_int(from); break;
    case 1: to.is_symmetric = odd_int(from); break;
    case 2: change_pointer(to.slopes, from); break;
    default: to.origin = odd_number(from);
  }
}

inline void* moved(void* data, int bytes) {
  return reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(data) + static_cast<std::uintptr_t>(bytes));
}

inline void change(ropewalk_tensor& to, const ropewalk_tensor& other, choices& from) {
  switch (from.below(7)) {
    case 0: to.data = nullptr; break;
    case 1: to.data = moved(to.data, from.below(8) - 4); break;
    case 2: to.data = moved(other.data, from.below(8)); break;
    case 3: to.dtype = odd_int(from); break;
    case 4: to.rank = from.below(6); break;
    case 5: to.shape[from.below(4)] = odd_number(from); break;
    default: to.stride[from.below(4)] = odd_number(from);
  }
}

inline void change(ropewalk_tokens& to, choices& from) {
  switch (from.below(7)) {
    case 0: to.begin = odd_number(from); break;
    case 1: to.end = odd_number(from); break;
    case 2: to.sequences = odd_number(from); break;
    case 3: change_pointer(to.sequence_offset, from); break;
    case 4: to.positions.kind = odd_int(from); break;
    case 5: to.positions.axes = odd_int(from); break;
    default:
      if (from.flip())
        change_pointer(to.positions.data, from);
      else
        to.positions.stride[from.below(3)] = odd_number(from);
  }
}

}  // namespace detail

/// Changes a field of an encoding. False where its arrays are shorter than it then says.
inline bool change_encoding(ropewalk_operation operation, struct_memory& to, choices from) {
  constexpr int most = 2 * static_cast<int>(case_encoding::pairs_there_are);
  if (from.below(4) == 0) {
    detail::change_head(to.as<ropewalk_head>(), from);
    return true;
  }
  return visit_operation(operation, [&]<class Operation>() {
    auto& encoding = to.as<typename Operation::encoding>();
    detail::change(encoding, from);
    if constexpr (Operation::number == ROPEWALK_ROTATE)
      return (encoding.rotary_dim <= most || encoding.rotary_dim > encoding.head_dim) &&
             encoding.axes <= most;
    else if constexpr (Operation::number == ROPEWALK_ADD_BIAS)
      return encoding.heads <= static_cast<int>(case_encoding::slopes_there_are) || encoding.heads > 65536;
    else
      return encoding.sinusoidal_channels <= most || encoding.sinusoidal_channels > encoding.width;
  });
}

/// Changes a field of a call. False where it then names memory that it does not have.
inline bool change_call(case_call& to, choices from) {
  switch (from.below(4)) {
    case 0: detail::change_head(to.memory.as<ropewalk_head>(), from); break;
    case 1: detail::change(to.tokens(), from); break;
    default: {
      const auto at = static_cast<std::size_t>(from.below(4));
      ropewalk_tensor* const tensor = to.field(at) != nullptr ? to.field(at) : to.field(at % 2);
      detail::change(*tensor, *to.field(static_cast<std::size_t>(from.below(2))), from);
      if (from.below(8) == 0 && to.field(2) != nullptr)
        to.memory.as<ropewalk_rotation_call>().flags = static_cast<std::uint32_t>(detail::odd_int(from));
    }
  }
  const ropewalk_tokens& tokens = to.tokens();
  const bool has_offsets = tokens.sequence_offset == nullptr ||
                           tokens.sequences < case_call::offsets_there_are ||
                           tokens.sequences == std::numeric_limits<std::int64_t>::max();
  return has_offsets && to.is_honest();
}

}  // namespace ropewalk::fuzz
