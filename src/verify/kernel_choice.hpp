#pragma once
// Which kernels: built in, by name, or every kernel of a shared library that exports kernel.h's interface.

#include <optional>
#include <string>
#include <vector>

#include "ropewalk/kernel/promise.hpp"

namespace ropewalk::verify {

/// A kernel and where it came from. Libraries stay loaded until the program ends.
/// What a name begins with that is the path of a library.
inline constexpr std::string_view library_prefix = "library:";

struct chosen_kernel {
  const ropewalk_kernel* kernel = nullptr;
  std::string library{};  // path as given; empty for a built-in kernel
  bool is_recipe = false;

  /// Whether it may be judged by another promise than its own: one that engines make for it.
  bool may_claim() const { return !library.empty() || is_recipe; }

  /// What the user would type: the name, or the library's path and the name.
  std::string label() const { return library.empty() ? kernel->name : library + ":" + kernel->name; }
};

/// Whether it is a built-in kernel that runs on a Vulkan device.
bool needs_device(const chosen_kernel& kernel);

/// What --device says of itself.
inline constexpr const char* device_help =
    "the Vulkan device of `ropewalk devices` that Vulkan kernels run on (default: the environment's "
    "ROPEWALK_VULKAN_DEVICE, else the best)";

/// The built-in kernels: those that run when none is named, on a Vulkan device where there is one.
std::vector<chosen_kernel> built_in_kernel_list();

/// These, then each kernel on every target, then what engines do instead: all that a name may mean, as listed.
std::vector<chosen_kernel> nameable_kernel_list();

/// `name` is that of such a kernel, library:PATH for all kernels of a library, or library:PATH#NAME for one of them. A `#` is
/// a part of the path where a file of the whole name is there.
///
/// throws  bad_input naming the option `kernel`, what was given and what is allowed
std::vector<chosen_kernel> chosen_kernels(const std::string& name);

/// A built-in kernel on one instruction set, or with `all` on each that this processor has.
///
/// throws  bad_input naming the option `target`, what was given and what is allowed
std::vector<chosen_kernel> on_target(const chosen_kernel& kernel, const std::string& target);

/// The same where exactly one is needed.
chosen_kernel only_kernel(const std::string& name);

}  // namespace ropewalk::verify
