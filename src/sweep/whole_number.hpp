#pragma once
// Reads whole numbers from JSON. The parser's own conversions wrap numbers beyond 64 bits, and are undefined
// for numbers with a fraction or an exponent.

#include <cstdint>
#include <nlohmann/json_fwd.hpp>

namespace ropewalk::sweep {

/// throws  std::invalid_argument unless the value is a whole number from least to most
std::int64_t whole_number(const nlohmann::json& from, std::int64_t least, std::int64_t most);

/// A count of entries, positions or units: 0 to 2^62.
std::int64_t count_in(const nlohmann::json& from);

/// The bits of an entry.
std::uint64_t bits_in(const nlohmann::json& from);

}  // namespace ropewalk::sweep
