#include "verify/kernel_choice.hpp"

#include <dlfcn.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <deque>
#include <filesystem>
#include <iterator>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "door/message.hpp"
#include "door/program.hpp"
#include "door/program_kernels.hpp"
#include "gpu/kernel_device.hpp"
#include "gpu/kernels.hpp"
#include "input/bad_input.hpp"
#include "input/unknown_name.hpp"
#include "kernel/kernels.hpp"
#include "kernel/simd/simd.hpp"
#include "ropewalk/kernel/operation.hpp"
#include "ropewalk/law/kernel/served_calls.hpp"

namespace ropewalk::verify {
namespace {

[[noreturn]] void refuse_library(const std::string& path, const std::string& why) {
  throw bad_input("kernel", std::string(library_prefix) + path,
                  "a shared library that exports ropewalk_kernels as kernel.h says (" + why + ")");
}

bool is_kernel_name(const char* name) {
  const std::string_view text(name);
  const auto is_allowed = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; };
  return !text.empty() && text.size() <= 64 && std::all_of(text.begin(), text.end(), is_allowed);
}

std::string other_abi(std::uint32_t abi) {
  return "its ABI is " + std::to_string(abi) + ", this program's " + std::to_string(ROPEWALK_ABI);
}

/// Whether a list is one of ABI 1, whose libraries returned an array of structs: each began with its size and
/// the number of its ABI. No array of pointers begins with these words.
bool is_of_abi_1(const void* list) {
  constexpr std::uint32_t struct_size_1 = 48, abi_1 = 1;
  std::uint32_t words[2];
  std::memcpy(words, list, sizeof words);
  return words[0] == struct_size_1 && words[1] == abi_1;
}

/// What is wrong with the entry of a foreign library; empty when nothing is.
std::string fault_of(const ropewalk_kernel& kernel) {
  if (kernel.name == nullptr) return "a kernel's name is NULL";
  if (!is_kernel_name(kernel.name)) return "a kernel's name is not lower case, digits and hyphens";
  const std::string name = kernel.name;
  if (!is_operation(kernel.operation)) return name + ": operation is " + std::to_string(kernel.operation);
  if (kernel.promise == nullptr) return name + ": promise is NULL";
  try {
    promise_of(kernel);
    if (kernel.limits != nullptr) served_calls{*kernel.limits};
  } catch (const std::invalid_argument& refused) {
    return name + ": " + refused.what();
  }
  if (kernel.plan == nullptr || kernel.apply == nullptr || kernel.free_plan == nullptr)
    return name + ": a function is NULL";
  return {};
}

/// Copies a struct that an entry points to, with this version's fields. The
/// copy lives until the program ends.
template <class Struct>
const Struct* kept_struct(const Struct* foreign, std::string_view name) {
  static std::deque<Struct> kept;
  if (foreign == nullptr) return nullptr;
  return &kept.emplace_back(read_sized<Struct>(foreign, foreign->struct_size, {name, "struct_size"}));
}

/// Copies and checks a library's entry, with this version's fields. The copy lives
/// until the program ends, as the library does.
///
/// throws  bad_input naming the library
const ropewalk_kernel& kept_entry(const std::string& path, const ropewalk_kernel& foreign) {
  if (foreign.abi != ROPEWALK_ABI) refuse_library(path, other_abi(foreign.abi));
  try {
    auto entry = read_sized<ropewalk_kernel>(&foreign, foreign.struct_size, {"", "struct_size"});
    entry.promise = kept_struct(entry.promise, "promise");
    entry.limits = kept_struct(entry.limits, "limits");
    if (const std::string fault = fault_of(entry); !fault.empty()) refuse_library(path, fault);
    return *kept_struct(&entry, "");
  } catch (const refused_call& refused) {
    refuse_library(path, refused.what());
  }
}

std::vector<chosen_kernel> kernels_of_library(const std::string& path) {
  // dlopen would search the system's folders for a path without a slash.
  const std::string place = path.find('/') == std::string::npos ? "./" + path : path;
  struct stat status {};
  if (::stat(place.c_str(), &status) == 0 && !S_ISREG(status.st_mode))
    refuse_library(path, "it is not a regular file");  // opening a pipe would block
  void* library = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* reason = dlerror();
    refuse_library(path, reason != nullptr ? printable(reason) : "it cannot be loaded");
  }
  void* symbol = dlsym(library, "ropewalk_kernels");
  if (symbol == nullptr) refuse_library(path, "it has no symbol ropewalk_kernels");
  decltype(&ropewalk_kernels) list = nullptr;
  static_assert(sizeof list == sizeof symbol);
  std::memcpy(&list, &symbol, sizeof list);
  std::size_t count = 0;
  const ropewalk_kernel* const* kernels = list(&count);
  if (count == 0 || kernels == nullptr) refuse_library(path, "it lists no kernels");
  if (is_of_abi_1(kernels)) refuse_library(path, other_abi(1));
  std::vector<chosen_kernel> r;
  for (std::size_t i = 0; i < count; ++i) {
    if (kernels[i] == nullptr) refuse_library(path, "a kernel is NULL");
    r.push_back({&kept_entry(path, *kernels[i]), std::string(library_prefix) + path});
  }
  return r;
}

std::string names_of(const std::vector<chosen_kernel>& kernels) {
  std::string names;
  for (const chosen_kernel& kernel : kernels)
    names += (names.empty() ? "" : ", ") + std::string(kernel.kernel->name);
  return names;
}

/// The one kernel of that name among those of a library or program.
std::vector<chosen_kernel> one_named(std::string_view wanted, const std::vector<chosen_kernel>& kernels) {
  for (const chosen_kernel& kernel : kernels)
    if (wanted == kernel.kernel->name) return {kernel};
  const std::string origin = kernels.front().origin + '#';
  throw bad_input("kernel", origin + std::string(wanted), origin + "NAME with one of " + names_of(kernels));
}

// ---- Programs ----

[[noreturn]] void refuse_program(const std::string& command, const std::string& why) {
  throw bad_input("kernel", std::string(program_prefix) + command,
                  "a command that answers `describe` (" + why + ")");
}

std::vector<chosen_kernel> kernels_of_program(const std::string& command) {
  std::vector<chosen_kernel> r;
  try {
    for (const ropewalk_kernel* kernel : door::program_kernels(command, child_limits_in_force())) {
      const chosen_kernel one{kernel, std::string(program_prefix) + command};
      if (const std::string fault = fault_of(*kernel); !fault.empty()) refuse_program(command, fault);
      r.push_back(one);
    }
  } catch (const door::failed_answer& failed) {
    refuse_program(command, std::string("it reports: ") + failed.what());
  } catch (const door::no_answer& none) {
    refuse_program(command, std::string("it ") + none.what());
  } catch (const door::bad_message& bad) {
    refuse_program(command, std::string("it ") + bad.what());
  } catch (const door::interrupted_wait&) {
    refuse_program(command, "interrupted");
  } catch (const door::declined_answer& declined) {
    refuse_program(command, "it declines to: " + declined.text);
  }
  return r;
}

/// Splits "COMMAND#NAME". A `#` behind a blank begins a comment of the shell, so it is part of the command.
std::pair<std::string, std::string> command_and_name(const std::string& text) {
  const std::size_t mark = text.rfind('#');
  if (mark == std::string::npos || mark == 0 || text[mark - 1] == ' ' ||
      !is_kernel_name(text.c_str() + mark + 1))
    return {text, {}};
  return {text.substr(0, mark), text.substr(mark + 1)};
}

}  // namespace

door::child_limits& child_limits_in_force() {
  static door::child_limits limits;
  return limits;
}

bool needs_device(const chosen_kernel& kernel) {
  const auto on_device = vulkan_kernels();
  return kernel.kernel == &vulkan_recipe() ||
         std::any_of(on_device.begin(), on_device.end(),
                     [&](const ropewalk_kernel& one) { return &one == kernel.kernel; });
}

std::vector<chosen_kernel> built_in_kernel_list() {
  std::vector<chosen_kernel> r;
  for (const ropewalk_kernel& kernel : exported_kernels()) r.push_back({&kernel});
  if (vulkan::why_no_device().empty())
    for (const ropewalk_kernel& kernel : vulkan_kernels()) r.push_back({&kernel});
  return r;
}

std::vector<chosen_kernel> nameable_kernel_list() {
  std::vector<chosen_kernel> r;
  for (const ropewalk_kernel& kernel : all_kernels()) r.push_back({&kernel});
  for (const ropewalk_kernel& kernel : all_addition_kernels()) r.push_back({&kernel});
  for (const ropewalk_kernel& kernel : vulkan_kernels()) r.push_back({&kernel});
  for (const ropewalk_kernel& kernel : recipe_kernels()) r.push_back({&kernel, {}, true});
  r.push_back({&vulkan_recipe(), {}, true});
  return r;
}

std::vector<chosen_kernel> chosen_kernels(const std::string& name) {
  if (name.starts_with(library_prefix)) {
    const std::string path = name.substr(library_prefix.size());
    const std::size_t mark = path.rfind('#');
    if (mark == std::string::npos || std::filesystem::exists(path)) return kernels_of_library(path);
    return one_named(std::string_view(path).substr(mark + 1), kernels_of_library(path.substr(0, mark)));
  }
  if (name.starts_with(program_prefix)) {
    const auto [command, wanted] = command_and_name(name.substr(program_prefix.size()));
    const std::vector<chosen_kernel> kernels = kernels_of_program(command);
    return wanted.empty() ? kernels : one_named(wanted, kernels);
  }
  for (const chosen_kernel& kernel : nameable_kernel_list())
    if (name == kernel.kernel->name) return {kernel};
  if (name.ends_with(".so") || name.find('/') != std::string::npos)
    throw bad_input("kernel", name, std::string(library_prefix) + "PATH for a shared library");
  std::vector<std::string> names;
  for (const chosen_kernel& kernel : nameable_kernel_list()) names.emplace_back(kernel.kernel->name);
  throw input::unknown_name("kernel", name, names, "`ropewalk verify --list`");
}

std::vector<chosen_kernel> on_target(const chosen_kernel& kernel, const std::string& target) {
  const std::vector<chosen_kernel> nameable = nameable_kernel_list();
  std::string targets = "all";
  bool is_known = target == "all";
  std::vector<chosen_kernel> r;
  for (const simd::target* one : simd::targets()) {
    targets += std::string(", ") + one->name;
    if (target != "all" && target != one->name) continue;
    is_known = true;
    if (!kernel.is_built_in()) continue;
    const std::string wanted = std::string(kernel.kernel->name) + '-' + one->name;
    std::copy_if(nameable.begin(), nameable.end(), std::back_inserter(r),
                 [&](const chosen_kernel& candidate) { return candidate.kernel->name == wanted; });
  }
  if (!is_known) throw bad_input("target", target, targets);
  if (r.empty())
    throw bad_input("target", target,
                    "none with " + kernel.label() + ": only the CPU's kernels have targets");
  return r;
}

chosen_kernel only_kernel(const std::string& name) {
  const std::vector<chosen_kernel> kernels = chosen_kernels(name);
  if (kernels.size() > 1) throw bad_input("kernel", name, name + "#NAME with one of " + names_of(kernels));
  return kernels.front();
}

}  // namespace ropewalk::verify
