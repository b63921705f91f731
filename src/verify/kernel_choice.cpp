#include "verify/kernel_choice.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <memory>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "gpu/kernel_device.hpp"
#include "gpu/kernels.hpp"
#include "input/bad_input.hpp"
#include "input/unknown_name.hpp"
#include "kernel/kernels.hpp"
#include "kernel/simd/simd.hpp"
#include "ropewalk/law/kernel/call_memory.hpp"
#include "transport/exchange.hpp"
#include "transport/library_kernels.hpp"
#include "transport/loaded_library.hpp"
#include "transport/message.hpp"
#include "transport/message_kernels.hpp"
#include "transport/program.hpp"
#include "transport/remote_kernel.hpp"

namespace ropewalk::verify {
namespace {

[[noreturn]] void refuse_library(const std::string& path, const std::string& why) {
  throw bad_input("kernel", std::string(library_prefix) + path,
                  "a shared library that exports ropewalk_kernels as kernel.h says (" + printable(why) + ")");
}

[[noreturn]] void refuse_for_budget(const std::string& origin, const char* done) {
  throw missing_requirement(printable(origin) + ": the budget ran out before its kernels were " + done +
                            ": no verdict; allowed: a larger --budget");
}

std::vector<const ropewalk_kernel*> entries_of_library(const std::string& path) {
  try {
    if (transport_settings_in_force().in_process) return transport::load_library(path).kernels;
    return transport::library_kernels(path, transport_settings_in_force().limits);
  } catch (const transport::unusable_library& unusable) {
    refuse_library(path, unusable.what());
  } catch (const transport::no_answer& none) {
    throw kernel_ended(printable(std::string(library_prefix) + path) + ": its process " + none.what() +
                       " when it was loaded");
  } catch (const transport::budget_is_over&) {
    refuse_for_budget(std::string(library_prefix) + path, "loaded");
  } catch (const transport::interrupted_wait&) {
    refuse_library(path, "interrupted");
  }
}

std::vector<chosen_kernel> kernels_of_library(const std::string& path) {
  std::vector<chosen_kernel> kernels;
  for (const ropewalk_kernel* const kernel : entries_of_library(path))
    kernels.push_back({kernel, std::string(library_prefix) + path});
  return kernels;
}

std::string names_of(const std::vector<chosen_kernel>& kernels) {
  std::string names;
  for (const chosen_kernel& kernel : kernels)
    names += (names.empty() ? "" : ", ") + std::string(kernel.entry->name);
  return names;
}

/// The kernel of that name, among those of a library or program.
std::vector<chosen_kernel> one_named(std::string_view name, const std::vector<chosen_kernel>& kernels) {
  for (const chosen_kernel& kernel : kernels)
    if (name == kernel.entry->name) return {kernel};
  const std::string origin = kernels.front().origin + '#';
  throw bad_input("kernel", origin + std::string(name), origin + "NAME with one of " + names_of(kernels));
}

// ---- Programs, and files exchanged with them ----

[[noreturn]] void refuse_description(const std::string& origin, const std::string& why) {
  throw bad_input("kernel", origin, "a program that answers `describe` (" + why + ")");
}

/// The kernels that a program or a folder describes.
std::vector<chosen_kernel> described_kernels(const std::string& origin, const std::string& process,
                                             const std::shared_ptr<transport::message_transport>& transport) {
  std::vector<chosen_kernel> kernels;
  try {
    for (const ropewalk_kernel* kernel : transport::message_kernels(transport, process)) {
      if (const std::string fault = transport::fault_of(*kernel); !fault.empty())
        refuse_description(origin, fault);
      kernels.push_back({kernel, origin});
    }
  } catch (const transport::failed_answer& failed) {
    refuse_description(origin, std::string("it reports: ") + failed.what());
  } catch (const transport::no_answer& none) {
    refuse_description(origin, std::string("it ") + none.what());
  } catch (const transport::bad_message& bad) {
    refuse_description(origin, std::string("it ") + bad.what());
  } catch (const transport::budget_is_over&) {
    refuse_for_budget(origin, "described");
  } catch (const transport::interrupted_wait&) {
    refuse_description(origin, "interrupted");
  } catch (const transport::declined_answer& declined) {
    refuse_description(origin, "it declines to: " + declined.text);
  } catch (const answer_awaited&) {
    throw missing_requirement(transport::what_to_run(transport::write_requests().front()));
  }
  return kernels;
}

std::vector<chosen_kernel> kernels_of_program(const std::string& command) {
  return described_kernels(
      std::string(program_prefix) + command, "the program",
      std::make_shared<transport::program>(command, transport_settings_in_force().limits));
}

std::vector<chosen_kernel> kernels_of_files(const std::string& folder) {
  if (folder.empty()) throw bad_input("kernel", std::string(files_prefix), "files:DIR with a folder");
  return described_kernels(std::string(files_prefix) + folder, "the program", transport::exchange_in(folder));
}

/// Splits "COMMAND#NAME". A `#` after a blank begins a shell comment, so it is part of the command.
std::pair<std::string, std::string> command_and_name(const std::string& text) {
  const std::size_t mark = text.rfind('#');
  if (mark == std::string::npos || mark == 0 || text[mark - 1] == ' ' ||
      !transport::is_kernel_name(text.c_str() + mark + 1))
    return {text, {}};
  return {text.substr(0, mark), text.substr(mark + 1)};
}

}  // namespace

transport_settings& transport_settings_in_force() {
  static transport_settings settings;
  return settings;
}

bool chosen_kernel::is_out_of_process() const {
  return !is_built_in() && !(origin.starts_with(library_prefix) && transport_settings_in_force().in_process);
}

std::vector<std::string> chosen_kernel::files() const {
  if (origin.starts_with(library_prefix)) return {origin.substr(library_prefix.size())};
  if (!origin.starts_with(program_prefix)) return {};
  std::istringstream words(origin.substr(program_prefix.size()));
  std::vector<std::string> files;
  std::error_code unknown;
  for (std::string word; words >> word;)
    if (std::filesystem::is_regular_file(word, unknown)) files.push_back(word);
  return files;
}

std::string chosen_kernel::file() const {
  for (const std::string& path : files())
    if (origin.starts_with(library_prefix) || path.front() != '/') return path;
  return {};
}

bool needs_device(const chosen_kernel& kernel) {
  const auto on_device = vulkan_kernels();
  return kernel.entry == &vulkan_recipe() ||
         std::any_of(on_device.begin(), on_device.end(),
                     [&](const ropewalk_kernel& candidate) { return &candidate == kernel.entry; });
}

std::vector<chosen_kernel> built_in_kernel_list() {
  std::vector<chosen_kernel> built;
  for (const ropewalk_kernel& kernel : exported_kernels()) built.push_back({&kernel});
  if (vulkan::why_no_device().empty())
    for (const ropewalk_kernel& kernel : vulkan_kernels()) built.push_back({&kernel});
  return built;
}

std::vector<chosen_kernel> nameable_kernel_list() {
  std::vector<chosen_kernel> list;
  for (const ropewalk_kernel& kernel : all_kernels()) list.push_back({&kernel});
  for (const ropewalk_kernel& kernel : all_addition_kernels()) list.push_back({&kernel});
  for (const ropewalk_kernel& kernel : exact_addition_kernels()) list.push_back({&kernel});
  for (const ropewalk_kernel& kernel : vulkan_kernels()) list.push_back({&kernel});
  for (const ropewalk_kernel& kernel : recipe_kernels()) list.push_back({&kernel, {}, true});
  list.push_back({&vulkan_recipe(), {}, true});
  return list;
}

std::vector<std::string> nameable_kernels_of(ropewalk_operation operation) {
  std::vector<std::string> names;
  for (const chosen_kernel& kernel : nameable_kernel_list())
    if (kernel.entry->operation == operation) names.emplace_back(kernel.entry->name);
  return names;
}

std::vector<chosen_kernel> chosen_kernels(const std::string& name) {
  if (name.starts_with(library_prefix)) {
    const std::string path = name.substr(library_prefix.size());
    const std::size_t mark = path.rfind('#');
    if (mark == std::string::npos || std::filesystem::exists(path)) return kernels_of_library(path);
    return one_named(std::string_view(path).substr(mark + 1), kernels_of_library(path.substr(0, mark)));
  }
  for (const auto& [prefix, kernels_of] :
       {std::pair{program_prefix, &kernels_of_program}, std::pair{files_prefix, &kernels_of_files}}) {
    if (!name.starts_with(prefix)) continue;
    const auto [place, wanted] = command_and_name(name.substr(prefix.size()));
    const std::vector<chosen_kernel> kernels = kernels_of(place);
    return wanted.empty() ? kernels : one_named(wanted, kernels);
  }
  for (const chosen_kernel& kernel : nameable_kernel_list())
    if (name == kernel.entry->name) return {kernel};
  if (name.ends_with(".so") || name.find('/') != std::string::npos)
    throw bad_input("kernel", name, std::string(library_prefix) + "PATH for a shared library");
  std::vector<std::string> names;
  for (const chosen_kernel& kernel : nameable_kernel_list()) names.emplace_back(kernel.entry->name);
  throw input::unknown_name("kernel", name, names, "`ropewalk verify --list`");
}

std::vector<chosen_kernel> on_target(const chosen_kernel& kernel, const std::string& target) {
  const std::vector<chosen_kernel> nameable = nameable_kernel_list();
  std::string targets = "all";
  bool is_known = target == "all";
  std::vector<chosen_kernel> kernels;
  for (const simd::target* first : simd::targets()) {
    targets += std::string(", ") + first->name;
    if (target != "all" && target != first->name) continue;
    is_known = true;
    if (!kernel.is_built_in()) continue;
    const std::string wanted = std::string(kernel.entry->name) + '-' + first->name;
    std::copy_if(nameable.begin(), nameable.end(), std::back_inserter(kernels),
                 [&](const chosen_kernel& candidate) { return candidate.entry->name == wanted; });
  }
  if (!is_known) throw bad_input("target", target, targets);
  if (kernels.empty())
    throw bad_input("target", target,
                    "none with " + kernel.label() + ": only the CPU's kernels have targets");
  return kernels;
}

chosen_kernel only_kernel(const std::string& name, const std::string& option) {
  const std::vector<chosen_kernel> kernels = chosen_kernels(name);
  if (kernels.size() > 1) throw bad_input(option, name, name + "#NAME with one of " + names_of(kernels));
  return kernels.front();
}

}  // namespace ropewalk::verify
