#pragma once
// Reads the bytes of an input as choices, so that every input is a case. Behind its end, every choice is 0.

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>

#include "fuzz/target.hpp"

namespace ropewalk::fuzz {

class choices {
 public:
  explicit choices(input_bytes input) : left_(input) {}

  /// A number from 0 to limit - 1.
  ///
  /// domain  1 <= limit <= 256
  int below(int limit) { return static_cast<int>(word(1) % static_cast<std::uint64_t>(limit)); }
  int from(int smallest, int largest) { return smallest + below(largest - smallest + 1); }
  bool flip() { return below(2) == 1; }

  /// A number of up to 8 bytes, little endian.
  std::uint64_t word(std::size_t bytes) {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < bytes && !left_.empty(); ++i, left_ = left_.subspan(1))
      word |= std::uint64_t{left_.front()} << (8 * i);
    return word;
  }

  void skip(std::size_t bytes) { left_ = left_.subspan(bytes < left_.size() ? bytes : left_.size()); }

  template <class List>
  auto one_of(const List& list) {
    return *(std::begin(list) + below(static_cast<int>(std::size(list))));
  }

 private:
  input_bytes left_;
};

}  // namespace ropewalk::fuzz
