// NumPy's archives. An input that is no archive becomes one array of an archive whose sums are right: a
// fuzzer does not guess those.

#include <zlib.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "fuzz/arrays_read.hpp"
#include "fuzz/target.hpp"

namespace ropewalk::fuzz {
namespace {

class little_endian {
 public:
  std::vector<std::uint8_t> bytes;

  void add(std::uint64_t value, int size) {
    for (int i = 0; i < size; ++i, value >>= 8) bytes.push_back(static_cast<std::uint8_t>(value));
  }
  void add(std::string_view text) { bytes.insert(bytes.end(), text.begin(), text.end()); }
};

/// A zip archive of one member that is not compressed, named a.npy.
std::vector<std::uint8_t> archive_with(input_bytes member) {
  constexpr std::string_view name = "a.npy";
  const auto sum = crc32(0, member.data(), static_cast<uInt>(member.size()));
  little_endian to;
  // Version, flags, method, time, date, sum, sizes, length of the name, length of the extra field.
  const auto add_description = [&] {
    to.add(20, 2);
    to.add(0, 8);
    to.add(sum, 4);
    to.add(member.size(), 4);
    to.add(member.size(), 4);
    to.add(name.size(), 2);
    to.add(0, 2);
  };
  to.add("PK\3\4");
  add_description();
  to.add(name);
  to.add(text_in(member));
  const std::size_t directory = to.bytes.size();
  to.add("PK\1\2");
  to.add(20, 2);
  add_description();
  to.add(0, 14);  // comment, disk, attributes, offset of the member
  to.add(name);
  const std::size_t end = to.bytes.size();
  to.add("PK\5\6");
  to.add(0, 4);
  to.add(1, 2);
  to.add(1, 2);
  to.add(end - directory, 4);
  to.add(directory, 4);
  to.add(0, 2);
  return to.bytes;
}

}  // namespace

void npz(input_bytes input) {
  if (text_in(input).starts_with("PK"))
    read_arrays(input);
  else
    read_arrays(archive_with(input));
}

}  // namespace ropewalk::fuzz

ROPEWALK_FUZZ_TARGET(npz);
