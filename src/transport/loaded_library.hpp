#pragma once
// A shared library that exports kernel.h's interface, loaded into this process, and checks of its entries.

#include <stdexcept>
#include <string>
#include <vector>

#include "ropewalk/kernel/kernel.h"

namespace ropewalk::transport {

/// Why a library cannot be used, in a clause: "it lists no kernels".
class unusable_library : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A library, and copies of its entries with this version's fields. The copies live until the program ends.
struct loaded_library {
  void* handle = nullptr;  // of dlopen; the library stays loaded until it is closed
  std::vector<const ropewalk_kernel*> kernels;
};

/// Loads a library and checks its entries. A path without a slash is taken from the current folder.
///
/// throws  unusable_library
loaded_library load_library(const std::string& path);

/// Whether a name is one that kernel.h allows.
bool is_kernel_name(const char* name);

/// What is wrong with an entry; empty when nothing is.
std::string fault_of(const ropewalk_kernel& kernel);

}  // namespace ropewalk::transport
