#pragma once
// Draws positions in binary64 of every kind.

#include <cmath>
#include <cstdint>
#include <random>

#include "kernel/rotation_case.hpp"

namespace ropewalk::test {

inline constexpr double end_of_positions = 0x1p31;

/// A position of some kind: ordinary, near a whole number, of any magnitude down to the smallest, near 2^31,
/// a point of a grid, zero, or in quarters.
inline double random_real(std::mt19937_64& random) {
  const auto unit = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
  const double sign = random() % 2 == 0 ? 1 : -1;
  switch (random() % 8) {
    case 0: {
      const std::uint64_t field = random() % 1054;  // below 2^31
      return sign * from_bits<double>(field << 52 | random() >> 12);
    }
    case 1: {
      const auto whole = static_cast<double>(random() % 5000);
      return sign * (whole + std::ldexp(sign, -static_cast<int>(random() % 60)));
    }
    case 2: return sign * (end_of_positions - std::ldexp(1 + unit(), -static_cast<int>(random() % 21)));
    case 3: return (static_cast<double>(random() % 64) + 0.5) / 64;
    case 4: return random() % 2 == 0 ? 0.0 : -0.0;
    case 5: return sign * static_cast<double>(random() % 1000) / 4;
    case 6: return sign * std::ldexp(unit(), static_cast<int>(random() % 32));
    default: return sign * unit() * 1000;
  }
}

}  // namespace ropewalk::test
