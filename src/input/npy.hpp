#pragma once
// NumPy's array file, format versions 1.0 and 2.0: little endian, C order.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "input/byte_source.hpp"

namespace ropewalk {

/// Element types that the program reads and writes. Formats that NumPy lacks are stored as integers of their
/// bits; c64 is a complex number of two f32.
enum class npy_dtype { f64, f32, f16, u16, u32, i32, i64, c64, c128 };

struct npy_dtype_text {
  npy_dtype dtype;
  std::string_view descr;  // NumPy's spelling
  std::size_t bytes;       // size of one element
};

inline constexpr npy_dtype_text npy_dtypes[] = {
    {npy_dtype::f64, "<f8", 8}, {npy_dtype::f32, "<f4", 4}, {npy_dtype::f16, "<f2", 2},
    {npy_dtype::u16, "<u2", 2}, {npy_dtype::u32, "<u4", 4}, {npy_dtype::i32, "<i4", 4},
    {npy_dtype::i64, "<i8", 8}, {npy_dtype::c64, "<c8", 8}, {npy_dtype::c128, "<c16", 16}};

namespace detail {

consteval bool npy_rows_follow_the_enumeration() {
  int at = 0;
  for (const npy_dtype_text& text : npy_dtypes)
    if (text.dtype != static_cast<npy_dtype>(at++)) return false;
  return at == static_cast<int>(npy_dtype::c128) + 1;
}
static_assert(npy_rows_follow_the_enumeration());

}  // namespace detail

constexpr const npy_dtype_text& text_of(npy_dtype dtype) { return npy_dtypes[static_cast<int>(dtype)]; }

/// Bytes of one element.
constexpr std::size_t size_of(npy_dtype dtype) { return text_of(dtype).bytes; }

/// NumPy's spelling, `<f8` for f64.
constexpr std::string_view descr_of(npy_dtype dtype) { return text_of(dtype).descr; }

struct npy_header {
  npy_dtype dtype = npy_dtype::f64;
  std::vector<std::int64_t> shape;
};

/// "(2, 3)".
std::string shape_text(const std::vector<std::int64_t>& shape);

/// The shape without axes of length 1 while it has more axes than `axes`; leading ones are removed first. Too
/// many inner axes stay.
std::vector<std::int64_t> without_ones(std::vector<std::int64_t> shape, std::size_t axes);

/// Number of elements; 1 for a scalar.
std::int64_t element_count(const npy_header& header);

}  // namespace ropewalk

namespace ropewalk::input {

/// Bytes of an array's elements; each product is checked for overflow.
///
/// throws  bad_input
std::int64_t byte_count(const byte_source& from, const npy_header& header);

/// Reads the header of an array file, up to the first element. `dtypes` are the accepted element types;
/// empty: all. A shape that needs more bytes than the file has is refused before any allocation.
///
/// throws  bad_input naming the place and what is wrong with the header
npy_header read_npy_header(byte_source& from, std::span<const npy_dtype> dtypes);

/// "descr <f8, <f4 or <c16": the accepted element types.
std::string allowed_dtypes(std::span<const npy_dtype> wanted);

}  // namespace ropewalk::input
