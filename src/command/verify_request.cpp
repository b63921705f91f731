#include "command/verify_request.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <string_view>
#include <system_error>
#include <utility>

#include "command/shell_words.hpp"
#include "command/verify_kernels.hpp"
#include "gpu/kernel_device.hpp"
#include "input/bad_input.hpp"
#include "input/number.hpp"
#include "input/positions.hpp"
#include "input/unknown_name.hpp"
#include "kernel/kernels.hpp"
#include "kernel/simd/simd.hpp"
#include "ropewalk/kernel/operation.hpp"
#include "ropewalk/law/rotation_laws.hpp"
#include "search/budget_clock.hpp"

namespace ropewalk::command {

using namespace verify;

namespace {

// Seconds of processor time; planning and shrinking count, too. On two cores all kernels take 75 s.
constexpr double default_diagnosis = 20;
constexpr double default_budget = 60, budget_of_all_kernels = 140;
// What verdicts need takes most of that on the machine where it was measured: others may be slower.
constexpr double slower_machine = 4;
constexpr std::chrono::seconds longest_case{120};  // a kernel that needs longer for a case is considered hung
constexpr std::int64_t most_cases = 1'000'000'000;

bool has_name(const std::vector<judged_table>& tables, std::string_view law) {
  return std::any_of(tables.begin(), tables.end(), [&](const judged_table& one) {
    return std::any_of(one.laws.begin(), one.laws.end(), [&](const law_text& of) { return of.name == law; });
  });
}

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

void require_known(const std::vector<std::string>& laws) {
  if (laws.empty()) return;
  const std::vector<std::string> known = law_names();
  refuse_comma_lists("law", laws);
  for (const std::string& name : laws)
    if (name == rotation_laws::same_as.name)
      throw bad_input("law", name, "only with --same-as, which names the other kernel");
    else if (std::find(known.begin(), known.end(), name) == known.end())
      throw input::unknown_name("law", name, known, "`ropewalk verify --list`");
}

bool names_a_model(const which_options& which) {
  return !which.configs.empty() || !which.models.empty() ||
         std::any_of(which.numbers.begin(), which.numbers.end(),
                     [](const auto& number) { return !number.second.empty(); });
}

/// This library's own tables, with the laws to judge them by; none if a kernel, target or model is named.
std::vector<judged_table> chosen_tables(const verify_options& options,
                                        const std::map<std::string, std::string>& skipped) {
  if (names_kernels(options) || options.arrays.is_given() || names_a_model(options.which)) return {};
  std::vector<judged_table> tables = own_tables();
  const auto is_left_out = [](const std::vector<std::string>& names, std::string_view name) {
    return !names.empty() && std::find(names.begin(), names.end(), name) == names.end();
  };
  for (judged_table& one : tables)
    std::erase_if(one.laws, [&](const law_text& of) {
      return skipped.count(std::string(of.name)) > 0 || is_left_out(options.laws, of.name);
    });
  std::erase_if(tables, [&](const judged_table& one) {
    return one.laws.empty() || is_left_out(options.dtypes, name_of(one.dtype));
  });
  return tables;
}

/// The positions and environments that --positions and --environment ask for.
asked_calls chosen_calls(const verify_options& options) {
  asked_calls r;
  if (!options.positions.empty()) {
    const std::string_view text = options.positions;
    const std::size_t colon = std::min(text.find(':'), text.size());
    const auto begin = input::position_number(text.substr(0, colon)),
               end = input::position_number(text.substr(std::min(colon + 1, text.size())));
    if (!begin || !end || *begin < smallest_position || *end > largest_position + 1 || *begin >= *end)
      throw bad_input("positions", options.positions,
                      fmt::format("A:B, the positions from A to below B, {} <= A < B <= {}",
                                  smallest_position, largest_position + 1));
    r.positions = {*begin, *end};
  }
  if (!options.environment.empty() && options.environment != "default" && options.environment != "all")
    throw bad_input("environment", options.environment, "default, all");
  r.every_environment = options.environment == "all";
  return r;
}

/// The further conditions for exit code 1, from --fail-on.
fail_on chosen_failures(const verify_options& options) {
  constexpr std::string_view growth = "growth=";
  fail_on r;
  for (const std::string& text : options.fail_on) {
    const std::size_t at = text.find('@');
    if (text == "vacuous") {
      r.vacuous = true;
    } else if (text == "skipped") {
      r.skipped = true;
    } else if (text.starts_with(growth) && at != std::string::npos) {
      const auto percent =
          input::number_from<double>(std::string_view(text).substr(growth.size(), at - growth.size()));
      const auto position = input::position_number(std::string_view(text).substr(at + 1));
      if (!percent || !(*percent >= 0 && *percent <= 200) || !position || *position < 1 ||
          *position > largest_position)
        throw bad_input("fail-on", text,
                        fmt::format("growth=PERCENT@POSITION with a percentage from 0 to 200 and a position "
                                    "from 1 to {}",
                                    largest_position));
      r.growths.push_back({*percent, *position});
    } else {
      throw bad_input("fail-on", text, "vacuous, skipped, growth=PERCENT@POSITION");
    }
  }
  return r;
}

/// The laws to leave out, from --skip-law, each with its reason.
std::map<std::string, std::string> skipped_laws(const verify_options& options) {
  std::map<std::string, std::string> r;
  for (const std::string& text : options.skipped_laws) {
    const std::size_t mark = text.find('=');
    if (mark == std::string::npos || mark + 1 == text.size())
      throw bad_input("skip-law", text, "NAME=REASON: a law and why it is left out");
    const std::string name = text.substr(0, mark);
    require_known({name});
    if (std::find(options.laws.begin(), options.laws.end(), name) != options.laws.end())
      throw bad_input("skip-law", name, "a law that --law does not ask for");
    r[name] = text.substr(mark + 1);
  }
  return r;
}

/// Refuses a law that was named but applies to none of the kernels and tables to be judged.
void require_subjects(const verification& asked) {
  const auto is_of_kernel = [&](const std::string& law) {
    return std::any_of(asked.kernels.begin(), asked.kernels.end(), [&](const judged_kernel& kernel) {
      const std::vector<law_text> own = laws_of(kernel.operation());
      return asked.has_subject(kernel) &&
             std::any_of(own.begin(), own.end(), [&](const law_text& of) { return of.name == law; });
    });
  };
  const auto is_of_array = [&](const std::string& law) {
    return std::any_of(asked.arrays.begin(), asked.arrays.end(), [&](const given_array& one) {
      const std::vector<std::string_view> own = laws_of(one);
      return std::find(own.begin(), own.end(), law) != own.end();
    });
  };
  for (const std::string& name : asked.laws)
    if (!is_of_kernel(name) && !has_name(asked.tables, name) && !is_of_array(name))
      throw bad_input("law", name,
                      asked.arrays.empty()
                          ? "a law of the selected kernels or, if no kernel, model or target "
                            "is selected, of tables; see --list"
                          : fmt::format("one of {}, which the arrays are held to",
                                        fmt::join(laws_of(asked.arrays.front()), ", ")));
}

/// For each model, the options that reproduce it, in the order of chosen_models.
std::vector<std::string> model_options(const which_options& which) {
  std::vector<std::string> r;
  which_options one = which;
  one.models.clear();
  for (const std::string& file : which.configs) {
    one.configs = {file};
    r.push_back(command_text(one));
  }
  one.configs.clear();
  r.push_back(command_text(one));  // by hand
  one.numbers.clear();
  one.pairing.clear();
  for (const std::string& name : which.models) {
    one.models = {name};
    r.insert(r.end() - 1, command_text(one));
  }
  return r;
}

/// The file of a --config that names it or its directory; empty for standard input.
std::string file_of_config(const std::string& path) {
  std::error_code unknown;
  if (path == "-") return {};
  return std::filesystem::is_directory(path, unknown) ? (std::filesystem::path(path) / "config.json").string()
                                                      : path;
}

/// Sets the subjects: the models that were named, else a selection from the catalogue and every convention of
/// additions.
void choose_subjects(verification& r, const which_options& which, session& session) {
  if (asks_every_layer(which)) {
    const choices_of_layers layers = every_layer(which);
    session.understood += layers.still;
    for (const choice_of_layers& one : layers.choices) choose_subjects(r, one.which, session);
    return;
  }
  const std::vector<model::model> models = chosen_models(which);
  if (models.empty()) {
    r.models = spread_of_models();
    r.additions = every_addition();
    return;
  }
  const std::vector<std::string> options = model_options(which);
  for (std::size_t i = 0; i < models.size(); ++i) {
    model::model named = models[i];
    require_paired_channels(named);
    if (!which.layer.empty()) named.name += "/" + which.layer;
    for (rotation_subject& one : at_decisive_lengths(named, options[i], which.seq_len)) {
      report_reading(one.model, session);
      named.warnings.clear();
      if (i < which.configs.size()) one.file = file_of_config(which.configs[i]);
      r.models.push_back(std::move(one));
    }
  }
}

bool has_bias_kernel(const verification& asked) {
  return std::any_of(asked.kernels.begin(), asked.kernels.end(),
                     [](const judged_kernel& kernel) { return kernel.operation() == ROPEWALK_ADD_BIAS; });
}

/// The form of ALiBi that kernels are asked in; none: the forms that each serves.
///
/// throws  bad_input naming form
std::optional<alibi_form> chosen_form(const verification& asked, const verify_options& options) {
  const auto found = options.arrays.of.own.find("--form");
  if (found == options.arrays.of.own.end() || found->second.empty()) return std::nullopt;
  const alibi_form form = alibi_form_named(found->second);
  if (has_bias_kernel(asked)) return form;
  if (!options.arrays.is_given())
    throw bad_input("form", found->second,
                    "only with --table FILE or a kernel that adds ALiBi's bias, of a library or a program");
  return std::nullopt;
}

/// The arrays of files that are named.
void choose_arrays(verification& to, const verify_options& options, session& session) {
  const array_options& arrays = options.arrays;
  if (!arrays.is_given()) {
    array_options of_arrays = arrays;
    if (to.form) of_arrays.of.own.erase("--form");
    if (const named_option one = first_named(of_arrays); !one.name.empty())
      throw bad_input(one.name, one.value, "only with --table FILE");
    return;
  }
  if (asks_every_layer(options.which))
    throw bad_input("layer", options.which.layer,
                    "a layer or a kind of layers with --table; {layer} in its name stands for every layer");
  chosen_arrays chosen =
      arrays_from(arrays, options.which, options.positions, options.dtypes,
                  {chosen_promise(options.promise).value_or(promise::canonical), options.promise}, session);
  to.arrays = std::move(chosen.arrays);
  to.missing_layers = std::move(chosen.missing);
}

bool is_device_asked_for(const verify_options& options) {
  return options.requires_vulkan || !options.device.empty();
}

/// Refuses --device and --require-vulkan when none of the named kernels runs on a Vulkan device.
[[noreturn]] void refuse_device(const verify_options& options) {
  throw options.device.empty()
      ? bad_input("require-vulkan", "given", "only with a Vulkan kernel, and --kernel names none")
      : bad_input("device", options.device, "only with a Vulkan kernel, and --kernel names none");
}

/// The reason why the Vulkan kernels, which run by default if there is a device, are left out; empty if they
/// are not.
///
/// throws  missing_requirement if a device was asked for and none serves
std::string left_out(const verify_options& options, session& session) {
  const bool runs_by_itself = !names_kernels(options) && !options.arrays.is_given();
  const bool is_asked_for = is_device_asked_for(options) || (runs_by_itself && vulkan::is_device_named());
  if (!is_asked_for && !runs_by_itself) return {};
  const std::string why = vulkan::why_no_device();
  if (why.empty()) return {};
  if (is_asked_for) throw missing_requirement(why);
  session.understood += "Vulkan kernels are not verified: " + why + "\n";
  return "Vulkan kernels are not verified: " + why;
}

std::int64_t seconds_of_budget(const verify_options& options) {
  return input::whole_number("budget", options.budget, 1, 1'000'000);
}

}  // namespace

std::vector<std::string> law_names() {
  std::vector<std::string> names;
  const auto add = [&](const law_text& one) {
    if (std::find(names.begin(), names.end(), one.name) == names.end()) names.emplace_back(one.name);
  };
  for_each_type(operations{}, [&]<class Operation>() {
    for (const law_text& one : laws_of_one_kernel(Operation::number)) add(one);
  });
  for (const law_text& one : laws_of_tables()) add(one);
  return names;
}

void set_transports(const verify_options& options, const std::atomic<bool>& interrupted) {
  constexpr std::int64_t longest_call = 86400, least_memory = std::int64_t{1} << 20;
  constexpr int first_calls =
      12;  // calls' time that describe, plan and the first call of a plan have at most
  transport_settings_in_force().in_process = options.in_process;
  transport::child_limits& limits = transport_settings_in_force().limits;
  limits.is_interrupted = &interrupted;
  if (!options.call_limit.empty()) {
    limits.call =
        std::chrono::seconds(input::whole_number("call-limit", options.call_limit, 1, longest_call));
    limits.first = std::max(limits.call, std::min(limits.first, first_calls * limits.call));
  }
  if (!options.budget.empty())  // of which describing and loading are a part
    transport::end_of_waiting = transport::monotonic_clock::now() +
                                std::chrono::seconds(search::most_waiting * seconds_of_budget(options));
  if (!options.memory_limit.empty())
    limits.memory = static_cast<std::uint64_t>(input::whole_number(
        "memory-limit", options.memory_limit, least_memory, std::numeric_limits<std::int64_t>::max()));
}

std::vector<std::string> promise_part_list() {
  std::vector<std::string> r;
  for (const promise_part& part : promise_parts) {
    const auto add = [&](std::string_view word) {
      r.push_back(std::string(part.name) + "=" + std::string(word));
    };
    add(part.unrounded);
    for (const part_word& one : part_words)
      if (detail::part_value(part, one.word)) add(one.word);
  }
  r.emplace_back("fused");
  return r;
}

named_option first_besides_list(const verify_options& options) {
  if (const named_option of_model = first_named(options.which); !of_model.name.empty()) return of_model;
  if (const named_option of_array = first_named(options.arrays); !of_array.name.empty()) return of_array;
  const std::pair<const char*, const std::vector<std::string>&> lists[] = {{"dtype", options.dtypes},
                                                                           {"law", options.laws},
                                                                           {"skip-law", options.skipped_laws},
                                                                           {"fail-on", options.fail_on},
                                                                           {"report", options.reports}};
  for (const auto& [name, values] : lists)
    if (!values.empty()) return {name, values.front()};
  const std::pair<const char*, const std::string&> texts[] = {
      {"promise", options.promise}, {"target", options.target},      {"positions", options.positions},
      {"same-as", options.same_as}, {"cases", options.cases},        {"environment", options.environment},
      {"seed", options.seed},       {"budget", options.budget},      {"threads", options.threads},
      {"device", options.device},   {"diagnosis", options.diagnosis}};
  for (const auto& [name, value] : texts)
    if (!value.empty()) return {name, value};
  if (options.allows_declined) return {"allow-declined", "given"};
  if (options.allows_cut) return {"allow-cut", "given"};
  if (options.requires_vulkan) return {"require-vulkan", "given"};
  return {};
}

verification asked_for(const verify_options& typed, session& session) {
  const verify_options options = without_repeats(typed);
  verification r;
  if (!options.device.empty()) vulkan::wish_for({.device = options.device});
  refuse_comma_lists("model", options.which.models, " --model ");
  require_known(options.laws);
  r.laws = options.laws;
  r.skipped_laws = skipped_laws(options);
  r.dtypes = chosen_dtypes(options.dtypes);
  r.dtypes_are_named = !options.dtypes.empty();
  if (judges_kernels(options)) r.calls = chosen_calls(options);
  r.fails_on = chosen_failures(options);
  r.allows_declined = options.allows_declined;
  r.allows_cut = options.allows_cut;
  choose_kernels(r, options);
  choose_other_kernel(r, options);
  r.form = chosen_form(r, options);
  choose_arrays(r, options, session);
  if (r.kernels.empty() && r.arrays.empty()) return r;  // each library that was named ended its process
  r.kernels_are_named = !options.kernels.empty();
  const bool runs_on_device =
      std::any_of(r.kernels.begin(), r.kernels.end(),
                  [](const judged_kernel& kernel) { return needs_device(kernel.chosen); }) ||
      (r.same_as && needs_device(r.same_as->chosen));
  if (is_device_asked_for(options) && names_kernels(options) && !runs_on_device) refuse_device(options);
  r.left_out = left_out(options, session);
  if (runs_on_device) {
    r.device = vulkan::device_text();  // throws here, before anything is announced, if the device fails
    if (!options.device.empty()) r.device_option = " --device " + shell_quoted(options.device);
  }
  r.tables = chosen_tables(options, r.skipped_laws);
  const named_option of_model = first_named(options.which);
  if (!of_model.name.empty() && r.arrays.empty() &&
      std::none_of(r.kernels.begin(), r.kernels.end(),
                   [](const judged_kernel& kernel) { return kernel.operation() == ROPEWALK_ROTATE; }))
    throw bad_input(of_model.name, of_model.value,
                    "none with kernels of additions, which have their own encodings");
  if (judges_kernels(options)) choose_subjects(r, options.which, session);
  require_subjects(r);
  r.threads = input::thread_count(options.threads);
  r.quiet = session.quiet;
  if (!options.cases.empty()) r.cases = input::whole_number("cases", options.cases, 1, most_cases);
  const bool is_in_files = std::any_of(r.kernels.begin(), r.kernels.end(),
                                       [](const judged_kernel& one) { return one.chosen.is_in_files(); });
  // Of kernels in files, what is asked must follow from the command alone, which is repeated.
  if (!is_in_files) r.seed = std::random_device()();
  if (!options.seed.empty())
    r.seed = static_cast<std::uint64_t>(
        input::whole_number("seed", options.seed, 0, std::numeric_limits<std::int64_t>::max()));
  if (is_in_files) {
    if (!options.budget.empty())
      throw bad_input("budget", options.budget, "none with files:DIR: --cases says how much is asked");
    r.threads = 1;
  } else if (!options.budget.empty())
    r.budget = r.limit = static_cast<double>(seconds_of_budget(options));
  else if (r.cases == 0)
    r.budget = r.kernels_are_named || r.kernels.empty() ? default_budget : budget_of_all_kernels;
  if (r.budget > 0) r.diagnosis = default_diagnosis;
  if (!options.diagnosis.empty())
    r.diagnosis = static_cast<double>(input::whole_number("diagnosis", options.diagnosis, 0, 1'000'000));
  if (options.budget.empty() || options.may_exceed_budget) r.limit = slower_machine * r.budget;
  return r;
}

results checked_against_laws(const verification& asked, const std::atomic<bool>& interrupted,
                             const std::function<void(const results&)>& judged) {
  search::name_kernel_on_crash();
  const bool has_limits =
      std::any_of(asked.kernels.begin(), asked.kernels.end(),
                  [](const judged_kernel& one) { return one.chosen.is_out_of_process(); });
  // Out of process a kernel has limits of its own, for a plan that is made twice and a call.
  const search::hang_watch watch(
      has_limits ? std::max(longest_case, 4 * transport_settings_in_force().limits.first) : longest_case);
  return verify::verify(asked, interrupted, judged);
}

}  // namespace ropewalk::command
