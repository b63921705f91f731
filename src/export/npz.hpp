#pragma once
// NumPy's archive of arrays: a ZIP file whose members are array files, stored uncompressed. Its bytes do not
// depend on when or where it was written.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "input/npy.hpp"
#include "output/output_file.hpp"

namespace ropewalk::tables {

/// Name of the member that holds the record: JSON, as an array of bytes. No table may have this name.
inline constexpr std::string_view npz_record_name = "record";

/// Most bytes of all arrays: sizes and offsets have 32 bits; 64 MiB are left for the record and the headers.
inline constexpr std::uint64_t largest_npz_array = (std::uint64_t{1} << 32) - (std::uint64_t{1} << 26);

struct named_array {
  std::string name;
  npy_header header;
};

/// An archive of arrays and their record, written front to back: a pipe gets the same bytes as a file.
class npz_output {
 public:
  /// throws  bad_input if the arrays are larger than largest_npz_array, or if the path is refused
  npz_output(const std::string& path, std::span<const named_array> arrays);

  /// Begins the next array.
  void begin_array(const named_array& array);

  /// Appends elements of the array.
  ///
  /// domain  bytes > 0: an empty array's pointer may be null, and zlib then restarts the checksum
  void write(const void* elements, std::size_t bytes);

  /// Adds the record and the directory, and moves the archive into place.
  void commit(const std::string& record);

 private:
  struct member {
    std::string name;
    std::uint32_t begin = 0;
    std::uint32_t size = 0;
    std::uint32_t sum = 0;
  };

  void begin_member(const std::string& array_name);
  void end_member();
  void write_directory();
  void put(std::string_view bytes);

  output::output_file file_;
  std::uint32_t written_ = 0;
  std::vector<member> members_;
};

}  // namespace ropewalk::tables
