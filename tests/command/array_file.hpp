#pragma once
// Array files that commands wrote or shall read.

#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "command/program.hpp"
#include "export/npy.hpp"
#include "input/array_file.hpp"
#include "ropewalk/numeric/format.hpp"

namespace ropewalk::command {

/// The elements of an array file, as they lie there.
template <floating_format Float>
std::vector<bits_of<Float>> elements(const std::string& path) {
  const input::whole_array array = input::read_array("input", path);
  std::vector<bits_of<Float>> bits(array.bytes.size() / sizeof(bits_of<Float>));
  std::memcpy(bits.data(), array.bytes.data(), array.bytes.size());
  return bits;
}

/// The bytes of a list of positions in binary64, as an array file.
inline std::string real_list(const std::vector<double>& positions) {
  return tables::npy_header_bytes({npy_dtype::f64, {static_cast<std::int64_t>(positions.size())}}) +
         std::string(reinterpret_cast<const char*>(positions.data()), positions.size() * sizeof(double));
}

/// One entry of an array file moved by some ulps; `at` counts numbers, two in a complex one.
template <class Bits>
void move_entry(const std::string& path, std::size_t at, int steps) {
  std::string bytes = text_of(path);
  Bits bits{};
  const std::size_t place = 128 + at * sizeof bits;
  std::memcpy(&bits, bytes.data() + place, sizeof bits);
  bits = static_cast<Bits>(bits + static_cast<Bits>(steps));
  std::memcpy(bytes.data() + place, &bits, sizeof bits);
  std::ofstream(path, std::ios::binary) << bytes;
}

}  // namespace ropewalk::command
