#pragma once
// The certificates of proofs/certificate, embedded in the program by the build.

#include <span>
#include <string_view>

namespace ropewalk::sweep {

/// One file: its name without ".json", and its text.
struct embedded_file {
  std::string_view name;
  std::string_view text;
};

/// All certificates, sorted by name.
std::span<const embedded_file> embedded_certificates();

}  // namespace ropewalk::sweep
