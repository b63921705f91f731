#include "command/verify_request.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <random>
#include <utility>

#include "command/option/defaults.hpp"
#include "command/shell_words.hpp"
#include "command/verify_kernels.hpp"
#include "command/verify_laws.hpp"
#include "command/verify_subjects.hpp"
#include "gpu/kernel_device.hpp"
#include "input/bad_input.hpp"
#include "search/budget_clock.hpp"
#include "search/judging.hpp"

namespace ropewalk::command {

using namespace verify;

namespace {

constexpr std::chrono::seconds longest_case{120};  // a kernel that needs longer for a case is considered hung

void remove_repeats(std::vector<std::string>& names) {
  std::vector<std::string> each;
  for (std::string& name : names)
    if (std::find(each.begin(), each.end(), name) == each.end()) each.push_back(std::move(name));
  names = std::move(each);
}

verify_options without_repeats(verify_options options) {
  for (std::vector<std::string>* names :
       {&options.which.configs, &options.which.models, &options.kernels, &options.laws, &options.dtypes})
    remove_repeats(*names);
  return options;
}

bool is_device_named(const verify_options& options) {
  return options.requires_vulkan || !options.device.empty();
}

/// Refuses --device and --require-vulkan when none of the named kernels runs on a Vulkan device.
[[noreturn]] void refuse_device(const verify_options& options) {
  throw options.device.empty()
      ? bad_input("require-vulkan", flag_is_given, "only with a Vulkan kernel, and --kernel names none")
      : bad_input("device", options.device, "only with a Vulkan kernel, and --kernel names none");
}

/// The reason why the Vulkan kernels, which run by default if there is a device, are left out; empty if they
/// are not.
///
/// throws  missing_requirement if a device was asked for and none serves
std::string left_out(const verify_options& options, session& session) {
  const bool runs_by_itself = !names_kernels(options) && !options.arrays.is_given();
  const bool is_required = is_device_named(options) || (runs_by_itself && vulkan::is_device_named());
  if (!is_required && !runs_by_itself) return {};
  const std::string reason = vulkan::why_no_device();
  if (reason.empty()) return {};
  if (is_required) throw missing_requirement(reason);
  session.understood += "Vulkan kernels are not verified: " + reason + "\n";
  return "Vulkan kernels are not verified: " + reason;
}

/// Chooses the device, if a kernel runs on one.
///
/// throws  bad_input where a device is named in vain; missing_requirement if none serves
void choose_device(verification& request, const verify_options& options, session& session) {
  const bool runs_on_device =
      std::any_of(request.kernels.begin(), request.kernels.end(),
                  [](const judged_kernel& kernel) { return needs_device(kernel.chosen); }) ||
      (request.same_as && needs_device(request.same_as->chosen));
  if (is_device_named(options) && names_kernels(options) && !runs_on_device) refuse_device(options);
  request.left_out = left_out(options, session);
  if (!runs_on_device) return;
  request.device = vulkan::device_text();  // throws here, before anything is announced, if the device fails
  if (!options.device.empty()) request.device_option = " --device " + shell_quoted(options.device);
}

/// Refuses an encoding where no kernel rotates and no array is judged.
void refuse_unused_encoding(const verification& request, const verify_options& options) {
  const named_option encoding = first_named(options.which);
  const bool has_rotation =
      std::any_of(request.kernels.begin(), request.kernels.end(),
                  [](const judged_kernel& kernel) { return kernel.operation() == ROPEWALK_ROTATE; });
  if (encoding.is_given() && request.arrays.empty() && !has_rotation)
    throw bad_input(encoding.name, encoding.value,
                    "none with kernels of additions, which have their own encodings");
}

/// Sets how many cases are asked, how long, and by which seed.
///
/// throws  bad_input naming the option
void choose_extent(verification& request, const verify_options& options) {
  request.threads = thread_count(options.threads);
  if (!options.cases.empty()) request.cases = whole_number_of("--cases", options.cases);
  const bool is_in_files =
      std::any_of(request.kernels.begin(), request.kernels.end(),
                  [](const judged_kernel& kernel) { return kernel.chosen.is_in_files(); });
  // Of kernels in files, what is asked must follow from the command alone, which is repeated.
  if (!is_in_files) request.seed = std::random_device()();
  if (!options.seed.empty())
    request.seed = static_cast<std::uint64_t>(whole_number_of("--seed", options.seed));
  if (is_in_files) {
    if (!options.budget.empty())
      throw bad_input("budget", options.budget, "none with files:DIR: --cases says how much is asked");
    request.threads = 1;
  } else if (!options.budget.empty())
    request.budget = request.limit = static_cast<double>(whole_number_of("--budget", options.budget));
  else if (request.cases == 0)
    request.budget =
        request.kernels_are_named || request.kernels.empty() ? default_budget : budget_of_all_kernels;
  if (request.budget > 0) request.diagnosis = default_diagnosis;
  if (!options.diagnosis.empty())
    request.diagnosis = static_cast<double>(whole_number_of("--diagnosis", options.diagnosis));
  if (options.budget.empty() || options.may_exceed_budget) request.limit = slower_machine * request.budget;
}

}  // namespace

void set_transports(const verify_options& options, const std::atomic<bool>& interrupted) {
  // The time of calls that describe, plan and the first call of a plan have at most.
  constexpr int first_calls = 12;
  transport_settings_in_force().in_process = options.in_process;
  transport::child_limits& limits = transport_settings_in_force().limits;
  limits.is_interrupted = &interrupted;
  if (!options.call_limit.empty()) {
    limits.call = std::chrono::seconds(whole_number_of("--call-limit", options.call_limit));
    limits.first = std::max(limits.call, std::min(limits.first, first_calls * limits.call));
  }
  if (!options.budget.empty())  // of which describing and loading are a part
    transport::end_of_waiting =
        transport::monotonic_clock::now() +
        std::chrono::seconds(search::most_waiting * whole_number_of("--budget", options.budget));
  if (!options.memory_limit.empty())
    limits.memory = static_cast<std::uint64_t>(whole_number_of("--memory-limit", options.memory_limit));
}

verification verification_from(const verify_options& typed, session& session) {
  const verify_options options = without_repeats(typed);
  verification request;
  if (!options.device.empty()) vulkan::wish_for({.device = options.device});
  refuse_comma_lists("model", options.which.models, " --model ");
  require_known_laws(options.laws);
  request.laws = options.laws;
  request.skipped_laws = skipped_laws(options);
  request.dtypes = chosen_dtypes(options.dtypes);
  request.dtypes_are_named = !options.dtypes.empty();
  if (judges_kernels(options)) request.calls = calls_from(options);
  request.fails_on = failures_from(options);
  request.allows_declined = options.allows_declined;
  request.allows_cut = options.allows_cut;
  choose_kernels(request, options);
  choose_other_kernel(request, options);
  request.form = chosen_form(request, options);
  choose_arrays(request, options, session);
  // Each library that was named may have ended its process.
  if (request.kernels.empty() && request.arrays.empty()) return request;
  request.kernels_are_named = !options.kernels.empty();
  choose_device(request, options, session);
  request.tables = chosen_tables(options, request.skipped_laws);
  refuse_unused_encoding(request, options);
  if (judges_kernels(options)) choose_subjects(request, options.which, session);
  require_subjects_of_laws(request);
  request.quiet = session.quiet;
  choose_extent(request, options);
  return request;
}

results checked_against_laws(const verification& request, const std::atomic<bool>& interrupted,
                             const std::function<void(const results&)>& judged) {
  search::name_kernel_on_crash();
  const bool has_limits =
      std::any_of(request.kernels.begin(), request.kernels.end(),
                  [](const judged_kernel& kernel) { return kernel.chosen.is_out_of_process(); });
  // Out of process a kernel has limits of its own, for a plan that is made twice and a call.
  const search::hang_watch watch(
      has_limits ? std::max(longest_case, 4 * transport_settings_in_force().limits.first) : longest_case);
  return verify::verify(request, interrupted, judged);
}

}  // namespace ropewalk::command
