#pragma once
// The additional files of a pack, embedded in the program by the build: a description, the schema, and
// checkers that need nothing of ropewalk.

#include <filesystem>
#include <span>
#include <string_view>

namespace ropewalk::vectors {

/// A file's name and its text.
struct embedded_file {
  std::string_view name;
  std::string_view text;
};

/// The files of src/vectors/pack, and the licence.
std::span<const embedded_file> pack_files();

/// Writes these files into a folder.
///
/// throws  bad_input naming output
void write_companions(const std::filesystem::path& folder);

}  // namespace ropewalk::vectors
