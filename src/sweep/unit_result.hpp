#pragma once
// The result of one unit as a line of text with a checksum.

#include <optional>
#include <string>
#include <string_view>

#include "sweep/tally.hpp"

namespace ropewalk::sweep {

/// The tally of one unit, with the unit's name.
struct unit_result {
  std::string unit;
  tally counts;
  std::string checksum;  // digest of the line without the checksum
};

/// One JSON object without a line end. Equal units and tallies give equal bytes.
std::string line_of(const std::string& unit, const tally& tally);

/// None if the line is torn, changed or not a unit's line.
std::optional<unit_result> read_line(std::string_view line);

}  // namespace ropewalk::sweep
