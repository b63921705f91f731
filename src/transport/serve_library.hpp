#pragma once
// The process of a library. Answers the verifier on its standard output until its standard input ends.

namespace ropewalk::transport {

/// Serves the library at `path`. The memory of memory_descriptor is mapped at the hexadecimal address
/// `begin`. Returns the exit code of the process.
int serve_library(const char* path, const char* begin);

}  // namespace ropewalk::transport
