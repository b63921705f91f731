#include "command/verify_request.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include "command/record.hpp"
#include "command/shell_words.hpp"
#include "command/verified_models.hpp"
#include "gpu/kernel_device.hpp"
#include "kernel/kernels.hpp"
#include "kernel/simd/simd.hpp"
#include "model/bad_input.hpp"

namespace ropewalk::command {
namespace {

constexpr std::int64_t default_budget = 40;  // seconds: with plans, shrinking and printing, below a minute
constexpr std::int64_t most_cases = 1'000'000'000;
constexpr ropewalk_dtype all_dtypes[] = {ROPEWALK_F64, ROPEWALK_F32, ROPEWALK_F16, ROPEWALK_BF16};

constexpr ropewalk_operation operations[] = {ROPEWALK_ROTATE, ROPEWALK_ADD_ROW};  // each with laws of its own

std::string law_names() {
  std::string names;
  for (const law& one : ropewalk::laws) names += (names.empty() ? "" : ", ") + std::string(one.name);
  return names;  // those of additions are among them
}

std::vector<const law*> chosen_laws(const std::vector<std::string>& names) {
  std::vector<const law*> r;
  for (const ropewalk_operation operation : operations)
    for (const law& one : laws_of(operation))
      if (names.empty() || std::find(names.begin(), names.end(), one.name) != names.end()) r.push_back(&one);
  const std::vector<verified_table> tables = verified_tables();
  for (const std::string& name : names) {
    const bool is_of_tables = std::any_of(
        tables.begin(), tables.end(), [&](const verified_table& one) { return one.judged_by->name == name; });
    if (!is_of_tables && std::none_of(r.begin(), r.end(), [&](const law* one) { return one->name == name; }))
      throw bad_input("law", name, law_names() + ", or one of tables: see --list");
  }
  return r;
}

/// The library's own tables, where nothing else is named.
std::vector<verified_table> chosen_tables(const verify_options& options) {
  std::vector<verified_table> r;
  const which_options& which = options.which;
  const bool names_a_model = !which.configs.empty() || !which.models.empty() ||
                             std::any_of(which.numbers.begin(), which.numbers.end(),
                                         [](const auto& number) { return !number.second.empty(); });
  if (!options.kernels.empty() || !options.target.empty() || names_a_model) return r;
  for (verified_table& one : verified_tables())
    if ((options.laws.empty() ||
         std::find(options.laws.begin(), options.laws.end(), one.judged_by->name) != options.laws.end()) &&
        (options.dtypes.empty() ||
         std::find(options.dtypes.begin(), options.dtypes.end(), name_of(one.dtype)) != options.dtypes.end()))
      r.push_back(std::move(one));
  return r;
}

std::vector<ropewalk_dtype> chosen_dtypes(const std::vector<std::string>& names) {
  std::vector<ropewalk_dtype> r;
  for (const ropewalk_dtype dtype : all_dtypes)
    if (names.empty() || std::find(names.begin(), names.end(), name_of(dtype)) != names.end())
      r.push_back(dtype);
  for (const std::string& name : names)
    if (std::none_of(r.begin(), r.end(), [&](ropewalk_dtype dtype) { return name == name_of(dtype); }))
      throw bad_input("dtype", name, "f64, f32, f16, bf16");
  return r;
}

std::optional<ropewalk_promise> chosen_promise(const std::string& name) {
  if (name.empty()) return std::nullopt;
  for (const ropewalk_promise promise : promises_by_strictness)
    if (name == report::name_of(promise)) return promise;
  throw bad_input("promise", name, "exact, canonical, rounded-table, dtype-table, angle-f32");
}

/// The built-in kernels that --target can choose an instruction set for: all but those with one form alone.
std::vector<std::string> targeted_kernels() {
  const std::string target = std::string("-") + simd::targets().front()->name;
  const std::vector<chosen_kernel> nameable = nameable_kernel_list();
  std::vector<std::string> r;
  for (const ropewalk_kernel& kernel : exported_kernels())
    if (std::any_of(nameable.begin(), nameable.end(),
                    [&](const chosen_kernel& one) { return one.kernel->name == kernel.name + target; }))
      r.emplace_back(kernel.name);
  return r;
}

std::vector<verified_kernel> chosen(const verify_options& options) {
  const std::optional<ropewalk_promise> claim = chosen_promise(options.promise);
  std::vector<std::string> names = options.kernels;
  if (names.empty() && !options.target.empty()) names = targeted_kernels();
  std::vector<verified_kernel> r;
  const auto add_one = [&](const chosen_kernel& kernel) {
    const bool foreign = !kernel.library.empty();
    const std::string option =
        foreign ? "library:" + kernel.library + "#" + kernel.kernel->name : std::string(kernel.kernel->name);
    const auto own = static_cast<ropewalk_promise>(kernel.kernel->promise);
    r.push_back({kernel, shell_quoted(option), kernel.may_claim() && claim ? *claim : own});
  };
  const auto add = [&](const chosen_kernel& kernel) {
    if (options.target.empty()) return add_one(kernel);
    for (const chosen_kernel& one : on_target(kernel, options.target)) add_one(one);
  };
  if (names.empty())
    for (const chosen_kernel& kernel : built_in_kernel_list()) add(kernel);
  for (const std::string& name : names) {
    if (name.find('#') != std::string::npos)
      add(only_kernel(name));
    else
      for (const chosen_kernel& kernel : chosen_kernels(name)) add(kernel);
  }
  if (claim && std::none_of(r.begin(), r.end(), [](const auto& kernel) { return kernel.chosen.may_claim(); }))
    throw bad_input("promise", report::name_of(*claim),
                    "only with --kernel library:PATH or a recipe: a built-in kernel has its own");
  return r;
}

/// Every law that was named is one of a kernel, or of a table, that is there to be judged.
void require_subjects(const verification& asked, const std::vector<std::string>& laws) {
  const auto has_encoding = [&](const verified_kernel& kernel) {
    return std::any_of(asked.models.begin(), asked.models.end(), [&](const verified_model& model) {
      return model.operation() == kernel.chosen.kernel->operation;
    });
  };
  for (const std::string& name : laws) {
    const auto is_named = [&](const law& of) { return of.name == name; };
    const bool is_of_kernel =
        std::any_of(asked.kernels.begin(), asked.kernels.end(), [&](const verified_kernel& kernel) {
          const auto own = laws_of(static_cast<ropewalk_operation>(kernel.chosen.kernel->operation));
          return has_encoding(kernel) && std::any_of(own.begin(), own.end(), is_named);
        });
    const bool is_of_table = std::any_of(asked.tables.begin(), asked.tables.end(),
                                         [&](const verified_table& one) { return is_named(*one.judged_by); });
    if (!is_of_kernel && !is_of_table)
      throw bad_input("law", name,
                      "a law of what is to be judged: of a kernel named or, where no kernel, model "
                      "or target is named, of tables; see --list");
  }
}

bool names_kernels(const verify_options& options) {
  return !options.kernels.empty() || !options.target.empty();
}

bool is_device_asked_for(const verify_options& options) {
  return options.requires_vulkan || !options.device.empty();
}

/// A device was asked for, and no kernel would run on it: nothing would have been verified there.
[[noreturn]] void refuse_device(const verify_options& options) {
  throw options.device.empty()
      ? bad_input("require-vulkan", "given", "beside a kernel that runs on a Vulkan device: none is named")
      : bad_input("device", options.device, "none: no kernel that runs on a Vulkan device is named");
}

/// Why Vulkan kernels are left out that run by themselves where a device is; empty where they are not.
std::string left_out(const verify_options& options, session& session) {
  const bool runs_by_itself = !names_kernels(options);
  const bool is_asked_for = is_device_asked_for(options) || (runs_by_itself && vulkan::is_device_named());
  if (!is_asked_for && !runs_by_itself) return {};
  const std::string why = vulkan::why_no_device();
  if (why.empty()) return {};
  if (is_asked_for) throw missing_requirement(why);
  session.understood += "Vulkan kernels are not verified: " + why + "\n";
  return "Vulkan kernels are not verified: " + why;
}

}  // namespace

verification asked_for(const verify_options& options, session& session) {
  verification r;
  if (!options.device.empty()) vulkan::wish_for({.device = options.device});
  r.laws = chosen_laws(options.laws);
  r.laws_are_named = !options.laws.empty();
  r.dtypes = chosen_dtypes(options.dtypes);
  r.kernels = chosen(options);
  r.kernels_are_named = !options.kernels.empty();
  const bool runs_on_device =
      std::any_of(r.kernels.begin(), r.kernels.end(),
                  [](const verified_kernel& kernel) { return needs_device(kernel.chosen); });
  if (is_device_asked_for(options) && names_kernels(options) && !runs_on_device) refuse_device(options);
  r.left_out = left_out(options, session);
  if (runs_on_device) {
    r.device = vulkan::device_text();  // says what is missing before anything is announced
    if (!options.device.empty()) r.device_option = " --device " + shell_quoted(options.device);
  }
  r.tables = chosen_tables(options);
  const named_option of_model = first_named(options.which);
  if (!of_model.name.empty() &&
      std::all_of(r.kernels.begin(), r.kernels.end(), [](const verified_kernel& kernel) {
        return kernel.chosen.kernel->operation != ROPEWALK_ROTATE;
      }))
    throw bad_input(of_model.name, of_model.value, "none: kernels that add have encodings of their own");
  r.models = chosen_subjects(options.which, session);
  require_subjects(r, options.laws);
  r.threads = thread_count(options.threads);
  r.quiet = session.quiet;
  if (!options.cases.empty()) r.cases = whole_number("cases", options.cases, 1, most_cases);
  if (!options.seed.empty())
    r.seed = static_cast<std::uint64_t>(
        whole_number("seed", options.seed, 0, std::numeric_limits<std::int64_t>::max()));
  if (!options.budget.empty())
    r.budget = static_cast<double>(whole_number("budget", options.budget, 1, 1'000'000));
  else if (r.cases == 0)
    r.budget = static_cast<double>(default_budget);
  return r;
}

}  // namespace ropewalk::command
