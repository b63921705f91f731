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

#include "gpu/kernel_device.hpp"
#include "gpu/kernels.hpp"
#include "input/bad_input.hpp"
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

/// Whether a list is one of ABI 1, whose libraries returned an array of structs: each began with its size and the number
/// of its ABI. No array of pointers begins so.
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

/// A struct that an entry points to, as this version knows it, kept for as long as the program runs.
template <class Struct>
const Struct* kept_struct(const Struct* foreign, std::string_view name) {
  static std::deque<Struct> kept;
  if (foreign == nullptr) return nullptr;
  return &kept.emplace_back(read_sized<Struct>(foreign, foreign->struct_size, {name, "struct_size"}));
}

/// The entry as this version knows it. It lives until the program ends, as its library does.
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
  // A path without a slash would be searched for in the system's folders.
  const std::string place = path.find('/') == std::string::npos ? "./" + path : path;
  struct stat status {};
  if (::stat(place.c_str(), &status) == 0 && !S_ISREG(status.st_mode))
    refuse_library(path, "it is no regular file");  // a pipe would be waited for
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
    r.push_back({&kept_entry(path, *kernels[i]), path});
  }
  return r;
}

std::string names_of(const std::vector<chosen_kernel>& kernels) {
  std::string names;
  for (const chosen_kernel& kernel : kernels)
    names += (names.empty() ? "" : ", ") + std::string(kernel.kernel->name);
  return names;
}

/// The one kernel of that name in a library.
std::vector<chosen_kernel> kernel_of_library(const std::string& path, std::string_view wanted) {
  const std::vector<chosen_kernel> kernels = kernels_of_library(path);
  for (const chosen_kernel& kernel : kernels)
    if (wanted == kernel.kernel->name) return {kernel};
  const std::string library = std::string(library_prefix) + path + '#';
  throw bad_input("kernel", library + std::string(wanted), library + "NAME with one of " + names_of(kernels));
}

}  // namespace

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
    return kernel_of_library(path.substr(0, mark), std::string_view(path).substr(mark + 1));
  }
  for (const chosen_kernel& kernel : nameable_kernel_list())
    if (name == kernel.kernel->name) return {kernel};
  throw bad_input("kernel", name, names_of(nameable_kernel_list()) + ", library:PATH");
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
    if (!kernel.library.empty()) continue;
    const std::string wanted = std::string(kernel.kernel->name) + '-' + one->name;
    std::copy_if(nameable.begin(), nameable.end(), std::back_inserter(r),
                 [&](const chosen_kernel& candidate) { return candidate.kernel->name == wanted; });
  }
  if (!is_known) throw bad_input("target", target, targets);
  if (r.empty())
    throw bad_input("target", target,
                    "none with " + kernel.label() + ": the processor's kernels alone have some");
  return r;
}

chosen_kernel only_kernel(const std::string& name) {
  const std::vector<chosen_kernel> kernels = chosen_kernels(name);
  if (kernels.size() > 1) throw bad_input("kernel", name, name + "#NAME with one of " + names_of(kernels));
  return kernels.front();
}

}  // namespace ropewalk::verify
