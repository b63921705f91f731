#pragma once
// Refuses user input with one line: the field, its value and the allowed values.

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace ropewalk {

/// Target length of a refusal, including "ropewalk: ". Values are shortened to fit, but keep 40 characters.
inline constexpr std::size_t longest_refusal = 200;

/// `text` on one line, with control characters and non-ASCII bytes escaped. If the result is longer than
/// `longest`, "..." replaces its middle, so that a path keeps its beginning and its name.
std::string printable(std::string_view text, std::size_t longest = longest_refusal);

/// A size as text: "512 bytes", "1.5 MiB".
std::string size_text(std::uint64_t bytes);

/// Refused input: "FIELD is VALUE; allowed: WHAT", with VALUE printable and shortened to fit. Exit code 2.
struct bad_input : std::invalid_argument {
  bad_input(std::string_view field, std::string_view value, std::string_view allowed);
};

/// Thrown when a requirement is missing, such as a device; main prints it and exits with exit_code::missing.
struct missing_requirement : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace ropewalk
