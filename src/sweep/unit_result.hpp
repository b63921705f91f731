#pragma once
// The result of one unit as a line of text that tells whether it is whole.

#include <optional>
#include <string>
#include <string_view>

#include "sweep/tally.hpp"

namespace ropewalk::sweep {

/// What a unit's check found, under the unit's name.
struct unit_result {
  std::string unit;
  tally counts;
  std::string checksum;  // digest of the line without it
};

/// One JSON object without the line's end. The same unit and tally give the same bytes.
std::string line_of(const std::string& unit, const tally& tally);

/// None if the line is torn, changed or no such line.
std::optional<unit_result> read_line(std::string_view line);

}  // namespace ropewalk::sweep
