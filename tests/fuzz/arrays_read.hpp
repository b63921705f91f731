#pragma once
// What the targets of files of arrays share: everything that the program reads from such a file.

#include <cstdint>
#include <set>
#include <string>

#include "fuzz/memory_file.hpp"
#include "fuzz/target.hpp"
#include "input/array_file.hpp"
#include "input/axis_positions.hpp"
#include "input/bad_input.hpp"
#include "input/layered_arrays.hpp"
#include "input/positions.hpp"

namespace ropewalk::fuzz {

/// Calls `read`, which may refuse.
template <class Read>
void read_or_refuse(Read read) {
  try {
    read();
  } catch (const bad_input&) {
  }
}

/// Reads an array as a whole and by parts, unless an archive of few bytes would take long to unpack.
inline void read_one_array(const input::array_location& place) {
  constexpr std::int64_t most_bytes = std::int64_t{1} << 20;
  input::array_file file("table", place);
  const std::int64_t elements = element_count(file.header());
  const auto size = static_cast<std::int64_t>(size_of(file.header().dtype));
  need(elements >= 0, "an array has fewer elements than none");
  if (elements > most_bytes / size) return;
  const input::whole_array whole = input::read_array("table", place);
  need(static_cast<std::int64_t>(whole.bytes.size()) == elements * size,
       "an array is not as long as its shape");
  if (whole.bytes.empty()) return;
  file.skip(whole.bytes.size() - 1);
  std::byte last{};
  file.read({&last, 1});
  need(last == whole.bytes.back(), "an array read by parts differs");
  file.require_end();
}

/// Reads bytes as a file of arrays in every way.
inline void read_arrays(input_bytes input) {
  static memory_file file;
  file.hold(input);
  const std::string path = file.path();
  read_or_refuse([&] {
    for (const input::array_location& place : input::array_locations("table", path + "#*"))
      read_or_refuse([&] { read_one_array(place); });
  });
  read_or_refuse([&] { read_one_array({path}); });
  read_or_refuse([&] {
    std::set<std::int64_t> layers;
    for (const input::layered_array& array :
         input::layered_arrays("table", path + "#layers.{layer}.inv_freq"))
      need(layers.insert(array.layer).second, "a layer has two arrays");
  });
  read_or_refuse([&] {
    const input::listed_array read = input::listed_array_from(path, "anything");
    std::int64_t count = 1;
    for (const std::int64_t extent : read.shape) count *= extent;
    need(count == static_cast<std::int64_t>(read.positions.size()),
         "positions are not as many as their shape");
  });
  read_or_refuse([&] { input::real_positions_from(path).text(); });
  read_or_refuse([&] { input::axis_positions_from(path, 3).text(); });
  read_or_refuse([&] { input::record_of_arrays(path); });
}

}  // namespace ropewalk::fuzz
