#pragma once
// Base64 of RFC 4648, section 4.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ropewalk::plot {

using byte_list = std::vector<unsigned char>;

std::string base64(const byte_list& data);

/// Decodes a text; nullopt if it is not base64.
std::optional<byte_list> from_base64(std::string_view text);

}  // namespace ropewalk::plot
