#pragma once
// The positions of rows in the form that shaders read.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ropewalk/kernel/token_places.hpp"

namespace ropewalk::vulkan {

/// Positions are equal if their bits are: a caller may treat subnormals as zeros.
struct row_positions {
  bool is_real = false;
  // [axes, tokens]: a signed number each, or the two words of a binary64, the lower one first.
  std::vector<std::uint32_t> words{};

  friend bool operator==(const row_positions&, const row_positions&) = default;
};

/// The words of a position.
inline std::size_t words_of_position(bool is_real) { return is_real ? 2 : 1; }

/// The position whose words begin at `words`.
inline std::int32_t whole_position(const std::uint32_t* words) { return static_cast<std::int32_t>(words[0]); }
inline double real_position(const std::uint32_t* words) {
  return std::bit_cast<double>(std::uint64_t{words[1]} << 32 | words[0]);
}

inline row_positions whole_positions(std::span<const std::int32_t> positions) {
  return {.is_real = false, .words = {positions.begin(), positions.end()}};
}

/// The positions of these tokens on each axis.
inline row_positions row_positions_of(std::span<const token_place> places, int axes) {
  if (places.empty() || !places[0].is_real()) return whole_positions(positions_of(places, axes));
  row_positions positions{.is_real = true};
  positions.words.reserve(2 * places.size() * static_cast<std::size_t>(axes));
  for (int axis = 0; axis < axes; ++axis)
    for (const token_place& place : places) {
      const auto bits = std::bit_cast<std::uint64_t>(place.real_position(axis));
      positions.words.insert(positions.words.end(),
                             {static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(bits >> 32)});
    }
  return positions;
}

}  // namespace ropewalk::vulkan
