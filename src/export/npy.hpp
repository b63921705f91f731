#pragma once
// NumPy's array file, format version 1.0, and the JSON sidecar that describes its numbers.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "input/npy.hpp"
#include "output/output_file.hpp"

namespace ropewalk::tables {

/// Magic, version and header, padded to 64 bytes; the elements follow in C order, little endian.
std::string npy_header_bytes(const npy_header& header);

/// The same for elements of any NumPy type: "|u1" is a byte.
std::string npy_header_bytes(std::string_view descr, const std::vector<std::int64_t>& shape);

/// An array file and its sidecar PATH.json, which commit moves into place. A direct output has no sidecar.
class npy_output {
 public:
  npy_output(const std::string& path, const npy_header& header);

  void write(const void* elements, std::size_t bytes) { array_.write(elements, bytes); }

  /// Writes the sidecar's text and moves both files into place, the sidecar first.
  void commit(const std::string& sidecar);

 private:
  output::output_file array_;
  std::unique_ptr<output::output_file>
      sidecar_;  // null for a direct output; opened early, to refuse a bad path
};

}  // namespace ropewalk::tables
