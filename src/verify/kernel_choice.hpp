#pragma once
// Selects kernels: built-in ones by name, or those of a shared library that exports kernel.h's interface, of
// a program, or of a program on another machine.

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "ropewalk/kernel/promise.hpp"
#include "transport/child.hpp"

namespace ropewalk::verify {

/// Prefixes of kernel names: the path of a library, the command of a program, and the folder for messages
/// exchanged with a program on another machine.
inline constexpr std::string_view library_prefix = "library:";
inline constexpr std::string_view program_prefix = "program:";
inline constexpr std::string_view files_prefix = "files:";

/// A kernel and where it came from.
struct chosen_kernel {
  const ropewalk_kernel* entry = nullptr;
  std::string origin{};  // "library:PATH", "program:COMMAND", "files:DIR" as given; empty: built in
  bool is_recipe = false;

  bool is_built_in() const { return origin.empty(); }
  /// Whether a person carries the kernel's requests and answers.
  bool is_in_files() const { return origin.starts_with(files_prefix); }
  /// Whether the kernel runs in another process: a library's, a program's, or one on another machine.
  bool is_out_of_process() const;

  /// Whether --promise may replace the kernel's own promise: for recipes of engines, and for all kernels that
  /// are not built in.
  bool may_claim() const { return !is_built_in() || is_recipe; }

  /// The name in reports; kernels that are not built in have the library's path or the command in front of
  /// it.
  std::string label() const {
    return is_built_in() ? entry->name : origin.substr(origin.find(':') + 1) + ":" + entry->name;
  }
  /// The library's file. For a program, the first word of its command that is the relative path of a file.
  /// Empty if there is none.
  std::string file() const;
  /// The library's file, or every word of the command that is a file.
  std::vector<std::string> files() const;
  /// The --kernel value that selects this kernel alone.
  std::string option() const { return is_built_in() ? entry->name : origin + "#" + entry->name; }
};

/// How kernels of libraries and programs run.
struct transport_settings {
  transport::child_limits limits{};
  bool in_process = false;  // libraries are loaded into this process
};
transport_settings& transport_settings_in_force();

/// Thrown if a library's process ends or times out while loading the library; that is a verdict on the
/// library.
class kernel_ended : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// Whether a kernel is built in and runs on a Vulkan device.
bool needs_device(const chosen_kernel& kernel);

/// The default kernels; Vulkan kernels only if there is a device.
std::vector<chosen_kernel> built_in_kernel_list();

/// All named kernels, in the order of `ropewalk verify --list`: rotations, then additions, both also on every
/// target, then Vulkan kernels, then recipes of engines.
std::vector<chosen_kernel> nameable_kernel_list();
/// Names of the kernels of one operation.
std::vector<std::string> nameable_kernels_of(ropewalk_operation operation);

/// The kernels that a name selects: a listed kernel, all kernels of library:PATH, or one of them with
/// library:PATH#NAME. A `#` is part of the path if a file of that whole name exists. program:COMMAND and
/// files:DIR work alike.
///
/// throws  bad_input naming the option `kernel`, its value and the allowed values; kernel_ended;
///         missing_requirement if DIR has no description yet
std::vector<chosen_kernel> chosen_kernels(const std::string& name);

/// A built-in kernel on one instruction set; with `all`, on every one that this processor has.
///
/// throws  bad_input naming the option `target`, its value and the allowed values
std::vector<chosen_kernel> on_target(const chosen_kernel& kernel, const std::string& target);

/// The kernel that an option's value selects; an error if it selects several.
chosen_kernel only_kernel(const std::string& name, const std::string& option = "kernel");

}  // namespace ropewalk::verify
