#pragma once
// Arrays that users give: a .npy file, or one array of an .npz archive, a safetensors or a GGUF file.

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

/// A file, and the name of an array in it, where it has names.
struct array_location {
  std::string path;
  std::optional<std::string> name{};

  /// FILE or FILE#NAME.
  std::string text() const { return name ? path + "#" + *name : path; }
};

/// The place that a text names. Where several # could divide it, the longest path of a file that exists does.
array_location array_location_of(const std::string& text);

/// One array of a file, read front to back. A format that NumPy lacks comes as integers of its bits, from
/// safetensors and GGUF too.
class array_file {
 public:
  /// `place` is one of array_locations(); `dtypes` are the element types that are read, all if empty.
  ///
  /// throws  bad_input naming `field`, the place and what is wrong with it
  array_file(const std::string& field, const array_location& place, std::span<const npy_dtype> dtypes = {});

  const npy_header& header() const { return header_; }
  std::string place() const { return from_->place(); }

  /// Reads the next `bytes.size()` bytes of elements.
  ///
  /// throws  bad_input if the array ends before that
  void read(std::span<std::byte> bytes);

  /// Goes on after the next `bytes` bytes of elements; the next read says where there are fewer.
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

/// The places of the arrays that a text names: FILE or FILE#NAME, where * and ? in NAME stand for any
/// letters. A file of one array needs no NAME.
///
/// throws  bad_input naming `field`, where there is none, or several and no NAME
std::vector<array_location> array_locations(const std::string& field, const std::string& text);

/// The record that `ropewalk table` leaves of a file's arrays, as JSON text: in the sidecar of a .npy file,
/// in an .npz archive, or in the metadata of a safetensors or GGUF file, where what is no text is JSON in a
/// text. Empty where there is none.
///
/// throws  bad_input naming the file, where it is no such file
std::string record_of_arrays(const std::string& path);

/// The one array that a text, FILE or FILE#NAME, names.
array_file only_array(const std::string& field, const std::string& text,
                      std::span<const npy_dtype> dtypes = {});

/// All elements of an array, in the order of the file.
struct whole_array {
  npy_header header;
  std::vector<std::byte> bytes;
};

inline constexpr std::int64_t any_number_of_elements = std::numeric_limits<std::int64_t>::max();

/// Reads an array whole. One of more than `most` elements is refused by its header.
///
/// throws  bad_input
whole_array read_array(const std::string& field, const array_location& place,
                       std::span<const npy_dtype> dtypes = {}, std::int64_t most = any_number_of_elements);

/// The same, where `text` is FILE or FILE#NAME.
whole_array read_array(const std::string& field, const std::string& text,
                       std::span<const npy_dtype> dtypes = {}, std::int64_t most = any_number_of_elements);

}  // namespace ropewalk::input
