#pragma once
// Source of bytes that are read front to back: a file, or one array in a file.

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

  /// Skips the next `size` bytes, or stops at the end if fewer remain.
  virtual void skip(std::uint64_t size) {
    std::array<std::byte, 1 << 16> passed;
    while (size > 0) {
      const std::size_t count = read(passed.data(), std::min<std::uint64_t>(size, passed.size()));
      if (count == 0) return;
      size -= count;
    }
  }

  /// Total number of bytes; -1 if unknown before the end.
  virtual std::int64_t size() const = 0;

  /// The option that named the source; errors begin with it.
  virtual const std::string& field() const = 0;
  /// The path of the file, or FILE#NAME.
  virtual std::string place() const = 0;

  /// throws  bad_input "FIELD is PLACE (why); allowed: WHAT"
  [[noreturn]] void refuse(const std::string& why, const std::string& allowed) const {
    throw bad_input(field(), place() + " (" + why + ")", allowed);
  }
};

}  // namespace ropewalk::input
