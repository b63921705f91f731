#pragma once
// Whole numbers of JSON that is read back. The parser's own conversions wrap what is beyond 64 bits, and
// leave a number with a fraction or an exponent undefined.

#include <cstdint>
#include <nlohmann/json_fwd.hpp>

namespace ropewalk::sweep {

/// throws  std::invalid_argument unless it is a whole number from least to most
std::int64_t whole_number(const nlohmann::json& from, std::int64_t least, std::int64_t most);

/// A count of entries, positions or units: 0 to 2^62.
std::int64_t count_in(const nlohmann::json& from);

/// The bits of an entry.
std::uint64_t bits_in(const nlohmann::json& from);

}  // namespace ropewalk::sweep
