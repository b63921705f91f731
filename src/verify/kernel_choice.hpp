#pragma once
// Selection of kernels: built in, by name, or every kernel of a shared
// library that exports kernel.h's interface.

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "ropewalk/kernel/promise.hpp"
#include "transport/child.hpp"

namespace ropewalk::verify {

/// Prefixes of names that are the path of a library, the command of a program, and the folder of the messages
/// that are exchanged with one on another machine.
inline constexpr std::string_view library_prefix = "library:";
inline constexpr std::string_view program_prefix = "program:";
inline constexpr std::string_view files_prefix = "files:";

/// A kernel and where it came from.
struct chosen_kernel {
  const ropewalk_kernel* kernel = nullptr;
  std::string origin{};  // "library:PATH", "program:COMMAND", "files:DIR" as given; empty: built in
  bool is_recipe = false;

  bool is_built_in() const { return origin.empty(); }
  /// Whether a person carries its requests and answers.
  bool is_in_files() const { return origin.starts_with(files_prefix); }
  /// Whether it runs in another process: a library's, a program's, or one on another machine.
  bool is_out_of_process() const;

  /// Whether --promise may replace its own promise: for all but built-in kernels, and for recipes of engines.
  bool may_claim() const { return !is_built_in() || is_recipe; }

  /// Its name in reports: for a kernel that is not built in, the library's path or the command, and the name.
  std::string label() const {
    return is_built_in() ? kernel->name : origin.substr(origin.find(':') + 1) + ":" + kernel->name;
  }
  /// The library's file, or the program's: the first word of its command that is the relative path of a file.
  /// Empty if there is none.
  std::string file() const;
  /// The library's file, or every word of the command that is a file.
  std::vector<std::string> files() const;
  /// The value of --kernel that selects it alone.
  std::string option() const { return is_built_in() ? kernel->name : origin + "#" + kernel->name; }
};

/// How kernels of libraries and programs run from now on.
struct transport_settings {
  transport::child_limits limits{};
  bool in_process = false;  // libraries are loaded into this process
};
transport_settings& transport_settings_in_force();

/// A library whose process ended or was silent while it loaded the library, which is a verdict on it.
class kernel_ended : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// Whether it is a built-in kernel that runs on a Vulkan device.
bool needs_device(const chosen_kernel& kernel);

/// Help text of --device.
inline constexpr const char* device_help =
    "the Vulkan device of `ropewalk devices` that Vulkan kernels run on (default: the environment's "
    "ROPEWALK_VULKAN_DEVICE, else the best)";

/// The kernels that run when none is named; Vulkan kernels only if there is a device.
std::vector<chosen_kernel> built_in_kernel_list();

/// All kernels that can be named, in the order of the listing: rotations, then additions, both also on every
/// target, then Vulkan kernels, then recipes of engines.
std::vector<chosen_kernel> nameable_kernel_list();
/// The names of those that do one operation.
std::vector<std::string> nameable_kernels_of(ropewalk_operation operation);

/// The kernels that a name selects: one that can be named, library:PATH for all kernels of a library, or
/// library:PATH#NAME for one of them. A `#` is part of the path if a file of that whole name exists. The
/// same with program:COMMAND and files:DIR.
///
/// throws  bad_input naming the option `kernel`, what was given and what is allowed; kernel_ended;
///         missing_requirement where DIR has no description yet
std::vector<chosen_kernel> chosen_kernels(const std::string& name);

/// A built-in kernel on one instruction set, or with `all` on each that this processor has.
///
/// throws  bad_input naming the option `target`, what was given and what is allowed
std::vector<chosen_kernel> on_target(const chosen_kernel& kernel, const std::string& target);

/// The kernel that the name given with an option selects, where exactly one is needed.
chosen_kernel only_kernel(const std::string& name, const std::string& option = "kernel");

}  // namespace ropewalk::verify
