#pragma once
// Checksums of text, for finding damage and naming contents; they are no defence against forgery.

#include <string>
#include <string_view>

namespace ropewalk::sweep {

/// 32 hexadecimal digits over some bytes (XXH3, 128 bits).
std::string digest_of(std::string_view bytes);

}  // namespace ropewalk::sweep
