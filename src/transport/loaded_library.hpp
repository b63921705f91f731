#pragma once
// Loads a shared library that exports kernel.h's interface into this process, and checks its entries.

#include <stdexcept>
#include <string>
#include <vector>

#include "ropewalk/kernel/kernel.h"

namespace ropewalk::transport {

/// A library cannot be used; the text is a clause: "it lists no kernels".
class unusable_library : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A library, with copies of its entries in this version's fields. The copies live until the program ends.
struct loaded_library {
  void* handle = nullptr;  // of dlopen; the library stays loaded until it is closed
  std::vector<const ropewalk_kernel*> kernels;
};

/// Loads a library and checks its entries. A path without a slash is relative to the current folder.
///
/// throws  unusable_library
loaded_library load_library(const std::string& path);

/// Whether kernel.h allows a name.
bool is_kernel_name(const char* name);

/// The defect of an entry; empty if there is none.
std::string fault_of(const ropewalk_kernel& kernel);

}  // namespace ropewalk::transport
