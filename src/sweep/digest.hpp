#pragma once
// Checksums of text, which detect damage and name contents. They do not protect against forgery.

#include <string>
#include <string_view>

namespace ropewalk::sweep {

/// 32 hexadecimal digits of a hash of some bytes (XXH3, 128 bits).
std::string digest_of(std::string_view bytes);

/// The same for the contents of a file named by the option `field`.
///
/// throws  bad_input if the file cannot be read
std::string digest_of_file(const std::string& field, const std::string& path);

}  // namespace ropewalk::sweep
