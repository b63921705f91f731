#pragma once
// Bytes as text, in base64.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ropewalk::output {

/// source  RFC 4648, section 4
std::string base64_of(std::span<const unsigned char> bytes);

/// The bytes; nullopt if the text is no base64.
std::optional<std::vector<unsigned char>> bytes_of_base64(std::string_view text);

}  // namespace ropewalk::output
