#pragma once
// Writes the larger cases of a pack as arrays: tables at positions over a whole context, and calls of many
// tokens.

#include <filesystem>
#include <string>

namespace ropewalk::vectors {

/// Writes tables.npz and calls.safetensors into a folder. `command` is recorded as their origin.
///
/// throws  bad_input naming output
void write_large_files(const std::filesystem::path& folder, const std::string& command);

}  // namespace ropewalk::vectors
