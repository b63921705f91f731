#pragma once
// Lets a sweep check a rotation kernel: turned unit vectors are the cosines and sines that it turns by.

#include <memory>
#include <stdexcept>
#include <string>

#include "sweep/subject.hpp"

namespace ropewalk::sweep {

/// Thrown if, during a sweep, a kernel exits, fails to answer, or refuses a call that it must serve. The text
/// is one line with the kernel, the table, the format and the positions of the call.
class kernel_failed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A kernel's outputs for (1, 0) in every pair of one head and zeros in the other channels, out of place: the
/// cosine and sine of each pair's angle. A model with M-RoPE gets the same position on every axis. `name` is
/// a value of --kernel: a built-in kernel, library:PATH[#NAME] or program:COMMAND.
///
/// throws  bad_input naming kernel if it does not rotate, or if a person must carry its answers;
///         verify::kernel_ended
std::unique_ptr<subject_maker> kernel_outputs(const std::string& name);

/// Digest of the files in a kernel's name: the library, or every word of the command that is a file. Empty
/// for a built-in kernel.
std::string content_of_kernel(const std::string& name);

}  // namespace ropewalk::sweep
