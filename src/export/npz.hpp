#pragma once
// NumPy's archive of arrays: a ZIP file whose members are array files, stored as they are. Nothing in it depends on
// when or where it was written.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "export/output_file.hpp"
#include "input/npy.hpp"

namespace ropewalk::output {

/// The member that says what the other one is: JSON, as an array of bytes. No table may have this name.
inline constexpr std::string_view npz_record_name = "record";

/// Bytes of a member and of the archive are counted in 32 bits; the record and what surrounds it fit in the rest.
inline constexpr std::uint64_t largest_npz_array = (std::uint64_t{1} << 32) - (std::uint64_t{1} << 26);

/// An archive of one array and its record, written front to back: what a pipe gets, a file gets too.
class npz_output {
 public:
  /// throws  bad_input where the array is larger than largest_npz_array
  npz_output(const std::string& path, const std::string& name, const npy_header& header);

  /// domain  bytes > 0: zlib takes a null pointer as the begin of another check sum
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

  output_file file_;
  std::uint32_t written_ = 0;
  std::vector<member> members_;
};

}  // namespace ropewalk::output
