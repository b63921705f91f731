#pragma once
// Exact maps from an index on one axis to a coordinate: a frame's time in seconds, the centre of a patch, a
// number between -1 and 1.

#include <array>
#include <cstddef>
#include <cstdint>

#include "ropewalk/config/require.hpp"
#include "ropewalk/config/rope_axes.hpp"

namespace ropewalk {

/// An exact fraction.
struct ratio {
  std::int64_t numerator = 0;
  std::int64_t denominator = 1;
  friend constexpr bool operator==(const ratio&, const ratio&) = default;
};

/// The coordinate scale (index + offset), with exact numbers; the index itself by default. Structural.
struct coordinate {
  ratio scale{1, 1};
  ratio offset{0, 1};
  friend constexpr bool operator==(const coordinate&, const coordinate&) = default;
};

/// One map per axis.
using axis_coordinates = std::array<coordinate, largest_axis_count>;

/// throws  std::invalid_argument naming the field, its value and what is allowed
constexpr void validate(const coordinate& coordinate) {
  // Numbers below 2^31 keep products of an index, an offset and a scale within 128 bits.
  constexpr std::int64_t end = std::int64_t{1} << 31;
  const auto check = [](const ratio& part, const char* above, const char* below) {
    require(part.numerator > -end && part.numerator < end, above, static_cast<double>(part.numerator),
            "a whole number between -2147483648 and 2147483648");
    require(part.denominator >= 1 && part.denominator < end, below, static_cast<double>(part.denominator),
            "a whole number from 1 to 2147483647");
  };
  check(coordinate.scale, "numerator of scale", "denominator of scale");
  check(coordinate.offset, "numerator of offset", "denominator of offset");
  require(coordinate.scale.numerator != 0, "scale", 0, "a fraction other than 0");
}

}  // namespace ropewalk
