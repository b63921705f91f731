#pragma once
// Arrays given by users: a .npy file, or one array of an .npz archive, a safetensors or a GGUF file.

#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "input/byte_source.hpp"
#include "input/npy.hpp"

namespace ropewalk::input {

/// A file, and the name of an array in it if its arrays have names.
struct array_location {
  std::string path;
  std::optional<std::string> name{};

  /// FILE or FILE#NAME.
  std::string text() const { return name ? path + "#" + *name : path; }
};

/// The location in a text. If the text has several #, the longest prefix that is an existing file is the
/// path.
array_location array_location_of(const std::string& text);

/// One array of a file, read front to back. Formats that NumPy lacks are read as integers of their bits, also
/// from safetensors and GGUF.
class array_file {
 public:
  /// `place` is one of array_locations(). `dtypes` are the accepted element types; empty: all.
  ///
  /// throws  bad_input naming `field`, the place and what is wrong with it
  array_file(const std::string& field, const array_location& place, std::span<const npy_dtype> dtypes = {});

  const npy_header& header() const { return header_; }
  std::string place() const { return from_->place(); }

  /// Reads the next `bytes.size()` bytes of elements.
  ///
  /// throws  bad_input if the array ends before that
  void read(std::span<std::byte> bytes);

  /// Skips the next `bytes` bytes of elements. If fewer remain, the next read fails.
  void skip(std::uint64_t bytes);

  /// throws  bad_input if bytes follow the last element
  void require_end();

  /// throws  bad_input "FIELD is PLACE (why); allowed: WHAT"
  [[noreturn]] void refuse(const std::string& why, const std::string& allowed) const {
    from_->refuse(why, allowed);
  }

 private:
  std::unique_ptr<byte_source> from_;
  npy_header header_;
};

/// The locations of the arrays in a text, FILE or FILE#NAME. In NAME, * and ? are wildcards. A file with one
/// array needs no NAME.
///
/// throws  bad_input naming `field` if there is no such array, or several arrays and no NAME
std::vector<array_location> array_locations(const std::string& field, const std::string& text);

/// The record that `ropewalk table` writes beside a file's arrays, as JSON text: in the sidecar of a .npy
/// file, in an .npz archive, or in the metadata of a safetensors or GGUF file, where values that are not
/// texts are stored as JSON in a text. Empty if there is none.
///
/// throws  bad_input naming the file if it has none of these formats
std::string record_of_arrays(const std::string& path);

/// The single array in a text, FILE or FILE#NAME.
array_file only_array(const std::string& field, const std::string& text,
                      std::span<const npy_dtype> dtypes = {});

/// All elements of an array, in the order of the file.
struct whole_array {
  npy_header header;
  std::vector<std::byte> bytes;
};

inline constexpr std::int64_t any_number_of_elements = std::numeric_limits<std::int64_t>::max();

/// Reads a whole array. An array of more than `most` elements is refused after its header.
///
/// throws  bad_input
whole_array read_array(const std::string& field, const array_location& place,
                       std::span<const npy_dtype> dtypes = {}, std::int64_t most = any_number_of_elements);

/// The same, where `text` is FILE or FILE#NAME.
whole_array read_array(const std::string& field, const std::string& text,
                       std::span<const npy_dtype> dtypes = {}, std::int64_t most = any_number_of_elements);

}  // namespace ropewalk::input
