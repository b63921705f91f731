#pragma once
// Images in the form of safetensors whose length and data fit their header.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "fuzz/target.hpp"
#include "input/safetensors.hpp"

namespace ropewalk::fuzz {

/// The input as it is or, if it begins with a brace, an image with it as the header: its length stands before
/// it, and as many zeros behind it as the header wants, unless those are many.
inline std::vector<std::uint8_t> headed_image(input_bytes input) {
  if (input.empty() || input.front() != '{') return {input.begin(), input.end()};
  constexpr std::uint64_t most_data = 1 << 16;
  std::uint64_t data = 0;
  try {
    data = std::min(input::safetensors_header_of(text_in(input)).data_bytes, most_data);
  } catch (const input::bad_header&) {
  }
  std::vector<std::uint8_t> image;
  for (int i = 0; i < 8; ++i) image.push_back(static_cast<std::uint8_t>(input.size() >> (8 * i)));
  image.insert(image.end(), input.begin(), input.end());
  image.resize(image.size() + data);
  return image;
}

}  // namespace ropewalk::fuzz
