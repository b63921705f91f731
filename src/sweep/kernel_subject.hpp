#pragma once
// A rotation kernel as what a sweep checks: turned unit vectors are the cosines and sines that it turns by.

#include <memory>
#include <stdexcept>
#include <string>

#include "sweep/subject.hpp"

namespace ropewalk::sweep {

/// A kernel that ended, was silent, or refused a call which it had to serve, during a sweep. The text is one
/// line that names the kernel, the table, the format and the positions of the call.
class kernel_failed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The outputs of a kernel for (1, 0) in every pair of one head and zeros in the other channels, out of
/// place: of a pair that turns by an angle, its cosine and sine. A model with M-RoPE is given the same
/// position on every axis. `name` is a value of --kernel: a built-in kernel, library:PATH[#NAME] or
/// program:COMMAND.
///
/// throws  bad_input naming kernel, where it is no kernel that rotates or a person carries its answers;
///         verify::kernel_ended
std::unique_ptr<subject_maker> kernel_outputs(const std::string& name);

/// Digest of the files that such a name names: the library, or every word of the command that is a file.
/// Empty for a built-in kernel.
std::string content_of_kernel(const std::string& name);

}  // namespace ropewalk::sweep
