#include "command/verify_kernels.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "command/option/domains.hpp"
#include "command/python_function.hpp"
#include "command/shell_words.hpp"
#include "input/bad_input.hpp"
#include "kernel/kernels.hpp"
#include "kernel/simd/simd.hpp"
#include "ropewalk/kernel/operation.hpp"

namespace ropewalk::command {

using namespace verify;

namespace {

/// The built-in kernels that have a version for each instruction set, so that --target can choose one.
std::vector<std::string> targeted_kernels() {
  const std::string target = std::string("-") + simd::targets().front()->name;
  const std::vector<chosen_kernel> nameable = nameable_kernel_list();
  std::vector<std::string> names;
  for (const ropewalk_kernel& exported : exported_kernels())
    if (std::any_of(nameable.begin(), nameable.end(), [&](const chosen_kernel& kernel) {
          return kernel.entry->name == exported.name + target;
        }))
      names.emplace_back(exported.name);
  return names;
}

/// Refuses a promise with a part that no kernel judged by this promise has.
void require_parts_of_some_kernel(const std::string& text, const promise& claim,
                                  const std::vector<judged_kernel>& kernels) {
  const bool has_name = std::any_of(std::begin(promises), std::end(promises),
                                    [&](const promise_description& known) { return known.name == text; });
  if (has_name) return;  // a named promise covers both operations
  for (const promise_part& part : promise_parts) {
    const bool has_kernel = std::any_of(kernels.begin(), kernels.end(), [&](const judged_kernel& kernel) {
      return kernel.chosen.may_claim() && detail::has_part(kernel.operation(), part) && !part.is_of_tables;
    });
    if (claim.*part.member != ROPEWALK_UNROUNDED && !has_kernel)
      throw bad_input("promise", text,
                      fmt::format("only parts that a selected kernel has: {} is a part of {}", part.name,
                                  part.is_of_tables                   ? "tables"
                                  : part.operation == ROPEWALK_ROTATE ? "rotations"
                                                                      : "additions"));
  }
}

}  // namespace

void refuse_comma_lists(const std::string& option, const std::vector<std::string>& names,
                        const std::string& between) {
  constexpr std::size_t longest_example = 60;
  for (const std::string& name : names) {
    if (name.find(',') == std::string::npos) continue;
    std::string words;
    for (const char letter : name) words += letter == ',' ? between : std::string(1, letter);
    throw bad_input(option, name, "one name each: --" + option + " " + printable(words, longest_example));
  }
}

bool names_kernels(const verify_options& options) {
  return !options.kernels.empty() || !options.target.empty();
}

bool judges_kernels(const verify_options& options) {
  return names_kernels(options) || !options.arrays.is_given();
}

std::optional<promise> chosen_promise(const std::string& name) {
  if (name.empty()) return std::nullopt;
  if (const auto known = promise_named(name)) return known;
  if (name.find('=') == name.npos) throw unknown_promise(name);
  throw bad_input("promise", name, promise_part_texts());
}

void choose_kernels(verification& request, const verify_options& options) {
  const std::optional<promise> claim = chosen_promise(options.promise);
  std::vector<std::string> names = options.kernels;
  if (names.empty() && !options.target.empty()) names = targeted_kernels();
  std::vector<judged_kernel>& kernels = request.kernels;
  const auto add_alone = [&](const chosen_kernel& kernel) {
    kernels.push_back({kernel, shell_quoted(kernel.option()),
                       kernel.may_claim() && claim ? *claim : promise_of(*kernel.entry)});
  };
  const auto add = [&](const chosen_kernel& kernel) {
    if (options.target.empty()) return add_alone(kernel);
    for (const chosen_kernel& targeted : on_target(kernel, options.target)) add_alone(targeted);
  };
  for (const std::string& name : names)
    if (!name.starts_with(library_prefix) && !name.starts_with(program_prefix))
      refuse_comma_lists("kernel", {name});
  if (names.empty() && judges_kernels(options))
    for (const chosen_kernel& kernel : built_in_kernel_list()) add(kernel);
  for (const std::string& name : names) {
    try {
      for (const chosen_kernel& kernel : chosen_kernels(name)) add(kernel);
    } catch (const kernel_ended& ended) {
      request.ended.emplace_back(ended.what());
    }
  }
  if (kernels.empty()) return;
  const bool may_claim = options.arrays.is_given() ||
                         std::any_of(kernels.begin(), kernels.end(),
                                     [](const judged_kernel& kernel) { return kernel.chosen.may_claim(); });
  if (claim && !may_claim)
    throw bad_input("promise", options.promise,
                    "only with --table, --kernel library:PATH, program:COMMAND or a recipe: a built-in "
                    "kernel has its own");
  if (claim && !promises_bits(*claim)) require_parts_of_some_kernel(options.promise, *claim, kernels);
}

void choose_other_kernel(verification& request, const verify_options& options) {
  if (options.same_as.empty()) return;
  for (const std::string_view option : {"--promise", "--law"})
    if (const std::string text = first_value(options, option); !text.empty())
      throw bad_input(field_name(option), text,
                      "none with --same-as, which asks for equal bits and nothing else");
  if (is_python_function(options.same_as))
    throw bad_input("same-as", options.same_as,
                    "a function beside a function alone; `ropewalk verify FILE.py::FUNCTION --same-as NAME` "
                    "compares it with any kernel");
  if (options.arrays.is_given())
    throw bad_input("same-as", options.same_as, "none with --table: it compares two kernels");
  const chosen_kernel other = only_kernel(options.same_as, "same-as");
  request.same_as = judged_kernel{other, shell_quoted(other.option()), promise_of(*other.entry)};
  request.calls.same_as = other.entry;
  const auto is_another = [&](const judged_kernel& kernel) {
    return kernel.operation() != request.same_as->operation();
  };
  if (!names_kernels(options)) std::erase_if(request.kernels, is_another);
  const auto kernel = std::find_if(request.kernels.begin(), request.kernels.end(), is_another);
  if (kernel != request.kernels.end())
    throw bad_input("same-as", options.same_as,
                    "a kernel of the same operation as " + kernel->chosen.label());
}

}  // namespace ropewalk::command
