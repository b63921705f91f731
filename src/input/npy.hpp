#pragma once
// NumPy's array file, format versions 1.0 and 2.0: little endian, C order.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "input/input_file.hpp"

namespace ropewalk {

/// Element types that the program reads and writes. A format that NumPy lacks is stored as integers of its
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

/// Number of elements; 1 for a scalar.
std::int64_t element_count(const npy_header& header);

}  // namespace ropewalk

namespace ropewalk::input {

/// An array file, read front to back. A shape that needs more bytes than a regular file holds is refused
/// before anything is allocated.
class npy_file {
 public:
  /// `dtypes` are the element types that are read; all if empty.
  ///
  /// throws  bad_input naming `field`, the path and what is wrong with the header
  npy_file(std::string field, std::string path, std::span<const npy_dtype> dtypes = {});

  const npy_header& header() const { return header_; }
  const input_file& file() const { return input_; }

  /// Reads the next `bytes.size()` bytes of elements.
  ///
  /// throws  bad_input if the file ends before that
  void read(std::span<std::byte> bytes);

  /// throws  bad_input if bytes follow the last element
  void require_end();

 private:
  input_file input_;
  npy_header header_;
};

/// All elements of an array file, in the order of the file.
struct npy_array {
  npy_header header;
  std::vector<std::byte> bytes;
};

npy_array read_npy(std::string field, std::string path, std::span<const npy_dtype> dtypes = {});

}  // namespace ropewalk::input
