#pragma once
// Laws on an array of a table's kind. An array has one configuration and fixed rows, so these are the laws of
// tables that ask for no others.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string_view>

#include "ropewalk/law/law.hpp"
#include "ropewalk/table/in_order.hpp"

namespace ropewalk::array {

/// Meaning of equality in a law of an array whose promise sets bounds.
inline constexpr std::string_view some_numbers_keep_it =
    "some real numbers within the promise's bound of the entries keep the law: no tolerance";

/// One law. Its rows are divided into runs; each run is judged by itself.
struct array_law {
  law_text text{};
  std::int64_t rows = 1;          // all rows that the law judges
  std::int64_t rows_per_run = 1;  // enough for one thread
  // Judges a run of rows of an array that lies in memory. A law that compares a row with the next reads one
  // row beyond the run, where there is one.
  std::function<measurement(const std::byte* array, row_run run)> measure{};
  bool compares_rows = false;  // a row with the next: a failure is of both
};

/// An array's entry, as its bits.
template <class Bits>
Bits bits_at(const std::byte* array, std::int64_t index) {
  Bits bits{};
  std::memcpy(&bits, array + static_cast<std::size_t>(index) * sizeof bits, sizeof bits);
  return bits;
}

}  // namespace ropewalk::array
