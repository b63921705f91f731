#pragma once
// Tensor formats of kernel.h and the C++ formats that they stand for.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "ropewalk/kernel/kernel.h"
#include "ropewalk/numeric/format.hpp"

namespace ropewalk {

/// The enum ropewalk_dtype of a format: its index in the list of formats.
template <floating_format Float>
inline constexpr auto dtype_of = static_cast<ropewalk_dtype>(index_of<Float, all_formats>);
// A new format needs its number in enum ropewalk_dtype, which may not be the next one.
static_assert(all_formats::size == 4 && dtype_of<double> == ROPEWALK_F64 && dtype_of<float> == ROPEWALK_F32 &&
              dtype_of<binary16> == ROPEWALK_F16 && dtype_of<bfloat16> == ROPEWALK_BF16);

/// Format of rotations, additions and table entries for data of a format: binary64 for binary64 data,
/// binary32 for narrower data.
template <floating_format Float>
using rotation_format = std::conditional_t<std::is_same_v<Float, double>, double, float>;

/// Whether a number is a dtype of this version's tensors.
constexpr bool is_dtype(std::int32_t number) { return number >= 0 && number < all_formats::size; }

/// Calls visit.operator()<Float>() with the C++ format of a tensor's elements.
///
/// domain  is_dtype(dtype)
template <class Visit>
constexpr decltype(auto) with_format(ropewalk_dtype dtype, Visit&& visit) {
  return visit_type(all_formats{}, dtype, visit);
}

/// Bytes of one element.
constexpr int size_of(ropewalk_dtype dtype) {
  return with_format(dtype, []<class Float>() { return static_cast<int>(sizeof(bits_of<Float>)); });
}

/// Name of a dtype, as users spell it.
///
/// domain  is_dtype(dtype)
constexpr const char* name_of(ropewalk_dtype dtype) {
  return with_format(dtype, []<class Float>() { return format<Float>::name; });
}

/// Every dtype, in ascending order.
inline constexpr auto all_dtypes = [] {
  std::array<ropewalk_dtype, all_formats::size> all{};
  for_each_type(all_formats{}, [&]<class Float>() { all[dtype_of<Float>] = dtype_of<Float>; });
  return all;
}();

/// "f64, f32, ...": the names that a message lists as allowed.
inline std::string dtype_names() {
  std::string names;
  for (const ropewalk_dtype dtype : all_dtypes)
    names += (names.empty() ? "" : ", ") + std::string(name_of(dtype));
  return names;
}

/// The dtype with a name; nullopt if there is none.
constexpr std::optional<ropewalk_dtype> dtype_named(std::string_view name) {
  for (const ropewalk_dtype dtype : all_dtypes)
    if (name == name_of(dtype)) return dtype;
  return std::nullopt;
}

}  // namespace ropewalk
