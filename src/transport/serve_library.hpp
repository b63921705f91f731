#pragma once
// The process of a library: it answers the verifier on its standard output until its standard input ends.

namespace ropewalk::transport {

/// Serves the library at `path`, with the memory of memory_descriptor at the address that `begin` spells in
/// hexadecimal. Returns the exit code of the process.
int serve_library(const char* path, const char* begin);

}  // namespace ropewalk::transport
