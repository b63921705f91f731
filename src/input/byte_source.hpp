#pragma once
// Bytes that are read front to back: of a file, or of one array in a file.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "input/bad_input.hpp"

namespace ropewalk::input {

class byte_source {
 public:
  byte_source() = default;
  virtual ~byte_source() = default;
  byte_source(const byte_source&) = delete;
  byte_source& operator=(const byte_source&) = delete;

  /// Reads up to `size` bytes and returns their number, which is smaller only at the end.
  virtual std::size_t read(void* bytes, std::size_t size) = 0;

  /// Goes on after the next `size` bytes; to the end, or beyond it, where there are fewer.
  virtual void skip(std::uint64_t size) {
    std::array<std::byte, 1 << 16> passed;
    while (size > 0) {
      const std::size_t count = read(passed.data(), std::min<std::uint64_t>(size, passed.size()));
      if (count == 0) return;
      size -= count;
    }
  }

  /// Number of all bytes, -1 where nobody knows it before the end.
  virtual std::int64_t size() const = 0;

  /// The option that named it, with which errors begin.
  virtual const std::string& field() const = 0;
  /// The path of the file, or FILE#NAME.
  virtual std::string place() const = 0;

  /// throws  bad_input "FIELD is PLACE (why); allowed: WHAT"
  [[noreturn]] void refuse(const std::string& why, const std::string& allowed) const {
    throw bad_input(field(), place() + " (" + why + ")", allowed);
  }
};

}  // namespace ropewalk::input
