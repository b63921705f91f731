#pragma once
// Checksums of text, for finding damage and naming contents; they are no defence against forgery.

#include <string>
#include <string_view>

namespace ropewalk::sweep {

/// 32 hexadecimal digits over some bytes (XXH3, 128 bits).
std::string digest_of(std::string_view bytes);

/// The same over the contents of a file that the option `field` names.
///
/// throws  bad_input if it cannot be read
std::string digest_of_file(const std::string& field, const std::string& path);

}  // namespace ropewalk::sweep
