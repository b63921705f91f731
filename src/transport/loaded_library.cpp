#include "transport/loaded_library.hpp"

#include <dlfcn.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <deque>
#include <string_view>

#include "ropewalk/kernel/operation.hpp"
#include "ropewalk/kernel/promise.hpp"
#include "ropewalk/law/kernel/served_calls.hpp"

namespace ropewalk::transport {
namespace {

std::string other_abi(std::uint32_t abi) {
  return "its ABI is " + std::to_string(abi) + ", this program's " + std::to_string(ROPEWALK_ABI);
}

/// Whether a list is from ABI 1, whose libraries returned an array of structs that begin with their size and
/// the ABI number. No array of pointers begins with these words.
bool is_of_abi_1(const void* list) {
  constexpr std::uint32_t struct_size_1 = 48, abi_1 = 1;
  std::uint32_t words[2];
  std::memcpy(words, list, sizeof words);
  return words[0] == struct_size_1 && words[1] == abi_1;
}

/// Copies a struct of an entry, with this version's fields.
template <class Struct>
const Struct* kept_struct(const Struct* foreign, std::string_view name) {
  static std::deque<Struct> kept;
  if (foreign == nullptr) return nullptr;
  return &kept.emplace_back(read_sized<Struct>(foreign, foreign->struct_size, {name, "struct_size"}));
}

const ropewalk_kernel* kept_entry(const ropewalk_kernel& foreign) {
  if (foreign.struct_size == 0) throw unusable_library("struct_size is 0; allowed: sizeof(ropewalk_kernel)");
  if (foreign.abi != ROPEWALK_ABI) throw unusable_library(other_abi(foreign.abi));
  try {
    auto entry = read_sized<ropewalk_kernel>(&foreign, foreign.struct_size, {"", "struct_size"});
    entry.promise = kept_struct(entry.promise, "promise");
    entry.limits = kept_struct(entry.limits, "limits");
    if (const std::string fault = fault_of(entry); !fault.empty()) throw unusable_library(fault);
    return kept_struct(&entry, "");
  } catch (const refused_call& refused) {
    throw unusable_library(refused.what());
  }
}

}  // namespace

bool is_kernel_name(const char* name) {
  const std::string_view text(name);
  const auto is_allowed = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; };
  return !text.empty() && text.size() <= 64 && std::all_of(text.begin(), text.end(), is_allowed);
}

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

loaded_library load_library(const std::string& path) {
  // dlopen would search the system's folders for a path without a slash.
  const std::string place = path.find('/') == std::string::npos ? "./" + path : path;
  struct stat status {};
  if (::stat(place.c_str(), &status) == 0 && !S_ISREG(status.st_mode))
    throw unusable_library("it is not a regular file");  // opening a pipe would block
  loaded_library library{::dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL), {}};
  if (library.handle == nullptr) {
    const char* const reason = ::dlerror();
    throw unusable_library(reason != nullptr ? reason : "it cannot be loaded");
  }
  void* const symbol = ::dlsym(library.handle, "ropewalk_kernels");
  if (symbol == nullptr) throw unusable_library("it has no symbol ropewalk_kernels");
  decltype(&ropewalk_kernels) list = nullptr;
  static_assert(sizeof list == sizeof symbol);
  std::memcpy(&list, &symbol, sizeof list);
  std::size_t count = 0;
  const ropewalk_kernel* const* const kernels = list(&count);
  if (count == 0 || kernels == nullptr) throw unusable_library("it lists no kernels");
  if (is_of_abi_1(kernels)) throw unusable_library(other_abi(1));
  for (std::size_t i = 0; i < count; ++i) {
    if (kernels[i] == nullptr) throw unusable_library("a kernel is NULL");
    library.kernels.push_back(kept_entry(*kernels[i]));
  }
  return library;
}

}  // namespace ropewalk::transport
