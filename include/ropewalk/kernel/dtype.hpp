#pragma once
// Tensor formats of kernel.h and the C++ formats they name.

#include <cstdint>

#include "ropewalk/kernel/kernel.h"
#include "ropewalk/numeric/format.hpp"

namespace ropewalk {

/// The value of enum ropewalk_dtype for a format.
template <floating_format Float>
inline constexpr ropewalk_dtype dtype_of = ROPEWALK_F32;
template <>
inline constexpr ropewalk_dtype dtype_of<double> = ROPEWALK_F64;
template <>
inline constexpr ropewalk_dtype dtype_of<binary16> = ROPEWALK_F16;
template <>
inline constexpr ropewalk_dtype dtype_of<bfloat16> = ROPEWALK_BF16;

constexpr bool is_dtype(std::int32_t number) { return number >= ROPEWALK_F64 && number <= ROPEWALK_BF16; }

/// Calls visit.template operator()<Float>() with the C++ format of a tensor's elements.
template <class Visit>
constexpr auto with_format(ropewalk_dtype dtype, Visit visit) {
  switch (dtype) {
    case ROPEWALK_F64: return visit.template operator()<double>();
    case ROPEWALK_F32: return visit.template operator()<float>();
    case ROPEWALK_F16: return visit.template operator()<binary16>();
    case ROPEWALK_BF16: break;
  }
  return visit.template operator()<bfloat16>();
}

/// Bytes of one element.
constexpr int size_of(ropewalk_dtype dtype) {
  return with_format(dtype, []<class Float>() { return static_cast<int>(sizeof(bits_of<Float>)); });
}

constexpr const char* name_of(ropewalk_dtype dtype) {
  return with_format(dtype, []<class Float>() { return format<Float>::name; });
}

}  // namespace ropewalk
